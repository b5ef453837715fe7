// list_sources
import { listRecords } from '../../operations/records/list-records.ts';
import { answerOf, defineTool, READS } from './tool.ts';
import { limitOf, page } from './tool-fields.ts';

const LIMITS = { fallback: 20, max: 100 } as const;

export const listSources = defineTool({
  name: 'list_sources',
  title: 'List sources',
  description:
    'The sources (watched records) that this credential reaches, newest first: id, slug, URL, when each was last checked and what that came to. For one source with its recent checks: get_source.',
  hints: READS,
  over: [listRecords],
  isOfSource: false,
  input: page(LIMITS),
  output: answerOf(listRecords),
  items: 'sources',
  run: (ctx, { limit, ...rest }) => listRecords.run(ctx, { limit: limitOf(LIMITS, limit), ...rest }),
});
