// What a change of the settings that rows depend on comes to.
import type { Format } from '../../core/checks.ts';
import { ApiError } from '../../core/errors.ts';
import { isHeaderInForce, isRekeyDue, isSameList } from '../../core/generation.ts';
import type { LockedRecord, RecordChanges, TrackedRecord } from '../../db/records/records.ts';
import { type GivenSettings, withoutNulls } from './record-rules.ts';

export interface GivenRows {
  format?: Format | null;
  delimiter?: string | null;
  rowsPath?: string | null;
  headerRow?: number | null;
  keyFields?: string[] | null;
  ignoreFields?: string[];
  startOver?: boolean;
}

const ROW_SETTINGS = ['format', 'delimiter', 'rowsPath', 'headerRow', 'keyFields', 'ignoreFields'] as const;

type RowSettings = Pick<TrackedRecord, (typeof ROW_SETTINGS)[number]>;

const merged = (before: RowSettings, given: GivenRows): RowSettings => ({
  format: given.format === undefined ? before.format : given.format,
  delimiter: given.delimiter === undefined ? before.delimiter : given.delimiter,
  rowsPath: given.rowsPath === undefined ? before.rowsPath : given.rowsPath,
  headerRow: given.headerRow === undefined ? before.headerRow : given.headerRow,
  keyFields: given.keyFields === undefined ? before.keyFields : given.keyFields,
  ignoreFields: given.ignoreFields ?? before.ignoreFields,
});

/** All that the record's rules are to be asked about: what is given, beside what stays. */
export function settingsToBe(
  record: TrackedRecord,
  given: Omit<GivenSettings, keyof GivenRows> & GivenRows,
): GivenSettings {
  const {
    format,
    delimiter,
    rowsPath,
    headerRow,
    keyFields,
    ignoreFields,
    startOver: _startOver,
    ...others
  } = given;
  const isAboutRows = [format, delimiter, rowsPath, headerRow, keyFields, ignoreFields].some(
    (field) => field !== undefined,
  );
  if (!isAboutRows) return others;
  return { ...others, ...withoutNulls(merged(record, given)) };
}

export interface RowChanges {
  /** Rows are to be kept under another rule, or to begin anew. */
  isReread: boolean;
  isCheckedAtOnce: boolean;
  changesOf: (locked: LockedRecord) => RecordChanges;
}

/** @throws ApiError validation_failed: a key field is none of the columns that the latest body has */
export function changeRows(record: TrackedRecord, given: GivenRows): RowChanges {
  const isAsked = ROW_SETTINGS.some((name) => given[name] !== undefined) || given.startOver !== undefined;
  if (!isAsked) return { isReread: false, isCheckedAtOnce: false, changesOf: () => ({}) };
  const { startOver } = given;
  const startsOverGeneration =
    startOver === undefined ? record.startsOverGeneration : startOver ? record.generation : null;
  const asked = { ...record, ...merged(record, given), startsOverGeneration };
  const isRekey = isRekeyDue(asked);
  if (isRekey) refuseUnknownKey(asked, given);
  const startsAnew = startOver === true && record.snapshotId !== null;
  return {
    isReread: isRekey || startsAnew,
    // Where the header is looked for makes no difference to rows that are kept, unless they are read again.
    isCheckedAtOnce:
      startsAnew || isRekey || !hasSameDialect(record, asked) || record.headerRow !== asked.headerRow,
    changesOf: (locked) => {
      const rows = merged(locked, given);
      const dialectVersion = locked.dialectVersion + (hasSameDialect(locked, rows) ? 0 : 1);
      // Without rows there is nothing to begin anew, unless a check is about to commit some: that one puts it right. What was
      // asked for before stands unless it is asked about.
      const begins =
        startOver === undefined ? {} : { startsOverGeneration: startOver ? locked.generation : null };
      return { ...rows, dialectVersion, ...begins };
    },
  };
}

const hasSameDialect = (before: RowSettings, after: RowSettings): boolean =>
  before.format === after.format &&
  before.delimiter === after.delimiter &&
  before.rowsPath === after.rowsPath;

/** An ignored field is not among the columns, and may be in the body. */
function refuseUnknownKey(record: TrackedRecord, { keyFields }: GivenRows): void {
  const { columns, headIgnoreFields } = record;
  if (keyFields === undefined || keyFields === null || columns.length === 0) return;
  // Another line names other columns.
  if (!isHeaderInForce(record)) return;
  if (isSameList(keyFields, record.headKeyFields)) return;
  const mayBeThere = (field: string): boolean =>
    columns.includes(field) ||
    headIgnoreFields.some((ignored) => field === ignored || field.startsWith(`${ignored}.`));
  const detail =
    'is no column of the latest snapshot; if the origin sends it by now, say `startOver: true` as well';
  const errors = keyFields.flatMap((field, index) =>
    mayBeThere(field) ? [] : [{ pointer: `/keyFields/${index}`, code: 'unknown_column', detail }],
  );
  const [first] = errors;
  if (first !== undefined) {
    throw new ApiError('validation_failed', `${first.pointer} ${detail}.`, { errors });
  }
}
