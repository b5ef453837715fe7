// The API's words for checks in plain English.
import type { components } from '../../../client/schema.ts';
import { counted } from '../../../parts/figures/counted.ts';

export type Check = components['schemas']['Check'];

export const TRIGGERS: Readonly<Record<Check['trigger'], string>> = {
  schedule: 'Scheduled',
  manual: 'Check now',
  created: 'First check',
  settings: 'Settings changed',
  accepted: 'Held check accepted',
};

/** A person's decision about a held check. */
export const DECISIONS = { accepted: 'Accepted', rejected: 'Rejected' } as const;

export const firstSnapshotWords = (rows: number): string =>
  `${counted(rows, 'row')} to compare later checks with`;

/** A finding in the data, and the product's answer to it. */
export const WARNINGS: Readonly<Record<string, string>> = {
  ragged_rows: 'Some rows have fewer cells than the header. They have no value in the last columns.',
  extra_cells: 'Some rows have more cells than the header. The extra cells are in columns named column_N.',
  lines_above_header: 'There are lines above the header, such as a title. They are not compared.',
  duplicate_header: 'Several columns have the same name. A number at the end tells them apart.',
  empty_header: 'Some columns have no name. They are called column_N.',
  duplicate_key: 'Some rows have the same key as an earlier row. Only the last of them is kept.',
  duplicate_member: 'Some names occur twice in one JSON object. Only the last value is kept.',
  charset_changed:
    'The origin declares a different charset than before. The sample shows which one the data was read with.',
  empty_key: 'The key field is empty in some rows. An empty value counts as a key like any other.',
  other_arrays:
    'The document has more than one array of objects. To watch another one, set the path to the rows.',
  unpaired_rows:
    'Too many rows were deleted and added to find edited rows among them. They are shown as deleted and new.',
};

export const WARNING_TITLES: Readonly<Record<string, string>> = {
  ragged_rows: 'Short rows',
  extra_cells: 'Long rows',
  lines_above_header: 'Lines above the header',
  duplicate_header: 'Repeated column names',
  empty_header: 'Columns without a name',
  duplicate_key: 'Repeated keys',
  duplicate_member: 'Repeated names',
  charset_changed: 'Different charset',
  empty_key: 'Empty keys',
  other_arrays: 'Other arrays',
  unpaired_rows: 'Rows not compared for edits',
};

/** Undefined while the check is running. */
export const durationMsOf = ({ startedAt, finishedAt }: Check): number | undefined =>
  startedAt === null || finishedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(startedAt);
