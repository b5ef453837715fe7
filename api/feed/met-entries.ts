// Which of the newest events of a feed meet the condition of a reader that has no cursor.
import type { Condition } from '../../core/conditions/condition.ts';
import { ApiError } from '../../core/errors.ts';
import { allows } from '../../core/principal.ts';
import type { LatestEvent } from '../../db/feeds/feed-events.ts';
import { decideFeedEvents } from '../../db/feeds/met-events.ts';
import { readSlowly } from '../capacity/slow-reads.ts';
import type { Context } from '../contract/context.ts';
import { readConditionText } from '../input/condition-text.ts';

/**
 * The condition of a request for a document.
 * @throws ApiError insufficient_scope when it asks for rows and the credential may not read rows: each answer would tell
 *   something of them
 */
export function readEntryCondition(
  { principal }: Pick<Context, 'principal'>,
  text: string | undefined,
): Condition | null {
  const condition = readConditionText(text);
  if (condition === null || condition.quantifiers.length === 0 || allows(principal.scope, 'read'))
    return condition;
  throw new ApiError(
    'insufficient_scope',
    `A condition on rows needs the scope read; the credential has ${principal.scope}. With it, a condition may ask for counts, ` +
      'such as {">":[{"var":"deletedCount"},20]}.',
  );
}

/**
 * Leaves out the events that do not meet the condition. A document has no next page, so the events for which too many rows
 * would have to be read are undecided, and stay.
 * @param events newest first
 */
export async function keepMetEntries(
  ctx: Pick<Context, 'db' | 'heavyDb' | 'capacity' | 'principal'>,
  events: readonly LatestEvent[],
  condition: Condition | null,
): Promise<(LatestEvent & { isUndecided: boolean })[]> {
  const outcomes =
    condition === null || events.length === 0
      ? events.map(() => null)
      : await readSlowly(ctx, (db) => decideFeedEvents(db, events, condition));
  return events.flatMap((event, index) => {
    const isOpen = index >= outcomes.length && event.deltaEventId !== null;
    const outcome = isOpen ? 'undecided' : outcomes[index];
    return outcome === 'unmet' ? [] : [{ ...event, isUndecided: outcome === 'undecided' }];
  });
}
