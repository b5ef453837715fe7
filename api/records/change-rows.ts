// Applies a PATCH of the settings that rows depend on, and decides what has to happen because of it.
import { ApiError } from '../../core/errors.ts';
import { isHeaderInForce, isRekeyDue, isSameList } from '../../core/generation.ts';
import type { LockedRecord, RecordChanges, TrackedRecord } from '../../db/records/records.ts';
import { type GivenRows, mergeRows, READING_SETTINGS, type ReadingSettings } from './record-settings.ts';

/**
 * What a PATCH makes the workflow do: nothing; read the settings again; fetch the origin at once; or rekey the rows, that is,
 * read the stored body again under the new rule or start over with the next body.
 */
export type ChangeEffect = 'none' | 'tell' | 'fetch' | 'rekey';

export interface RowChanges {
  /** Of the row settings alone. */
  effect: ChangeEffect;
  changesOf: (locked: LockedRecord) => RecordChanges;
}

/** @throws ApiError validation_failed when a key field is not a column of the latest body */
export function changeRows(record: TrackedRecord, given: GivenRows): RowChanges {
  const isAsked = READING_SETTINGS.some((name) => given[name] !== undefined) || given.startOver !== undefined;
  if (!isAsked) return { effect: 'none', changesOf: () => ({}) };
  const { startOver } = given;
  const startsOverGeneration =
    startOver === undefined ? record.startsOverGeneration : startOver ? record.generation : null;
  const asked = { ...record, ...mergeRows(record, given), startsOverGeneration };
  if (isRekeyDue(asked)) refuseUnknownKey(asked, given);
  return {
    effect: effectOfRows(record, asked, startOver),
    changesOf: (locked) => {
      const rows = mergeRows(locked, given);
      const dialectVersion = locked.dialectVersion + (hasSameDialect(locked, rows) ? 0 : 1);
      // Without rows there is nothing to start over, unless a running check is about to commit some; it then clears the
      // request. An earlier request to start over remains unless this PATCH sets the field.
      const begins =
        startOver === undefined ? {} : { startsOverGeneration: startOver ? locked.generation : null };
      return { ...rows, dialectVersion, ...begins };
    },
  };
}

function effectOfRows(record: TrackedRecord, asked: TrackedRecord, startOver = false): ChangeEffect {
  if (isRekeyDue(asked) || (startOver && record.snapshotId !== null)) return 'rekey';
  return hasSameDialect(record, asked) && record.headerRow === asked.headerRow ? 'tell' : 'fetch';
}

const hasSameDialect = (before: ReadingSettings, after: ReadingSettings): boolean =>
  before.format === after.format &&
  before.delimiter === after.delimiter &&
  before.rowsPath === after.rowsPath;

/** An ignored field is not a column, but may be in the body. */
function refuseUnknownKey(record: TrackedRecord, { keyFields }: GivenRows): void {
  const { columns, headIgnoreFields } = record;
  if (keyFields === undefined || keyFields === null || columns.length === 0) return;
  // With another header line the columns are different.
  if (!isHeaderInForce(record)) return;
  if (isSameList(keyFields, record.headKeyFields)) return;
  const mayBeThere = (field: string): boolean =>
    columns.includes(field) ||
    headIgnoreFields.some((ignored) => field === ignored || field.startsWith(`${ignored}.`));
  const detail =
    'is not a column of the latest snapshot; if the origin sends it now, send `startOver: true` as well';
  const errors = keyFields.flatMap((field, index) =>
    mayBeThere(field) ? [] : [{ pointer: `/keyFields/${index}`, code: 'unknown_column', detail }],
  );
  const [first] = errors;
  if (first !== undefined) {
    throw new ApiError('validation_failed', `${first.pointer} ${detail}.`, { errors });
  }
}
