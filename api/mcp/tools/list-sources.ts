// list_sources
import type { TObject } from 'typebox';
import { listRecords } from '../../operations/records.ts';
import { defineTool, READS } from '../tool.ts';
import { page } from '../tool-fields.ts';

export const listSources = defineTool({
  name: 'list_sources',
  title: 'List sources',
  description:
    'The sources (watched records) that this credential reaches, newest first: id, slug, URL, when each was last checked and what that came to. Use it to find the source to ask about. For one source with its recent checks: get_source.',
  hints: READS,
  over: [listRecords],
  isOfSource: false,
  input: page({ fallback: 20, max: 100 }),
  output: listRecords.output as TObject,
  items: 'sources',
  run: (ctx, { limit = 20, ...rest }) => listRecords.run(ctx, { limit: Math.min(limit, 100), ...rest }),
});
