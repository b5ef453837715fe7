// Makes a fleet of records in SQL, beside those that are read: accounts of a hundred records, each with short history.
import { type Database, rawRows } from '../../db/driver/knex.ts';

export interface OtherRecords {
  records: number;
  /** Unchanged checks of each record. */
  checks: number;
  /** Row versions of each record, all current. */
  rows: number;
}

const RECORDS_PER_ACCOUNT = 100;
const EVENTS = 2;

const STATEMENTS = [
  `insert into accounts (id, name, wrapped_data_key)
   select 'acc_other_' || n, 'Other', '' from generate_series(0, :records / ${RECORDS_PER_ACCOUNT}) n`,
  `insert into records (id, account_id, slug, name, url, tier, status, check_interval_seconds)
   select 'src_f' || lpad(to_hex(n), 31, '0'), 'acc_other_' || n / ${RECORDS_PER_ACCOUNT}, 'other-' || n, 'Other',
     'https://example.com/prices.csv', 'max', 'paused', 3600
   from generate_series(1, :records) n`,
  `insert into record_heads (record_id, event_number, check_number, sequence, snapshot_id, total_rows, columns,
     last_checked_at, last_outcome, key_fields, key_source)
   select id, ${EVENTS} + :checks, ${EVENTS} + :checks, ${EVENTS}, 'snap_${EVENTS}_' || id, :rows, '{id,name,price}', now(),
     'unchanged', '{id}', 'detected'
   from records where slug like 'other-%' order by id`,
  `insert into snapshots (id, record_id, generation, sequence, created_at, total_rows, columns, bytes, content_hash)
   select 'snap_' || number || '_' || record_id, record_id, 1, number, now(), :rows, columns, 10000, md5(record_id)
   from record_heads join records on records.id = record_id, generate_series(1, ${EVENTS}) number
   where slug like 'other-%'`,
  `insert into delta_events (id, record_id, number, check_id, snapshot_id, generation, sequence, detected_at,
     is_no_change, changed_count, unchanged_count, total_count, changed_keys)
   select 'evt_' || number || '_' || record_id, record_id, number, 'chk_' || number || '_' || record_id,
     'snap_' || number || '_' || record_id, 1, number, now() - (10 - number) * interval '1 hour', false, 1, :rows - 1, :rows, '{row-1}'
   from record_heads join records on records.id = record_id, generate_series(1, ${EVENTS}) number
   where slug like 'other-%' order by record_no, number`,
  `insert into row_versions (record_no, generation, row_key, first_seq, row_hash, data)
   select record_no, 1, 'row-' || lpad(r::text, 4, '0'), 1, decode(md5(r::text), 'hex'),
     json_build_object('id', 'row-' || r, 'name', 'A thing with number ' || r, 'price', r || '.50')
   from record_heads join records on records.id = record_id, generate_series(1, :rows) r
   where slug like 'other-%' order by record_no, r`,
];

/** Round by round, as a fleet is checked. */
const CHECKS = `insert into unchanged_checks (id, record_no, started_at, finished_at, bytes, number, event_number, sequence,
    http_status, trigger)
  select uuidv7(), record_no, at, at + interval '1 second', 0, ${EVENTS} + :check, ${EVENTS} + :check, ${EVENTS}, 304, 'schedule'
  from (
    select record_no, now() - (:checks::int - :check::int) * interval '1 hour' as at
    from record_heads join records on records.id = record_id where slug like 'other-%'
  ) made`;

/** Row by row, an index in another order than the rows takes most of the time. */
const BY_EVENT = 'unchanged_checks_record_no_event_number_key';

export async function seedOthers(
  db: Database,
  { records, checks, rows }: OtherRecords,
  report: (text: string) => void,
): Promise<void> {
  const run = (statement: string, bindings: Record<string, number>): Promise<unknown> =>
    db.transaction(async (trx) => {
      // Without triggers and foreign keys, whose answers are known.
      await trx.raw(`set local session_replication_role = replica; set local work_mem = '256MB'`);
      await rawRows(trx, statement, bindings);
    });
  for (const statement of STATEMENTS) {
    report(`reads: ${statement.slice(0, 40).split('\n', 1)[0]}`);
    await run(statement, { records, checks, rows });
  }
  await db.raw(`alter table unchanged_checks drop constraint ${BY_EVENT}`);
  for (let check = 1; check <= checks; check += 1) await run(CHECKS, { checks, check });
  report('reads: the index of unchanged checks');
  await db.raw(`alter table unchanged_checks add constraint ${BY_EVENT} unique (record_no, event_number)`);
  report('reads: vacuum');
  await db.raw('vacuum analyze');
  await db.raw('checkpoint');
}
