// get_download_link
import { Type } from 'typebox';
import { createDownloadLink } from '../../operations/snapshots/download-links.ts';
import { kindFields } from '../../operations/snapshots/downloads.ts';
import { filterField, searchField } from './row-fields.ts';
import { answerOf, defineTool, READS } from './tool.ts';
import { snapshotField } from './tool-fields.ts';

export const getDownloadLink = defineTool({
  name: 'get_download_link',
  title: 'Get a link to a file',
  description:
    'A link to the rows of a snapshot as a CSV or JSON Lines file: all, or those that search and filter leave. It works for 15 minutes for whoever has it, without a credential. Use it for more rows than fit in an answer.',
  hints: READS,
  over: [createDownloadLink],
  input: {
    snapshotId: snapshotField,
    search: searchField,
    searchColumns: Type.Optional(
      Type.Array(Type.String(), { maxItems: 20, description: 'With search: only in these columns.' }),
    ),
    filter: filterField,
    ...kindFields,
  },
  output: answerOf(createDownloadLink),
  run: (ctx, { snapshotId = 'latest', searchColumns, ...rest }) =>
    createDownloadLink.run(ctx, {
      snapshotId,
      ...(searchColumns === undefined ? {} : { field: searchColumns }),
      ...rest,
    }),
});
