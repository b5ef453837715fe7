// Compares the table of unchanged checks with the same table in monthly partitions, over more than two years of retention:
// bytes, processor time of writing and deleting, and of the product's own reads. Each has a database of its own on one server.
import { join } from 'node:path';
import pg from 'pg';
import { startBenchPostgres } from '../bench-postgres.ts';
import { type Tier, TIERS } from '../../core/tiers.ts';
import { findCheck, listChecks } from '../../db/check-log.ts';
import { type Database, openDatabase, rawRows } from '../../db/driver/knex.ts';
import { migrate } from '../../db/migrate.ts';
import { findLatestDeltaEvent, listDeltaEvents } from '../../db/rows/delta-events.ts';
import { cpuSecondsOf } from '../processes.ts';
import { digits, tierOf } from './seed.ts';

const RECORDS = 2_000;
const CHECKS_PER_MONTH = 30;
const MONTH_DAYS = 30;
const READS_PER_ROUND = 400;
const ROUNDS = 4;
const SERVER = { shared_buffers: '1GB', max_wal_size: '4GB' };

/** Longer than the longest retention. */
const MONTHS =
  Math.ceil(Math.max(...Object.values(TIERS).map((tier) => tier.retentionDays)) / MONTH_DAYS) + 1;

export interface Costs {
  /** Those that are left at the end, and their bytes with indexes. */
  rows: number;
  bytes: number;
  /** Milliseconds of PostgreSQL's processor time for 1,000 rows. */
  writingMs: number;
  retentionMs: number;
  /** Milliseconds of PostgreSQL's processor time for each read. */
  readsMs: Record<string, number>;
}

export interface PartitionsResult {
  plain: Costs;
  partitioned: Costs;
}

const READS: Record<string, (db: Database, recordId: string) => Promise<unknown>> = {
  'latest event': findLatestDeltaEvent,
  'first page of checks': (db, id) => listChecks(db, id, 'desc', { after: null, limit: 50 }),
  'later page of checks': (db, id) =>
    listChecks(db, id, 'desc', { after: (MONTHS - 6) * CHECKS_PER_MONTH, limit: 50 }),
  'events since a time': (db, id) =>
    listDeltaEvents(
      db,
      id,
      { changesOnly: false, sinceTime: new Date(Date.now() - 100 * 86_400_000) },
      'asc',
      {
        after: null,
        limit: 50,
      },
    ),
  'check by id': (db, id) => findCheck(db, id, 'chk_01a2088bc0997997809a98f234b274c4'),
};

export async function measurePartitions(
  folder: string,
  report: (text: string) => void,
): Promise<PartitionsResult> {
  const server = await startBenchPostgres({ dataDir: join(folder, 'partitions'), settings: SERVER });
  const cpu = (): number => cpuSecondsOf(server.pid);
  const shapes: TableForm[] = [];
  try {
    for (const name of ['plain', 'partitioned'] as const) shapes.push(await makeShape(server.url, name));
    for (let month = 1; month <= MONTHS; month += 1) {
      report(`partitions: month ${month} of ${MONTHS}`);
      for (const shape of shapes) await passMonth(shape, month, cpu);
    }
    for (const { db } of shapes) await db.raw('analyze');
    for (let round = 0; round <= ROUNDS; round += 1) {
      report(`partitions: round ${round} of reads`);
      for (const shape of shapes) await readRound(shape, round > 0, cpu);
    }
    const [plain, partitioned] = await Promise.all(shapes.map(costsOf));
    if (plain === undefined || partitioned === undefined) throw new Error('There are two shapes');
    return { plain, partitioned };
  } finally {
    await Promise.all(shapes.map(({ db }) => db.destroy()));
    await server.stop();
  }
}

interface TableForm {
  name: 'plain' | 'partitioned';
  db: Database;
  recordIds: string[];
  written: number;
  writingSeconds: number;
  retentionSeconds: number;
  readSeconds: Record<string, number>;
}

async function makeShape(serverUrl: string, name: TableForm['name']): Promise<TableForm> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = name;
  await migrate(url.href);
  const db = openDatabase(url.href, { poolSize: 1, applicationName: 'bench' });
  if (name === 'partitioned') for (const statement of PARTITIONED) await db.raw(statement);
  for (const statement of RECORDS_SQL) await rawRows(db, statement, { records: RECORDS });
  const recordIds = (await db('records').where({ tier: 'max' }).pluck('id')) as string[];
  return { name, db, recordIds, written: 0, writingSeconds: 0, retentionSeconds: 0, readSeconds: {} };
}

/** As time partitions would be: the id holds the time, and uniqueness of numbers is by partition. */
const PARTITIONED = [
  `alter table unchanged_checks rename to template`,
  `create table unchanged_checks (like template including defaults including constraints, primary key (id)) partition by range (id)`,
  `create index on unchanged_checks (record_no, event_number)`,
  `create trigger one_row_per_check before insert on unchanged_checks for each row execute function refuse_second_check()`,
];

