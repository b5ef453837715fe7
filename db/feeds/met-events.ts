// Decides a condition about the events of a page of a feed.
import type { Condition } from '../../core/conditions/condition.ts';
import { beginDecision, type ConditionOutcome } from '../../core/conditions/decision.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import {
  ASKED_EVENT,
  type AskedEvent,
  decideEvent,
  READ_LIMITS,
  type RowBudget,
} from '../webhooks/event-conditions.ts';
import type { DeltaData, FeedEventRow } from './feed-events.ts';

/** What a condition needs to know of an event. */
type DecidedEvent = Pick<FeedEventRow, 'deltaEventId' | 'data'>;

/**
 * Decides events in page order until the budget of rows and bytes is used up. The event that would exceed it starts the next
 * page.
 * @param limits of what is read
 * @returns the outcomes of the first events, of one at least; null for an event that is no delta, which every condition lets pass
 */
export async function decideFeedEvents(
  db: Database,
  events: readonly DecidedEvent[],
  condition: Condition,
  limits: RowBudget = READ_LIMITS,
): Promise<(ConditionOutcome | null)[]> {
  const stored = await findEvents(db, events);
  const budget: RowBudget = { ...limits };
  const outcomes: (ConditionOutcome | null)[] = [];
  for (const { deltaEventId, data } of events) {
    const event = deltaEventId === null ? undefined : stored.get(deltaEventId);
    if (deltaEventId === null) outcomes.push(null);
    // Retention has deleted its rows. The feed still has the counts.
    else if (event === undefined) outcomes.push(beginDecision(condition, data as DeltaData).outcome(false));
    else {
      const isFresh = budget.rows === limits.rows;
      const [outcome = 'undecided'] = await decideEvent(db, event, [condition], budget);
      const isSpent = budget.rows <= 0 || budget.bytes <= 0;
      if (outcome === 'undecided' && isSpent && !isFresh) return outcomes;
      outcomes.push(outcome);
    }
  }
  return outcomes;
}

/** The delta events that are still stored, by their ids. */
async function findEvents(db: Database, events: readonly DecidedEvent[]): Promise<Map<string, AskedEvent>> {
  const ids = events.flatMap(({ deltaEventId }) => deltaEventId ?? []);
  if (ids.length === 0) return new Map();
  const found = await rawRows<AskedEvent>(
    db,
    `select ${ASKED_EVENT} from delta_events join record_heads on record_heads.record_id = delta_events.record_id
     where delta_events.id = any(?::text[])`,
    [ids],
  );
  return new Map(found.map((event) => [event.id, event]));
}
