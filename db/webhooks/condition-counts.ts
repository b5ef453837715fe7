// Counts how often a webhook with a condition would have been called.
import type { Condition } from '../../core/conditions/condition.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { scopeSql } from '../records/records.ts';
import { ASKED_EVENT, type AskedEvent, decideEvent, type RowBudget } from './event-conditions.ts';
import { CONCERNS } from './new-deliveries.ts';
import type { SelectedRecords, WebhookSettings } from './webhooks.ts';

const MIB = 1024 * 1024;

/** What one count looks at, at most. */
export const COUNT_LIMITS = { records: 100, events: 10_000, rows: 100_000, bytes: 256 * MIB } as const;

export interface ConditionCount {
  /** Those with changes that pass the filters. */
  events: number;
  met: number;
  /** Those that are sent although the condition could not be decided. */
  undecided: number;
  /** Whether all events were looked at. */
  isWhole: boolean;
}

export interface CountedWebhook extends Pick<WebhookSettings, 'changeTypes' | 'columns' | 'minChanges'> {
  condition: Condition;
}

/** Asks a condition about the events of records since a time: record by record, the newest event of each first. */
export async function countFirings(
  db: Database,
  recordIds: readonly string[],
  webhook: CountedWebhook,
  since: Date,
): Promise<ConditionCount> {
  const count: ConditionCount = { events: 0, met: 0, undecided: 0, isWhole: true };
  const budget: RowBudget = { rows: COUNT_LIMITS.rows, bytes: COUNT_LIMITS.bytes };
  for (const recordId of recordIds.slice(0, COUNT_LIMITS.records)) {
    const limit = COUNT_LIMITS.events - count.events;
    const events = await listConcerning(db, recordId, webhook, since, limit);
    for (const event of events.slice(0, limit)) {
      const [outcome = 'undecided'] = await decideEvent(db, event, [webhook.condition], budget);
      // Another time, with rows left to read, it may be decided.
      if (outcome === 'undecided' && Math.min(budget.rows, budget.bytes) <= 0)
        return { ...count, isWhole: false };
      count.events += 1;
      if (outcome !== 'unmet') count[outcome] += 1;
    }
    if (events.length > limit) return { ...count, isWhole: false };
  }
  return { ...count, isWhole: recordIds.length <= COUNT_LIMITS.records };
}

/** The newest events of a record that the filters let pass: one more than the limit. */
function listConcerning(
  db: Database,
  recordId: string,
  { changeTypes, columns, minChanges }: CountedWebhook,
  since: Date,
  limit: number,
): Promise<AskedEvent[]> {
  return rawRows<AskedEvent>(
    db,
    `select ${ASKED_EVENT} from (
       select :changeTypes::text[] as change_types, :columns::text[] as columns, :minChanges::integer as min_changes
     ) webhooks
     join record_heads on record_heads.record_id = :recordId
     join delta_events on delta_events.record_id = record_heads.record_id
     where delta_events.detected_at > :since and not delta_events.is_no_change and ${CONCERNS}
     order by delta_events.detected_at desc limit :limit`,
    { recordId, changeTypes, columns, minChanges, since, limit: limit + 1 },
  );
}

/** The newest records of an account that a webhook of it selects: one more than a count looks at. */
export async function listSelected(
  db: Database,
  accountId: string,
  selected: SelectedRecords,
): Promise<string[]> {
  const rows = await rawRows<{ id: string }>(
    db,
    `select id from records
     where ${scopeSql(':accountId', 'null')} and (:ids::text[] is null or id = any(:ids)) and labels @> :labels::jsonb
     order by id desc limit :limit`,
    {
      accountId,
      ids: selected.selects === 'list' ? [...selected.recordIds] : null,
      labels: JSON.stringify(selected.selects === 'labels' ? selected.labels : {}),
      limit: COUNT_LIMITS.records + 1,
    },
  );
  return rows.map(({ id }) => id);
}
