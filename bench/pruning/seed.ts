// Records whose history has come to the end of its retention, made in SQL.
import { type Database, rawRows } from '../../db/driver/knex.ts';
import { type Tier, TIERS } from '../../core/tiers.ts';

/** Of a hundred records. */
const PER_HUNDRED: Record<Tier, number> = { anonymous: 5, free: 60, watch: 25, max: 10 };
/** One check in so many found a change. */
const CHECKS_PER_CHANGE = 100;

const retention = (): string =>
  Object.entries(TIERS)
    .map(([tier, { retentionDays }]) => `when '${tier}' then ${retentionDays}`)
    .join(' ');

/** SQL of the tier of the nth record. */
export const tierOf = (): string => {
  let upTo = 0;
  const cases = Object.entries(PER_HUNDRED).map(([tier, share]) => {
    upTo += share;
    return `when n % 100 < ${upTo} then '${tier}'`;
  });
  return `case ${cases.join(' ')} end`;
};

/** An id whose time is that of a check, without its prefix. @param at SQL of a time @param seed SQL of a text */
export const digits = (at: string, seed: string): string =>
  `lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${seed}), 1, 3)
   || '8' || substr(md5(${seed}), 4, 15)`;

/** The numbers of the checks that are young. Expired ones begin with 1. */
const YOUNG = { unchanged: 101, changed: 102, latest: 103 };
const SNAPSHOT_COLUMNS = `'{id,name,category,price,currency,stock,supplier,updated_at,weight,description}'`;

/** Each record has three young checks, of which the second found a change. */
const RECORDS = [
  `insert into accounts (id, name, wrapped_data_key) values ('acc_bench', 'Bench', '')`,
  `insert into records (id, account_id, slug, name, url, tier, check_interval_seconds)
   select 'src_' || ${digits(`now() - interval '3 years' + n * interval '10 milliseconds'`, 'n::text')}, 'acc_bench',
     'bench-' || n, 'Bench', 'https://example.com/prices.csv', ${tierOf()}, 3600
   from generate_series(1, :records) n`,
  `insert into record_heads (record_id, event_number, check_number, sequence, snapshot_id, total_rows, columns,
     last_checked_at, last_outcome, key_fields, key_source, body_sha256, body_bytes, next_check_at)
   select id, ${YOUNG.latest}, ${YOUNG.latest}, 3, 'snap_3_' || id, 100, ${SNAPSHOT_COLUMNS}, now(), 'unchanged', '{id}',
     'detected', md5(id) || md5(slug), 10000, now()
   from records order by id`,
  `insert into snapshots (id, record_id, generation, sequence, created_at, total_rows, columns, bytes, content_hash)
   select 'snap_' || made || '_' || record_id, record_id, 1, made, now(), 100, columns, 10000, body_sha256
   from record_heads, generate_series(2, 3) made`,
  `insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome, http_status, bytes, rows,
     snapshot_id, delta_event_id)
   select 'chk_2_' || record_id, record_id, ${YOUNG.changed}, 'schedule', now(), now(), 'changed', 200, 10000, 100, snapshot_id,
     'evt_2_' || record_id
   from record_heads`,
  `insert into delta_events (id, record_id, number, check_id, snapshot_id, previous_snapshot_id, generation, sequence,
     detected_at, is_no_change, changed_count, unchanged_count, total_count, changed_keys)
   select delta_event_id, record_id, number, checks.id, snapshot_id, 'snap_2_' || record_id, 1, 3, finished_at, false, 1, 99,
     100, '{1}'
   from checks`,
  `insert into row_versions (record_no, generation, row_key, first_seq, last_seq, row_hash, data)
   select record_no, 1, '1', first, last, '\\x00', '{"id":"1","name":"A name","price":"12.50"}'
   from record_heads, (values (2, 2), (3, null)) made (first, last)`,
];

/** One of each record, in no order of the records, as a fleet is checked. */
const shortRows = (number: string, at: string): string => `
  insert into unchanged_checks
  select (${digits('at', `n || ' ' || number`)})::uuid, record_no, at, at + interval '1 second', 0, number, number, 2, 304, 'schedule'
  from (
    select n, record_no, ${number} as number, ${at} as at
    from generate_series(1, :records) n
    join record_heads on record_no = (n::bigint * 7919 + ${number} * 104729) % :records + 1
    join records on records.id = record_id
  ) made`;

