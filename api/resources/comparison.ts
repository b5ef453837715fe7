// The differences between two snapshots, in responses.
import { type Static, Type } from 'typebox';
import type { DeltaCounts } from '../../db/rows/delta-rows.ts';
import type { ComparedKeys } from '../../db/rows/compare-snapshots.ts';
import type { OpenSnapshot } from '../access/find-named.ts';
import { deltaEventSchema, presentPreviousKeys } from './delta-event.ts';
import { nullable } from './shapes.ts';

const { newCount, changedCount, deletedCount, unchangedCount, totalCount, summary } =
  deltaEventSchema.properties;
const { newKeys, changedKeys, deletedKeys, previousKeys } = deltaEventSchema.properties;

export const comparisonSchema = Type.Object(
  {
    sourceId: Type.String(),
    fromSnapshotId: Type.String(),
    toSnapshotId: Type.String(),
    isNoChange: Type.Boolean({ description: 'The two have the same rows.' }),
    newCount,
    changedCount,
    deletedCount,
    unchangedCount,
    totalCount,
    summary,
    newKeys,
    changedKeys,
    deletedKeys,
    previousKeys,
    schemaChange: nullable(
      Type.Object(
        {
          added: Type.Array(Type.String(), { description: 'Columns that only the second has.' }),
          removed: Type.Array(Type.String(), { description: 'Columns that only the first has.' }),
        },
        { title: 'ComparedColumns' },
      ),
    ),
  },
  { title: 'Comparison' },
);

export function presentComparison(
  sourceId: string,
  from: OpenSnapshot,
  to: OpenSnapshot,
  { counts, keys }: { counts: DeltaCounts; keys: ComparedKeys },
): Static<typeof comparisonSchema> {
  const flat = {
    newCount: counts.new,
    changedCount: counts.changed,
    deletedCount: counts.deleted,
    unchangedCount: to.totalRows - counts.new - counts.changed,
    totalCount: to.totalRows,
  };
  return {
    sourceId,
    fromSnapshotId: from.id,
    toSnapshotId: to.id,
    isNoChange: counts.new + counts.changed + counts.deleted === 0,
    ...flat,
    summary: flat,
    newKeys: keys.newKeys,
    changedKeys: keys.changedKeys,
    deletedKeys: keys.deletedKeys,
    ...presentPreviousKeys(keys),
    schemaChange: comparedColumns(from.columns, to.columns),
  };
}

function comparedColumns(from: readonly string[], to: readonly string[]) {
  const [old, now] = [new Set(from), new Set(to)];
  const added = to.filter((column) => !old.has(column));
  const removed = from.filter((column) => !now.has(column));
  return added.length + removed.length === 0 ? null : { added, removed };
}
