// get_source
import { type Static, Type } from 'typebox';
import { listRecordChecks } from '../../operations/records/checks.ts';
import { getOneRecord } from '../../operations/records/records.ts';
import { checkSchema } from '../../resources/check.ts';
import { recordSchema } from '../../resources/record.ts';
import { defineTool, READS } from './tool.ts';

const RECENT_CHECKS = 5;

export const getSource = defineTool({
  name: 'get_source',
  title: 'Get a source and its health',
  description:
    'Settings of a source, how its key was found, when it is checked next, and its last five checks with what each came to (changed, unchanged, held or failed, and why). Use it to see whether a source can be relied on. For what changed: summarize_changes.',
  hints: READS,
  over: [getOneRecord, listRecordChecks],
  input: {},
  output: Type.Object({ source: recordSchema, recentChecks: Type.Array(checkSchema) }),
  run: async (ctx) => {
    const [source, listed] = await Promise.all([
      getOneRecord.run(ctx, {}),
      listRecordChecks.run(ctx, { limit: RECENT_CHECKS }),
    ]);
    // As the operation's output has it.
    const { checks } = listed as { checks: Static<typeof checkSchema>[] };
    return { source, recentChecks: checks };
  },
});
