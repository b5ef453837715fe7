// Telling the workflows of deliveries that were just written. Postgres holds the truth: a message that is lost costs time,
// not correctness, because reconciling finds what is overdue.
import type { Services } from './context.ts';

/** Never fails: the change is committed, so the caller's request has succeeded. */
export async function tellDeliveries(
  ctx: Pick<Services, 'temporal' | 'log'>,
  what: { deliveryId: string } | { backlogOf: string },
): Promise<void> {
  try {
    if ('deliveryId' in what) await ctx.temporal.attemptNow(what.deliveryId);
    else await ctx.temporal.sendBacklog(what.backlogOf);
  } catch (error) {
    ctx.log.error({ err: error, ...what }, 'the workflow could not be told; reconciling will');
  }
}
