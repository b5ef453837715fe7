// compare_snapshots
import { Type } from 'typebox';
import { compareTwoSnapshots, listCompareRows } from '../../operations/changes/compare.ts';
import { recordEnvelope } from '../../input/page.ts';
import { comparisonSchema } from '../../resources/comparison.ts';
import { deltaRowSchema } from '../../resources/delta-event.ts';
import { defineTool, READS_ROWS } from './tool.ts';
import { changeType, limitOf, page, requiredSnapshotField, snapshotField } from './tool-fields.ts';

const LIMITS = { fallback: 20, max: 200 } as const;
const FEW_KEYS = 10;

const { sourceId: _sourceId, ...envelope } = recordEnvelope;

export const compareSnapshots = defineTool({
  name: 'compare_snapshots',
  title: 'Compare two snapshots',
  description:
    'What differs between any two snapshots of a source: counts, and the rows by key, before and after. Rows that changed in between and changed back do not differ. from is the version before, to the one after.',
  hints: READS_ROWS,
  over: [compareTwoSnapshots, listCompareRows],
  input: { from: requiredSnapshotField, to: snapshotField, changeType, ...page(LIMITS) },
  output: Type.Object({
    comparison: comparisonSchema,
    rows: Type.Array(deltaRowSchema),
    ...envelope,
  }),
  items: 'rows',
  run: async (ctx, { from, to = 'latest', limit, ...rest }) => {
    const comparison = await compareTwoSnapshots.run(ctx, { from, to, keysLimit: FEW_KEYS });
    const query = { from, to, limit: limitOf(LIMITS, limit), ...rest };
    // The operation's output: an object of which the record is known already.
    const { sourceId: _known, ...rows } = (await listCompareRows.run(ctx, query)) as { sourceId: string };
    return { comparison, ...rows };
  },
});