/** The first one expired `hours` ago, the last one in the hour before now. */
const EXPIRED_AT = `now() - (case tier ${retention()} end) * interval '1 day'
  - (:hours::integer + 1 - :number::integer) * interval '1 hour' + n * interval '3 milliseconds'`;

/** At most one of the expired checks of a record becomes a change, with what that leaves. */
const CHANGES = [
  `create temporary table changes as
   select record_id, record_no, number, started_at, finished_at
   from unchanged_checks join record_heads using (record_no)
   where number = record_no % :hours + 1 and (record_no / :hours) % (${CHECKS_PER_CHANGE} / :hours) = 0`,
  `delete from unchanged_checks using changes
   where changes.record_no = unchanged_checks.record_no and changes.number = unchanged_checks.number`,
  `insert into snapshots (id, record_id, generation, sequence, created_at, total_rows, columns, bytes, content_hash)
   select 'snap_1_' || record_id, record_id, 1, 1, started_at, 100, ${SNAPSHOT_COLUMNS}, 10000, md5(record_id) from changes`,
  `insert into row_versions (record_no, generation, row_key, first_seq, last_seq, row_hash, data)
   select record_no, 1, '1', 1, 1, '\\x00', '{"id":"1","name":"A name","price":"13.50"}' from changes`,
  `insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome, http_status, bytes, rows,
     snapshot_id, delta_event_id)
   select 'chk_1_' || record_id, record_id, number, 'schedule', started_at, finished_at, 'changed', 200, 10000, 100,
     'snap_2_' || record_id, 'evt_1_' || record_id from changes`,
  `insert into delta_events (id, record_id, number, check_id, snapshot_id, previous_snapshot_id, generation, sequence,
     detected_at, is_no_change, changed_count, unchanged_count, total_count, changed_keys)
   select 'evt_1_' || record_id, record_id, number, 'chk_1_' || record_id, 'snap_2_' || record_id, 'snap_1_' || record_id, 1, 2,
     finished_at, false, 1, 99, 100, '{1}' from changes`,
  `insert into webhooks (id, record_id, url, sealed_secret)
   select 'wh_' || record_id, record_id, 'https://example.com/hook', '' from changes`,
  `insert into deliveries (id, webhook_id, record_id, delta_event_id, check_id, status, attempt_count, created_at, finished_at)
   select 'dlv_' || ${digits('finished_at', 'record_id')}, 'wh_' || record_id, record_id, 'evt_1_' || record_id,
     'chk_1_' || record_id, 'delivered', 1, finished_at, finished_at from changes`,
  `insert into attempts (delivery_id, number, started_at, duration_ms, status_code)
   select id, 1, created_at, 20, 200 from deliveries`,
];

/** Without triggers and foreign keys, whose answers are known. */
async function run(
  db: Database,
  statements: readonly string[],
  bindings: Record<string, number>,
): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica');
    for (const statement of statements) await rawRows(trx, statement, bindings);
  });
}

export async function seedRecords(db: Database, records: number): Promise<void> {
  await run(db, RECORDS, { records });
  for (const number of [YOUNG.unchanged, YOUNG.latest]) {
    await run(db, [shortRows(':number::integer', 'now()')], { records, number });
  }
  await db.raw('vacuum analyze');
}

/**
 * Adds checks that have expired since the last pass, one an hour.
 * @param hours at most 50
 */
export async function seedExpired(db: Database, records: number, hours: number): Promise<void> {
  // Row by row, an index in another order than the rows takes most of the time.
  const key = 'unchanged_checks_record_no_event_number_key';
  await db.raw(`alter table unchanged_checks drop constraint ${key}`);
  for (let number = 1; number <= hours; number += 1) {
    await run(db, [shortRows(':number::integer', EXPIRED_AT)], { records, number, hours });
  }
  await run(db, CHANGES, { hours });
  await db.raw(`alter table unchanged_checks add constraint ${key} unique (record_no, event_number)`);
  await db.raw('vacuum analyze');
}
