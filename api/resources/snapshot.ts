// Snapshots and their rows in responses.
import { type Static, Type } from 'typebox';
import type { SnapshotRow, StoredRow } from '../../db/rows/snapshots.ts';
import { rawJson, rowDataSchema } from '../http/json.ts';
import { time } from './shapes.ts';

export const snapshotSchema = Type.Object(
  {
    id: Type.String(),
    sequence: Type.Integer({ description: 'Counts the versions of the data, from 1.' }),
    createdAt: time,
    totalRows: Type.Integer(),
    columns: Type.Array(Type.String(), {
      description: 'In the order of the origin, without the ignored ones.',
    }),
    bytes: Type.Integer(),
    contentHash: Type.String({ description: 'SHA-256 of the body, in hex.' }),
  },
  { title: 'Snapshot' },
);

export const snapshotRowSchema = Type.Object(
  { key: Type.String(), data: rowDataSchema },
  { title: 'SnapshotRow' },
);

export function presentSnapshot(snapshot: SnapshotRow): Static<typeof snapshotSchema> {
  const { id, sequence, createdAt, totalRows, columns, bytes, contentHash } = snapshot;
  return { id, sequence, createdAt: createdAt.toISOString(), totalRows, columns, bytes, contentHash };
}

export function presentSnapshotRow({ key, data }: StoredRow): Static<typeof snapshotRowSchema> {
  return { key, data: rawJson(data) };
}
