// Entries of a row's history as answers show them.
import { type Static, Type } from 'typebox';
import type { RowHistoryEntry } from '../../db/rows/row-history.ts';
import { deltaRowSchema, presentDeltaRow } from './delta-event.ts';
import { time } from './shapes.ts';

export const rowHistoryEntrySchema = Type.Object(
  {
    snapshotId: Type.String({ description: 'The version of the data that it came with.' }),
    deltaEventId: Type.String(),
    detectedAt: time,
    ...deltaRowSchema.properties,
  },
  { title: 'RowHistoryEntry' },
);

export function presentRowHistoryEntry(entry: RowHistoryEntry): Static<typeof rowHistoryEntrySchema> {
  const { snapshotId, deltaEventId, detectedAt } = entry;
  return { snapshotId, deltaEventId, detectedAt: detectedAt.toISOString(), ...presentDeltaRow(entry) };
}
