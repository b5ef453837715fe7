// Decides conditions of webhooks about stored events: of a check that is being committed, and of past ones. An event gives the
// same answers at any time, because its rows do not change.
import { type Condition, type EventCounts, readCondition } from '../../core/conditions/condition.ts';
import { beginDecision, type ConditionOutcome } from '../../core/conditions/decision.ts';
import { RowValues } from '../../core/conditions/row-values.ts';
import type { Database, Knex } from '../driver/knex.ts';
import { preparedRows } from '../driver/prepared.ts';
import { type PageRequest } from '../page.ts';
import { type DeltaRow, type EventRef, listDeltaRows, listDeltaRowsWithin } from '../rows/delta-rows.ts';
import type { DueDelivery } from './deliveries.ts';

/** What is read of an event, at most. */
export const READ_LIMITS = { rows: 20_000, bytes: 8 * 1024 * 1024 } as const;
const PAGE_ROWS = 500;

/** An event with changes. */
export interface AskedEvent extends EventCounts {
  id: string;
  recordId: string;
  recordNo: number;
}

/** SQL of the columns of an AskedEvent. Refers to `delta_events` and `record_heads`. */
export const ASKED_EVENT = `delta_events.id, delta_events.record_id as "recordId", record_heads.record_no as "recordNo",
  new_count as "newCount", changed_count as "changedCount", deleted_count as "deletedCount",
  unchanged_count as "unchangedCount", delta_events.total_count as "totalCount"`;

/** What several events may have read together. */
export interface RowBudget {
  rows: number;
  /** Of their data. */
  bytes: number;
}

/**
 * Decides conditions about one event. Reads its rows by key as far as one of them depends on them, and no further than
 * READ_LIMITS and the budget.
 */
export async function decideEvent(
  db: Database,
  event: AskedEvent,
  conditions: readonly Condition[],
  budget: RowBudget = { rows: Infinity, bytes: Infinity },
): Promise<ConditionOutcome[]> {
  const { id, recordId, recordNo } = event;
  const count = event.newCount + event.changedCount + event.deletedCount;
  const decisions = conditions.map((condition) => beginDecision(condition, event));
  let read = 0;
  let leftBytes: number = READ_LIMITS.bytes;
  let after: string | null = null;
  for (;;) {
    const outcomes = decisions.map(({ outcome }) => outcome(read === count));
    const leftRows = Math.min(READ_LIMITS.rows - read, budget.rows);
    if (!outcomes.includes('undecided') || leftRows <= 0 || Math.min(leftBytes, budget.bytes) <= 0)
      return outcomes;
    const page: PageRequest<string> = { after, limit: Math.min(PAGE_ROWS, leftRows) };
    const found = await readPage(db, { id, recordId, recordNo }, page);
    const rows = found?.slice(0, page.limit).filter(({ fits }) => fits) ?? [];
    // Deleted by retention meanwhile.
    if (rows.length === 0) return outcomes;
    for (const row of rows) {
      const values = new RowValues(row);
      for (const { add } of decisions) add(values);
      const sizeBytes = (row.before?.length ?? 0) + (row.after?.length ?? 0);
      leftBytes -= sizeBytes;
      budget.bytes -= sizeBytes;
    }
    read += rows.length;
    budget.rows -= rows.length;
    after = rows.at(-1)?.key ?? null;
  }
}

/** Within a transaction, such as a commit, one connection reads the rows of many events. */
const readPage = (db: Database, ref: EventRef, page: PageRequest<string>): Promise<DeltaRow[] | undefined> =>
  isTransaction(db) ? listDeltaRowsWithin(db, ref, page) : listDeltaRows(db, ref, page);

const isTransaction = (db: Database): db is Knex.Transaction => db.isTransaction === true;

/** A stored condition. Undefined for one that this version cannot read: a later version has stored it. */
export function storedCondition(stored: unknown): Condition | undefined {
  const read = readCondition(stored, { isStored: true });
  return 'condition' in read ? read.condition : undefined;
}

/**
 * Deletes the new deliveries whose webhook's condition excludes the event, and marks those whose condition the event does not
 * decide. They were inserted in this transaction as met.
 * @param deliveries of one check
 * @returns the deliveries that remain
 */
export async function keepWanted(
  trx: Knex.Transaction,
  deliveries: readonly DueDelivery[],
): Promise<DueDelivery[]> {
  const outcomes = await outcomesOf(
    trx,
    deliveries.filter(({ conditionOutcome }) => conditionOutcome !== null),
  );
  const idsThat = (wanted: ConditionOutcome): string[] =>
    [...outcomes].filter(([, outcome]) => outcome === wanted).map(([id]) => id);
  const [unmet, undecided] = [idsThat('unmet'), idsThat('undecided')];
  if (unmet.length > 0) await trx('deliveries').whereIn('id', unmet).delete();
  if (undecided.length > 0) {
    await trx('deliveries').whereIn('id', undecided).update({ conditionOutcome: 'undecided' });
  }
  return deliveries.flatMap((delivery) => {
    const outcome = outcomes.get(delivery.id);
    if (outcome === undefined) return [delivery];
    return outcome === 'unmet' ? [] : [{ ...delivery, conditionOutcome: outcome }];
  });
}

const STORED = `
  select ${ASKED_EVENT}, deliveries.id as "deliveryId", webhooks.condition
  from delta_events join record_heads on record_heads.record_id = delta_events.record_id
  join deliveries on deliveries.id = any($2::text[]) join webhooks on webhooks.id = deliveries.webhook_id
  where delta_events.id = $1`;

async function outcomesOf(
  trx: Knex.Transaction,
  asking: readonly DueDelivery[],
): Promise<Map<string, ConditionOutcome>> {
  const [first] = asking;
  if (first === undefined) return new Map();
  const stored = await preparedRows<AskedEvent & { deliveryId: string; condition: unknown }>(trx, STORED, [
    first.deltaEventId,
    asking.map(({ id }) => id),
  ]);
  const [event] = stored;
  const known = stored.flatMap(({ deliveryId, condition: text }) => {
    const condition = storedCondition(text);
    return condition === undefined ? [] : [{ id: deliveryId, condition }];
  });
  if (event === undefined) throw new Error('The event of a delivery is missing');
  const outcomes = await decideEvent(
    trx,
    event,
    known.map(({ condition }) => condition),
  );
  const byId = new Map<string, ConditionOutcome>(asking.map(({ id }) => [id, 'undecided']));
  for (const [index, { id }] of known.entries()) byId.set(id, outcomes[index] ?? 'undecided');
  return byId;
}
