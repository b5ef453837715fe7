// create_source
import { createRecord } from '../../operations/records/create-record.ts';
import { newRecordBody, rowFields } from '../../records/record-body.ts';
import { answerOf, defineTool, WRITES } from './tool.ts';
import { waitField, waitMs } from './tool-fields.ts';
import { withoutSecrets } from './without-secrets.ts';

export const createSource = defineTool({
  name: 'create_source',
  title: 'Watch a new source',
  description:
    'Starts watching the data behind a public URL (CSV, TSV, JSONL or JSON) and waits for the first check. Format and key are detected unless given. Never give credentials here: create the source, then set them over the REST API (PATCH /v1/sources/{id}).',
  hints: { ...WRITES, idempotentHint: false, openWorldHint: true },
  over: [createRecord],
  isOfSource: false,
  // A model leaves out what it does not know: null would only make the list of tools longer.
  input: { ...withoutSecrets(newRecordBody), ...rowFields, waitSeconds: waitField },
  output: answerOf(createRecord),
  run: (ctx, { waitSeconds, ...body }) => createRecord.run({ ...ctx, waitMs: waitMs(waitSeconds) }, body),
});
