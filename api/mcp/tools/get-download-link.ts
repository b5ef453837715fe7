// get_download_link
import { createDownloadLink } from '../../operations/download-links.ts';
import { kindFields } from '../../operations/downloads.ts';
import { answerOf, defineTool, READS } from '../tool.ts';
import { snapshotField } from '../tool-fields.ts';

export const getDownloadLink = defineTool({
  name: 'get_download_link',
  title: 'Get a link to a file',
  description:
    'A link to all rows of a snapshot as a CSV or JSON Lines file. It works for 15 minutes for whoever has it, without a credential. Use it for more rows than fit in an answer.',
  hints: READS,
  over: [createDownloadLink],
  input: { snapshotId: snapshotField, ...kindFields },
  output: answerOf(createDownloadLink),
  run: (ctx, { snapshotId = 'latest', ...kind }) => createDownloadLink.run(ctx, { snapshotId, ...kind }),
});
