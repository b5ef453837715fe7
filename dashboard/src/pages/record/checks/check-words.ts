// Words for the API's codes of checks.
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

/** What was found, and what was done about it. */
export const WARNINGS: Readonly<Record<string, string>> = {
  ragged_rows: 'Rows with fewer cells than the header. The last columns are missing in them.',
  extra_cells: 'Rows with more cells than the header. The extra cells are in columns called column_N.',
  lines_above_header: 'Lines above the header, such as a title. They are not compared.',
  duplicate_header: 'Columns with the name of another column. A suffix tells them apart.',
  empty_header: 'Columns without a name. They are called column_N.',
  duplicate_key: 'Rows with the same key as an earlier row. The last one counts.',
  duplicate_member: 'Names that occur twice in one JSON object. The last one counts.',
  charset_changed:
    'The origin names another charset than before. The sample says what the data were read as.',
  empty_key: 'Rows in which a key field is empty. It counts as an empty text.',
  other_arrays: 'Other arrays of objects in the document. If you mean one of them, set the path to the rows.',
};

export const WARNING_TITLES: Readonly<Record<string, string>> = {
  ragged_rows: 'Short rows',
  extra_cells: 'Long rows',
  lines_above_header: 'Lines above the header',
  duplicate_header: 'Repeated column names',
  empty_header: 'Columns without a name',
  duplicate_key: 'Repeated keys',
  duplicate_member: 'Repeated names',
  charset_changed: 'Another charset',
  empty_key: 'Empty keys',
  other_arrays: 'Other arrays',
};

/** Undefined while the check runs. */
export const durationMsOf = ({ startedAt, finishedAt }: Check): number | undefined =>
  startedAt === null || finishedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(startedAt);
