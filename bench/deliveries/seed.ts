// A record with webhooks made by the API, and events with their deliveries as a commit leaves them.
import { randomUUID } from 'node:crypto';
import { makeId } from '../../core/ids.ts';
import { insertRecord } from '../../db/records/records.ts';
import { rawRows } from '../../db/driver/knex.ts';
import type { System } from '../system.ts';

export interface SeededRecord {
  recordId: string;
  webhooks: { id: string; secret: string }[];
}

/** A paused record, so that nothing but its deliveries is at work. */
export async function seedRecord(
  { db, dev, api }: System,
  receiverUrl: string,
  webhooks: number,
): Promise<SeededRecord> {
  const recordId = makeId('record', Date.now(), randomUUID());
  await insertRecord(db, {
    id: recordId,
    accountId: dev.accountId,
    slug: recordId.replace('_', '-'),
    name: 'Deliveries',
    url: 'http://127.0.0.1:1/',
    tier: 'max',
    format: null,
    delimiter: null,
    rowsPath: null,
    keyFields: ['id'],
    ignoreFields: [],
    checkIntervalSeconds: 3_600,
  });
  await db('records').where({ id: recordId }).update({ status: 'paused' });
  const made: SeededRecord['webhooks'] = [];
  for (let index = 0; index < webhooks; index += 1) {
    const path = `/v1/sources/${recordId}/webhooks`;
    const { id, secret } = await api.call('POST', path, { url: `${receiverUrl}/${index}` });
    made.push({ id: String(id), secret: String(secret) });
  }
  return { recordId, webhooks: made };
}

/** The first number that the next events of a record may have. */
const nextNumbers = new Map<string, number>();

/**
 * Events with ten changed rows, each with a delivery to each of the record's webhooks, in one commit.
 * @returns their checks
 */
export async function seedEvents({ db }: System, recordId: string, count: number): Promise<string[]> {
  const first = nextNumbers.get(recordId) ?? 1;
  nextNumbers.set(recordId, first + count);
  const rows = await rawRows<{ id: string }>(
    db,
    `with numbers as (
       select number, 'chk_' || replace(uuidv7()::text, '-', '') as check_id,
         'evt_' || replace(uuidv7()::text, '-', '') as event_id
       from generate_series(:first::integer, :last::integer) number
     ), made_checks as (
       insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome)
       select check_id, :recordId, number, 'schedule', now(), clock_timestamp(), 'changed' from numbers
     ), events as (
       insert into delta_events (id, record_id, number, check_id, snapshot_id, generation, sequence, detected_at,
         is_no_change, changed_count, unchanged_count, total_count, changed_keys)
       select event_id, :recordId, number, check_id, 'snap_bench', 1, number,
         date_trunc('milliseconds', clock_timestamp()), false, 10, 190, 200,
         array(select 'item-' || key from generate_series(1, 10) key)
       from numbers
     ), owed as (
       insert into deliveries (id, webhook_id, record_id, delta_event_id, check_id, next_attempt_at)
       select 'dlv_' || replace(uuidv7()::text, '-', ''), webhooks.id, :recordId, event_id, check_id, now()
       from numbers, webhooks where webhooks.record_id = :recordId
     )
     select check_id as id from numbers order by number`,
    { recordId, first, last: first + count - 1 },
  );
  return rows.map(({ id }) => id);
}
