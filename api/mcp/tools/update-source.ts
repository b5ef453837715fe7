// update_source
import { Type } from 'typebox';
import type { Context } from '../../contract/context.ts';
import { readRecord } from '../../access/get-record.ts';
import { patchRecord } from '../../operations/records/patch-record.ts';
import { pauseRecord, resumeRecord } from '../../operations/records/records.ts';
import { answerOf, defineTool, WRITES } from './tool.ts';
import { withoutSecrets } from './without-secrets.ts';

const status = Type.Optional(
  Type.Enum(['active', 'paused'], {
    description: 'paused: no checks until it is active again, which checks at once.',
  }),
);

export const updateSource = defineTool({
  name: 'update_source',
  title: 'Change, pause or resume a source',
  description:
    'Changes the given settings only. status pauses and resumes checks. To check now: check_source.',
  hints: { ...WRITES, idempotentHint: true },
  over: [patchRecord, pauseRecord, resumeRecord],
  input: { ...withoutSecrets(patchRecord.body?.properties ?? {}), status },
  output: answerOf(patchRecord),
  run: async (ctx, { status: wanted, ...settings }) => {
    const hasSettings = Object.keys(settings).length > 0;
    const updated = hasSettings ? await patchRecord.run(ctx, settings) : undefined;
    if (wanted === undefined && updated !== undefined) return updated;
    const now = hasSettings ? await again(ctx) : ctx;
    if (wanted === undefined) return patchRecord.run(now, {});
    return (wanted === 'paused' ? pauseRecord : resumeRecord).run(now, {});
  },
});

/** The record as it is by now. */
async function again(ctx: Context): Promise<Context> {
  return ctx.record === null ? ctx : { ...ctx, record: await readRecord(ctx, ctx.record.id) };
}
