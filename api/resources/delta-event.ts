// Delta events and their rows in responses.
import { type Static, Type } from 'typebox';
import type { ChangedFields } from '../../core/delta/canonical-row.ts';
import { changedFields } from '../../core/delta/keys/keyed-row.ts';
import { type Pairing, PAIRINGS } from '../../core/delta/pair-similar.ts';
import {
  type ChangedColumn,
  changedColumnsOf,
  type PreviousKeys,
  previousKeysOf,
} from '../../core/delivery-payload.ts';
import type { DeltaEventRow } from '../../db/rows/delta-events.ts';
import { CHANGE_TYPES, type DeltaRow } from '../../db/rows/delta-rows.ts';
import { rawJson, rowDataSchema } from '../http/json.ts';
import { firstRowSchema } from './first-row.ts';
import { nullable, time } from './shapes.ts';

const counts = {
  newCount: Type.Integer(),
  changedCount: Type.Integer(),
  deletedCount: Type.Integer(),
  unchangedCount: Type.Integer(),
  totalCount: Type.Integer({ description: 'Rows in the snapshot: new, changed and unchanged.' }),
};

const rowKeys = (which: string) =>
  Type.Array(Type.String(), {
    description: `Keys of ${which} rows: 100, or \`keysLimit\`.`,
  });

export const countsSchema = Type.Object(counts, { title: 'Counts' });

export const schemaChangeSchema = Type.Object(
  {
    added: Type.Array(Type.String(), { description: 'Columns that were not there before.' }),
    removed: Type.Array(Type.String(), { description: 'Columns that are no longer there.' }),
    renamed: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }, { title: 'RenamedColumn' }), {
      description:
        'Columns with another name and the same value in every row; they are not in `added` or `removed`.',
    }),
    schemaOnlyCount: Type.Optional(Type.Integer({ description: 'Rows that changed for no other reason.' })),
  },
  { title: 'SchemaChange' },
);

/** Beside lists of keys, also those of webhooks and feeds. */
export const previousKeysField = Type.Record(Type.String(), Type.String(), {
  description:
    'Of the keys in `changedKeys` those of rows that were paired by similarity, each with the key of the row before. Only where ' +
    'there are such pairs.',
});

/** The member of a response, if there are pairs. */
export const presentPreviousKeys = ({
  previousKeys,
  changedKeys,
}: {
  previousKeys: PreviousKeys | null;
  changedKeys: readonly string[];
}): { previousKeys?: Record<string, string> } =>
  previousKeys === null ? {} : { previousKeys: previousKeysOf(previousKeys, changedKeys) };

export const changedColumnsField = Type.Array(
  Type.Object({ field: Type.String(), rows: Type.Integer() }, { title: 'ChangedColumn' }),
  {
    description:
      'Columns in which changed rows differ, most rows first; null for an event of an older version.',
  },
);

/** An event without changes has none. */
export const presentChangedColumns = (event: {
  isNoChange?: boolean;
  changedCount: number;
  changedColumns: readonly ChangedColumn[] | null;
}): ChangedColumn[] | null =>
  event.isNoChange === true ? [] : (changedColumnsOf(event)?.map((column) => ({ ...column })) ?? null);

export const deltaEventSchema = Type.Object(
  {
    id: Type.String(),
    sourceId: Type.String(),
    number: Type.Integer({ description: 'Counts the recorded checks of the record, from 1.' }),
    snapshotId: Type.String({ description: 'The version of the data after it.' }),
    previousSnapshotId: nullable(Type.String({ description: 'The version before it; null for the first.' })),
    detectedAt: time,
    isNoChange: Type.Boolean({ description: 'Nothing changed. Also true of the first event, the baseline.' }),
    ...counts,
    summary: countsSchema,
    newKeys: rowKeys('new'),
    changedKeys: rowKeys('changed'),
    deletedKeys: rowKeys('deleted'),
    previousKeys: Type.Optional(previousKeysField),
    changedColumns: nullable(changedColumnsField),
    schemaChange: nullable(schemaChangeSchema),
    rekeyed: Type.Boolean({ description: 'The data was read again with other key or ignored fields.' }),
    firstRows: Type.Optional(
      Type.Array(firstRowSchema, {
        description: 'Only with the parameter `firstRows`. The event’s counts say how many rows there are.',
      }),
    ),
  },
  { title: 'DeltaEvent' },
);

/** Members that only changed rows of records with `pairing` have. */
const pairedRow = {
  pairedBy: Type.Optional(
    Type.Enum([...PAIRINGS], {
      description: 'Of a changed row without a key: a deleted and a new row that are alike.',
    }),
  ),
  previousKey: Type.Optional(Type.String({ description: 'Its key before; `key` is the new one.' })),
};

const presentPair = (previousKey: string | null): { pairedBy?: Pairing; previousKey?: string } =>
  previousKey === null ? {} : { pairedBy: 'similarity', previousKey };

export const deltaRowSchema = Type.Object(
  {
    key: Type.String(),
    changeType: Type.Enum([...CHANGE_TYPES]),
    before: nullable(rowDataSchema),
    after: nullable(rowDataSchema),
    changedFields: Type.Array(Type.String(), { description: 'For a changed row; empty for the others.' }),
    ...pairedRow,
  },
  { title: 'DeltaRow' },
);

export function presentDeltaEvent(event: DeltaEventRow): Static<typeof deltaEventSchema> {
  const { newCount, changedCount, deletedCount, unchangedCount, totalCount } = event;
  const summary = { newCount, changedCount, deletedCount, unchangedCount, totalCount };
  return {
    id: event.id,
    sourceId: event.recordId,
    number: event.number,
    snapshotId: event.snapshotId,
    previousSnapshotId: event.previousSnapshotId,
    detectedAt: event.detectedAt.toISOString(),
    isNoChange: event.isNoChange,
    ...summary,
    summary,
    newKeys: event.newKeys,
    changedKeys: event.changedKeys,
    deletedKeys: event.deletedKeys,
    ...presentPreviousKeys(event),
    changedColumns: presentChangedColumns(event),
    // The commit of a check writes it in this shape.
    schemaChange: event.schemaChange as Static<typeof schemaChangeSchema> | null,
    rekeyed: event.rekeyed,
  };
}

/** @param fieldsOf for versions that need not follow each other, under their rules */
export function presentDeltaRow(
  row: DeltaRow,
  fieldsOf: ChangedFields = changedFields,
): Static<typeof deltaRowSchema> {
  const { key, changeType, previousKey, before, after } = row;
  return {
    key,
    changeType,
    before: before === null ? null : rawJson(before),
    after: after === null ? null : rawJson(after),
    changedFields: before === null || after === null ? [] : fieldsOf(before, after),
    ...presentPair(previousKey),
  };
}
