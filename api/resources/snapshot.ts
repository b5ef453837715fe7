// Snapshots and their rows as answers show them.
import { type Static, Type } from 'typebox';
import type { SnapshotRow, StoredRow } from '../../db/snapshots.ts';
import { rawJson, rowDataSchema } from '../json.ts';
import { time } from './shapes.ts';

export const snapshotSchema = Type.Object({
  id: Type.String(),
  sequence: Type.Integer(),
  createdAt: time,
  totalRows: Type.Integer(),
  columns: Type.Array(Type.String()),
  bytes: Type.Integer(),
  contentHash: Type.String(),
});

export const snapshotRowSchema = Type.Object({ key: Type.String(), data: rowDataSchema });

export function presentSnapshot(snapshot: SnapshotRow): Static<typeof snapshotSchema> {
  const { id, sequence, createdAt, totalRows, columns, bytes, contentHash } = snapshot;
  return { id, sequence, createdAt: createdAt.toISOString(), totalRows, columns, bytes, contentHash };
}

export function presentSnapshotRow({ key, data }: StoredRow): Static<typeof snapshotRowSchema> {
  return { key, data: rawJson(data) };
}
