// Measures what unchanged checks leave in the tables: bytes of rows and indexes for each, and how the heads of their records
// grow. The product's own statement commits them, on a PostgreSQL server of its own, with autovacuum as it comes.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startBenchPostgres } from './bench-postgres.ts';
import { makeId } from '../core/ids.ts';
import { commitUnchangedCheck } from '../db/commit/checks.ts';
import { type Database, openDatabase, rawRows } from '../db/driver/knex.ts';
import { migrate } from '../db/migrate.ts';

const RECORDS = 2_000;
const CONNECTIONS = 8;
const STAGES = 5;

export interface TablesResult {
  checks: number;
  /** All tables with all indexes, except for the heads. */
  bytesPerCheck: number;
  /** The table of heads and its indexes, before and after each fifth of the checks. */
  heads: { tableBytes: number[]; indexBytes: number[] };
  /** The share of the heads' updates that wrote no index (heap-only tuples). */
  hotShare: number;
}

/** @param checks at least one for each of 2,000 records */
export async function measureTables(
  folder: string,
  checks: number,
  report: (text: string) => void,
): Promise<TablesResult> {
  const server = await startBenchPostgres({ dataDir: join(folder, 'tables') });
  await migrate(server.url);
  const db = openDatabase(server.url, { poolSize: CONNECTIONS, applicationName: 'bench' });
  try {
    const recordIds = await seedRecords(db);
    // The pages of the heads fill up before the first measurement.
    await checkAll(db, recordIds, 1);
    const before = await sizes(db);
    const rounds = Math.ceil(checks / RECORDS);
    report(`tables: ${rounds * RECORDS} unchanged checks of ${RECORDS} records`);
    const stages = [before];
    for (let stage = 1; stage <= STAGES; stage += 1) {
      await checkAll(
        db,
        recordIds,
        Math.floor((rounds * stage) / STAGES) - Math.floor((rounds * (stage - 1)) / STAGES),
      );
      stages.push(await sizes(db));
      report(`tables: ${stage} of ${STAGES} parts`);
    }
    const after = stages.at(-1) ?? before;
    return {
      checks: rounds * RECORDS,
      bytesPerCheck: (after.results - before.results) / (rounds * RECORDS),
      heads: {
        tableBytes: stages.map(({ heads }) => heads),
        indexBytes: stages.map(({ headIndexes }) => headIndexes),
      },
      hotShare: (after.hotUpdates - before.hotUpdates) / (after.updates - before.updates),
    };
  } finally {
    await db.destroy();
    await server.stop();
  }
}

/** Records with a snapshot of ten columns, with validators, and heads of the usual width. */
async function seedRecords(db: Database): Promise<string[]> {
  for (const statement of SEED) await rawRows(db, statement, { records: RECORDS });
  return (await db('records').orderBy('id').pluck('id')) as string[];
}

const COLUMNS = `'{id,name,category,price,currency,stock,supplier,updated_at,weight,description}'`;

const SEED = [
  `insert into accounts (id, name, wrapped_data_key) values ('acc_bench', 'Bench', '')`,
  `insert into records (id, account_id, slug, name, url, tier, check_interval_seconds)
   select 'src_' || md5(n::text), 'acc_bench', 'bench-' || n, 'Bench', 'https://example.com/prices.csv', 'max', 3600
   from generate_series(1, :records) n`,
  `insert into record_heads (record_id, event_number, check_number, sequence, snapshot_id, total_rows, columns,
     last_checked_at, last_outcome, key_fields, key_source, key_evidence, dialect, body_sha256, body_bytes, next_check_at)
   select id, 1, 1, 1, 'snap_' || md5(id), 100, ${COLUMNS}, now(), 'unchanged', '{id}', 'detected', '{"distinct":100}',
     '{"format":"csv","delimiter":",","charset":"utf-8","rowsPath":""}', md5(id) || md5(slug), 10000, now()
   from records`,
  `insert into snapshots (id, record_id, generation, sequence, created_at, total_rows, columns, bytes, content_hash)
   select snapshot_id, record_id, 1, 1, now(), 100, columns, 10000, body_sha256 from record_heads`,
];

/** So many checks of each record in turn, as if an hour passed between the rounds. */
async function checkAll(db: Database, recordIds: readonly string[], rounds: number): Promise<void> {
  const todo = Array.from({ length: rounds }, () => recordIds)
    .flat()
    .values();
  const work = async (): Promise<void> => {
    for (const recordId of todo) {
      const startedAt = new Date();
      const check = {
        id: makeId('check', startedAt.getTime(), randomBytes(16).toString('hex')),
        recordId,
        trigger: 'schedule',
        startedAt,
        httpStatus: 304,
        bytes: 0,
        rows: null,
        nextCheckInMs: 3_600_000,
      } as const;
      await commitUnchangedCheck(db, check, {
        urlHash: 'f'.repeat(64),
        etag: '"5f3e1c-2a"',
        lastModified: null,
      });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

interface Sizes {
  results: number;
  heads: number;
  headIndexes: number;
  updates: number;
  hotUpdates: number;
}

async function sizes(db: Database): Promise<Sizes> {
  // Statistics of other sessions arrive within a second of their last statement, or when they are asked for.
  await Promise.all(
    Array.from({ length: CONNECTIONS }, () => db.raw('select pg_stat_force_next_flush(), pg_sleep(0.2)')),
  );
  const [row] = await rawRows<Sizes>(
    db,
    `select (select sum(pg_total_relation_size(oid)) from pg_class
         where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'record_heads')::bigint as results,
       pg_table_size('record_heads') as heads, pg_indexes_size('record_heads') as "headIndexes",
       n_tup_upd as updates, n_tup_hot_upd as "hotUpdates"
     from pg_stat_user_tables where relname = 'record_heads'`,
  );
  if (row === undefined) throw new Error('PostgreSQL has no statistics of the heads');
  return row;
}
