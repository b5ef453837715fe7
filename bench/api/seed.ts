// Makes the data for the API bench in SQL: accounts, each with a key and with records that have a long history.
import { newApiKey } from '../../api/keys/new-api-keys.ts';
import { insertApiKey } from '../../db/access/api-keys.ts';
import { type Database, rawRows } from '../../db/driver/knex.ts';

/** As many as it takes for none to reach the limit of its tier. */
export const ACCOUNTS = 100;
const EVENTS_PER_RECORD = 1_000;
const ROWS_PER_RECORD = 100;

export interface Target {
  recordId: string;
  apiKey: string;
}

/** Accounts with a read key and one record each. */
export async function seedTargets(db: Database): Promise<Target[]> {
  await rawRows(
    db,
    `insert into accounts (id, name, wrapped_data_key)
     select 'acc_' || md5('bench' || n), 'Bench', ''::bytea from generate_series(1, ?) n`,
    [ACCOUNTS],
  );
  await seedRecords(db, 1, 1);
  const accounts = await rawRows<{ accountId: string; recordId: string }>(
    db,
    `select account_id as "accountId", records.id as "recordId" from records
     join accounts on accounts.id = account_id where accounts.name = 'Bench'`,
  );
  return Promise.all(
    accounts.map(async ({ accountId, recordId }) => ({
      recordId,
      apiKey: await seedKey(db, accountId),
    })),
  );
}

async function seedKey(db: Database, accountId: string): Promise<string> {
  const { value, key } = newApiKey(
    { accountId, recordId: null },
    { name: 'Bench', scope: 'read', expiresAt: null },
    Date.now(),
  );
  await insertApiKey(db, key);
  return value;
}

/** Gives every account the records numbered `from` to `to`: paused, with events, one snapshot and rows. */
export async function seedRecords(db: Database, from: number, to: number): Promise<void> {
  for (const statement of STATEMENTS) {
    await rawRows(db, statement, { from, to, events: EVENTS_PER_RECORD, rows: ROWS_PER_RECORD });
  }
}

/** Ids ascend as they do in life, where they begin with the time. */
const NEW_RECORDS = `
  select accounts.id as account_id, n, 'src_' || md5(accounts.id || n) as id,
    n * 1000 + row_number() over (partition by n order by accounts.id) as record_ordinal
  from accounts cross join generate_series(:from::int, :to::int) n where accounts.name = 'Bench'`;

const STATEMENTS = [
  `insert into records (id, account_id, slug, name, url, tier, status, check_interval_seconds)
   select id, account_id, 'bench-' || n, 'Bench', 'https://example.com/prices.csv', 'max', 'paused', 3600
   from (${NEW_RECORDS}) bench`,
  `insert into record_heads (record_id, event_number, check_number, sequence, snapshot_id, total_rows, columns,
     last_checked_at, last_outcome, key_fields, key_source)
   select id, :events, :events, 1, 'snap_' || md5(id), :rows, '{id,name,price}', now(), 'unchanged', '{id}', 'detected'
   from (${NEW_RECORDS}) bench`,
  `insert into snapshots (id, record_id, generation, sequence, created_at, total_rows, columns, bytes, content_hash)
   select 'snap_' || md5(id), id, 1, 1, now(), :rows, '{id,name,price}', 10000, md5(id) from (${NEW_RECORDS}) bench`,
  `insert into delta_events (id, record_id, number, check_id, snapshot_id, generation, sequence, detected_at,
     is_no_change, changed_count, unchanged_count, total_count, changed_keys)
   select 'evt_' || lpad(to_hex(record_ordinal * 10000 + number), 32, '0'), id, number,
     'chk_' || lpad(to_hex(record_ordinal * 10000 + number), 32, '0'), 'snap_' || md5(id), 1, 1,
     now() - (:events - number) * interval '1 minute', false, 3, :rows - 3, :rows, '{row-1,row-2,row-3}'
   from (${NEW_RECORDS}) bench cross join generate_series(1, :events) number
   order by record_ordinal, number`,
  `insert into row_versions (record_no, generation, row_key, first_seq, row_hash, data)
   select record_no, 1, 'row-' || r, 1, decode(md5(r::text), 'hex'),
     json_build_object('id', 'row-' || r, 'name', 'A thing with number ' || r, 'price', r || '.50')
   from (${NEW_RECORDS}) bench join record_heads on record_id = bench.id cross join generate_series(1, :rows) r`,
  'analyze records, record_heads, snapshots, delta_events, row_versions, accounts, api_keys',
];