const RECORDS_SQL = [
  `insert into accounts (id, name, wrapped_data_key) values ('acc_bench', 'Bench', '')`,
  `insert into records (id, account_id, slug, name, url, tier, check_interval_seconds)
   select 'src_' || md5(n::text), 'acc_bench', 'bench-' || n, 'Bench', 'https://example.com/prices.csv', ${tierOf()}, 86400
   from generate_series(1, :records) n`,
  `insert into record_heads (record_id, sequence, snapshot_id, total_rows, columns)
   select id, 1, 'snap_' || md5(id), 100, '{id,name,price}' from records`,
  `insert into snapshots (id, record_id, generation, sequence, created_at, total_rows, columns, bytes, content_hash)
   select snapshot_id, record_id, 1, 1, now(), 100, columns, 10000, '' from record_heads`,
];

/** The first id of a month. The last one ends now. */
const edgeId = (
  month: number,
): string => `lpad(to_hex((extract(epoch from ${startOf(month)}) * 1000)::bigint), 12, '0')
  || repeat('0', 20)`;
const startOf = (month: number): string =>
  `(date_trunc('day', now()) - interval '${(MONTHS - month + 1) * MONTH_DAYS} days')`;

/** Writes the checks of a month, then deletes what expired by its end. */
async function passMonth(shape: TableForm, month: number, cpu: () => number): Promise<void> {
  const { db } = shape;
  if (shape.name === 'partitioned') {
    const [edges] = await rawRows<{ low: string; high: string }>(
      db,
      `select ${edgeId(month)} as low, ${edgeId(month + 1)} as high`,
    );
    await db.raw(
      `create table month_${month} partition of unchanged_checks for values from ('${edges?.low}') to ('${edges?.high}')`,
    );
  }
  const before = cpu();
  for (let day = 0; day < CHECKS_PER_MONTH; day += 1) {
    const number = (month - 1) * CHECKS_PER_MONTH + day + 1;
    await rawRows(db, DAY_SQL(`${startOf(month)} + interval '${day} days'`), { number });
  }
  await db.raw('update record_heads set event_number = ?, check_number = ?', [
    month * CHECKS_PER_MONTH,
    month * CHECKS_PER_MONTH,
  ]);
  const between = cpu();
  await db.raw(`delete from unchanged_checks short using record_heads join records on records.id = record_id
    where short.record_no = record_heads.record_no and short.event_number < record_heads.event_number
      and short.id < (case tier ${retentionEdges(month)} end)`);
  const expired = month - MONTHS + 1;
  if (shape.name === 'partitioned' && expired >= 1) await db.raw(`drop table month_${expired}`);
  await db.raw('vacuum unchanged_checks');
  shape.written += RECORDS * CHECKS_PER_MONTH;
  shape.writingSeconds += between - before;
  shape.retentionSeconds += cpu() - between;
}

const DAY_SQL = (at: string): string => `
  insert into unchanged_checks
  select (${digits('at', `record_no || ' ' || :number::integer`)})::uuid, record_no, at, at, 0, :number, :number, 1, 304, 'schedule'
  from (select record_no, ${at} + record_no * interval '10 milliseconds' as at from record_heads order by md5(record_id)) made`;

/** Whole months, so that the longest retention ends where a partition does. */
const retentionEdges = (month: number): string =>
  Object.keys(TIERS)
    .map(
      (tier) =>
        `when '${tier}' then (${edgeId(month + 1 - Math.ceil(TIERS[tier as Tier].retentionDays / MONTH_DAYS))})::uuid`,
    )
    .join(' ');

/** All kinds of reads, of records with the longest history. */
async function readRound(shape: TableForm, counts: boolean, cpu: () => number): Promise<void> {
  for (const [what, read] of Object.entries(READS)) {
    const before = cpu();
    for (let at = 0; at < READS_PER_ROUND; at += 1) {
      await read(shape.db, shape.recordIds[at % shape.recordIds.length] ?? '');
    }
    if (counts) shape.readSeconds[what] = (shape.readSeconds[what] ?? 0) + cpu() - before;
  }
}

async function costsOf(shape: TableForm): Promise<Costs> {
  const [size] = await rawRows<{ rows: number; bytes: number }>(
    shape.db,
    `select (select count(*) from unchanged_checks) as rows, sum(pg_total_relation_size(oid))::bigint as bytes from pg_class
     where relkind = 'r' and (relname like 'month_%' or relname = 'unchanged_checks')`,
  );
  if (size === undefined) throw new Error('An aggregate gives one row');
  const per = (seconds: number, count: number): number => (seconds * 1_000) / count;
  return {
    ...size,
    writingMs: per(shape.writingSeconds, shape.written / 1_000),
    retentionMs: per(shape.retentionSeconds, shape.written / 1_000),
    readsMs: Object.fromEntries(
      Object.entries(shape.readSeconds).map(([what, seconds]) => [
        what,
        per(seconds, ROUNDS * READS_PER_ROUND),
      ]),
    ),
  };
}
