// What the API's words for checks mean to people.
import type { components } from '../../../client/schema.ts';

export type Check = components['schemas']['Check'];

export const TRIGGERS: Readonly<Record<Check['trigger'], string>> = {
  schedule: 'As planned',
  manual: 'Asked for',
  created: 'First check',
  settings: 'Settings changed',
  accepted: 'A held check was accepted',
};

/** What was found, and what was done about it. */
export const WARNINGS: Readonly<Record<string, string>> = {
  ragged_rows: 'Rows with fewer cells than the header. They lack the last columns.',
  extra_cells: 'Rows with more cells than the header. The extra cells are left out.',
  duplicate_header: 'Columns whose name was taken. They got a suffix.',
  empty_header: 'Columns without a name. They are called column_N.',
  duplicate_key: 'Rows whose key an earlier row had. The last one counts.',
  duplicate_member: 'Members that their JSON object had before. The last one counts.',
  empty_key: 'Rows in which a key field is empty. Its text in the key is empty.',
  other_arrays: 'Other arrays of objects in the document. Set where the rows stand if one of them is meant.',
};

export const WARNING_TITLES: Readonly<Record<string, string>> = {
  ragged_rows: 'Short rows',
  extra_cells: 'Long rows',
  duplicate_header: 'Repeated column names',
  empty_header: 'Columns without a name',
  duplicate_key: 'Repeated keys',
  duplicate_member: 'Repeated members',
  empty_key: 'Empty keys',
  other_arrays: 'Other arrays',
};

/** Undefined while it goes on. */
export const durationMsOf = ({ startedAt, finishedAt }: Check): number | undefined =>
  startedAt === null || finishedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(startedAt);
