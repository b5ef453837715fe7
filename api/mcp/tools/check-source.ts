// check_source
import { checkRecord } from '../../operations/records/checks.ts';
import { answerOf, defineTool, WRITES } from './tool.ts';
import { waitField, waitMs } from './tool-fields.ts';

export const checkSource = defineTool({
  name: 'check_source',
  title: 'Check a source now',
  description:
    'Fetches the source now, in place of waiting for its schedule, and waits for what that came to. outcome null: not done yet; get_source tells later. When it is changed, deltaEventId is the event for get_delta_rows.',
  hints: { ...WRITES, idempotentHint: false, openWorldHint: true },
  over: [checkRecord],
  input: { waitSeconds: waitField },
  output: answerOf(checkRecord),
  run: (ctx, { waitSeconds }) => checkRecord.run({ ...ctx, waitMs: waitMs(waitSeconds) }, {}),
});
