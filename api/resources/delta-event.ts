// Delta events and their rows as answers show them.
import { type Static, Type } from 'typebox';
import { changedFields } from '../../core/delta/row-json.ts';
import type { DeltaEventRow, DeltaRow } from '../../db/delta-events.ts';
import { rawJson, rowDataSchema } from '../json.ts';
import { nullable, time } from './shapes.ts';

const counts = {
  newCount: Type.Integer(),
  changedCount: Type.Integer(),
  deletedCount: Type.Integer(),
  unchangedCount: Type.Integer(),
  totalCount: Type.Integer(),
};

const schemaChange = Type.Object({
  added: Type.Array(Type.String()),
  removed: Type.Array(Type.String()),
  schemaOnlyCount: Type.Optional(Type.Integer()),
});

export const deltaEventSchema = Type.Object({
  id: Type.String(),
  sourceId: Type.String(),
  number: Type.Integer(),
  snapshotId: Type.String(),
  previousSnapshotId: nullable(Type.String()),
  detectedAt: time,
  isNoChange: Type.Boolean(),
  ...counts,
  summary: Type.Object(counts),
  newKeys: Type.Array(Type.String()),
  changedKeys: Type.Array(Type.String()),
  deletedKeys: Type.Array(Type.String()),
  schemaChange: nullable(schemaChange),
  rekeyed: Type.Boolean(),
});

export const deltaRowSchema = Type.Object({
  key: Type.String(),
  changeType: Type.Enum(['new', 'changed', 'deleted']),
  before: nullable(rowDataSchema),
  after: nullable(rowDataSchema),
  changedFields: Type.Array(Type.String(), { description: 'Of a changed row; empty for the others.' }),
});

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
    // Written by the commit of a check in this shape.
    schemaChange: event.schemaChange as Static<typeof schemaChange> | null,
    rekeyed: event.rekeyed,
  };
}

export function presentDeltaRow({ key, changeType, before, after }: DeltaRow): Static<typeof deltaRowSchema> {
  return {
    key,
    changeType,
    before: before === null ? null : rawJson(before),
    after: after === null ? null : rawJson(after),
    changedFields: before === null || after === null ? [] : changedFields(before, after),
  };
}
