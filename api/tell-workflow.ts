// Telling a record's workflow what was just committed. Postgres holds the truth: a message that is lost costs time,
// not correctness, because reconciling finds what is overdue.
import type { Services } from './context.ts';
import type { RecordNews } from './workflows.ts';

/** Never fails: the change is committed, so the caller's request has succeeded. */
export async function tellWorkflow(
  ctx: Pick<Services, 'temporal' | 'log'>,
  recordId: string,
  news: RecordNews | 'created',
): Promise<void> {
  try {
    if (news === 'created') await ctx.temporal.startWatching(recordId);
    else await ctx.temporal.tell(recordId, news);
  } catch (error) {
    ctx.log.error({ err: error, recordId, news }, 'the workflow could not be told; reconciling will');
  }
}
