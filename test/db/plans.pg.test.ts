// Frequent statements use their indexes, on a record of 50,000 rows among others.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitUnchangedCheck } from '../../db/commit/checks.ts';
import { type DeltaEventRow, findLatestDeltaEvent, listDeltaEvents } from '../../db/rows/delta-events.ts';
import { listDeltaRows } from '../../db/rows/delta-rows.ts';
import { countHostUse } from '../../db/access/ephemeral-sessions.ts';
import type { Database } from '../../db/driver/knex.ts';
import { listOverdueDeliveries, listOverdueRecords } from '../../db/upkeep/overdue.ts';
import { pruneRecords } from '../../db/upkeep/retention.ts';
import { readFirstDeltaRows } from '../../db/rows/first-delta-rows.ts';
import { listSnapshotRows } from '../../db/rows/snapshots.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';
import { checkFacts, commitTable, getRecord, makeAccount, makeRecord, type Table } from './factories.ts';

const ROWS = 50_000;

let database: TestDatabase;
let db: Database;
let explainer: pg.Client;
let recordId: string;
let event: DeltaEventRow & { recordNo: number };

function bigTable(version: number): Table {
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const key = at % 100 === version ? at + ROWS * version : at;
    return [`"row-${key}"`, `"${at % 50 === version ? version : 0}"`];
  });
  return { columns: ['id', 'value'], rows };
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  const accountId = await makeAccount(db);
  // Neighbours, so that the record is a part of each table, as it will be.
  for (let at = 0; at < 20; at += 1) {
    const neighbour = await makeRecord(db, { accountId });
    const rows = Array.from({ length: 500 }, (_, row) => [`"row-${row}"`, '"0"']);
    await commitTable(db, neighbour, { columns: ['id', 'value'], rows });
    for (let check = 0; check < 20; check += 1) await commitUnchanged(neighbour);
  }
  recordId = await makeRecord(db, { accountId });
  for (let version = 0; version < 6; version += 1) await commitTable(db, recordId, bigTable(version));
  for (let check = 0; check < 100; check += 1) await commitUnchanged(recordId);
  await db.raw(
    `insert into records (id, account_id, slug, name, url, tier, check_interval_seconds)
     select 'src_' || n, ?, 's' || n, 'x', 'https://host' || n || '.example.com/x', 'anonymous', 3600
     from generate_series(1, 2000) n`,
    [accountId],
  );
  await db.raw(
    `insert into record_heads (record_id, next_check_at)
     select id, now() + interval '1 hour' from records where tier = 'anonymous'`,
  );
  await db.raw(
    `insert into ephemeral_sessions (id, account_id, record_id, token_hash, expires_at)
     select 'ses_' || id, account_id, id, sha256(id::bytea), now() + interval '1 day'
     from records where tier = 'anonymous'`,
  );
  // As the version before short rows left them.
  await db.raw(
    `insert into delta_events (id, record_id, number, check_id, snapshot_id, generation, sequence, detected_at, is_no_change,
       unchanged_count, total_count)
     select 'evt_' || n, record_id, 1000 + n, 'chk_' || n, snapshot_id, generation, sequence, now(), true, 1, 1
     from record_heads, generate_series(1, 1000) n where record_id = ?`,
    [recordId],
  );
  await db.raw('analyze');
  const events = await listDeltaEvents(db, recordId, { changesOnly: true }, 'desc', {
    after: null,
    limit: 1,
  });
  const [latest] = events;
  if (latest === undefined) throw new Error('Nothing has changed');
  event = { ...latest, ...(await getRecord(db, recordId)), ...latest };
  explainer = new pg.Client(database.url);
  await explainer.connect();
});
afterAll(async () => {
  await explainer.end();
  await database.drop();
});

const commitUnchanged = (id: string) =>
  commitUnchangedCheck(db, checkFacts(id), {
    urlHash: 'hash',
    etag: null,
    lastModified: null,
  });

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

/** How the statements that `run` sends are carried out: `Index Scan records_pkey` and so on. */
async function plansOf(run: () => Promise<unknown>): Promise<string[]> {
  const statements: { sql: string; bindings: unknown[] }[] = [];
  const keep = (query: { sql: string; bindings: unknown[] }) => statements.push(query);
  db.on('query', keep);
  await run();
  db.off('query', keep);
  const nodes: string[] = [];
  for (const { sql, bindings } of statements) {
    if (/^(BEGIN|COMMIT)/.test(sql)) continue;
    const answer = await explainer.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (format json) ${sql}`,
      bindings,
    );
    for (const { Plan } of answer.rows[0]?.['QUERY PLAN'] ?? []) nodes.push(...flatten(Plan));
  }
  return nodes;
}

function flatten(node: PlanNode): string[] {
  const name = [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' ');
  return [name, ...(node.Plans ?? []).flatMap(flatten)];
}

const hasSort = (nodes: readonly string[]) => nodes.some((node) => /Sort/.test(node));
const scansWhole = (nodes: readonly string[]) => nodes.filter((node) => node.startsWith('Seq Scan'));

describe.each([
  ['first', null],
  ['middle', 'row-3'],
  ['last', 'row-99'],
])('the %s page', (_, after) => {
  it('of delta rows walks the versions that its snapshot began and ended', async () => {
    const nodes = await plansOf(() => listDeltaRows(db, event, { after, limit: 1_000 }));
    expect(nodes.join('\n')).toMatch(/Index Scan row_versions_opened/);
    expect(nodes.join('\n')).toMatch(/Index Scan row_versions_closed/);
    // The few unchanged checks are read whole here.
    expect(scansWhole(nodes).filter((node) => node.includes('row_versions'))).toEqual([]);
  });

  it('of snapshot rows walks the primary key, in its order', async () => {
    const nodes = await plansOf(() => listSnapshotRows(db, event, { after, limit: 100 }));
    expect(nodes).toContain('Index Scan row_versions_pkey');
    expect(hasSort(nodes)).toBe(false);
  });
});

it('the latest event is read from the end of the numbers', async () => {
  const nodes = await plansOf(() => findLatestDeltaEvent(db, recordId));
  expect(nodes).toContain('Index Scan delta_events_record_id_number_key');
  expect(nodes).toContain('Index Scan unchanged_checks_record_no_event_number_key');
  expect(scansWhole(nodes).filter((node) => /events|checks/.test(node))).toEqual([]);
});

it('a page of changes skips the others without reading them', async () => {
  const filter = { changesOnly: true };
  const nodes = await plansOf(() =>
    listDeltaEvents(db, recordId, filter, 'desc', { after: null, limit: 50 }),
  );
  expect(nodes).toContain('Index Scan delta_events_changes');
});

it('the first rows of events are looked up by their keys', async () => {
  const nodes = await plansOf(() =>
    readFirstDeltaRows(db, { id: recordId, recordNo: event.recordNo }, [event.id], 3),
  );
  const ofRows = nodes.filter((node) => node.includes('row_versions'));
  expect(ofRows).toHaveLength(2);
  for (const node of ofRows) expect(node).toMatch(/^Index Scan row_versions_(pkey|closed|opened)$/);
});

describe('in tables of any size', () => {
  // These are too small here for an index to pay, so the planner is told to take one where there is one.
  beforeAll(() => explainer.query('set enable_seqscan = off'));

  it('an unchanged check reads its record only', async () => {
    const nodes = await plansOf(() => commitUnchanged(recordId));
    expect(nodes).toContain('Index Scan record_heads_pkey');
    expect(scansWhole(nodes)).toEqual([]);
  });

  it('pruning a record reads that record only, and its events and checks from the oldest', async () => {
    const nodes = await plansOf(() => pruneRecords(db, [recordId], 3_650, 5_000));
    for (const index of [
      'row_versions_closed',
      'delta_events_record_id_number_key',
      'checks_record_id_number_key',
      'unchanged_checks_record_no_event_number_key',
    ]) {
      expect(nodes.join('\n')).toMatch(new RegExp(`Index.* Scan ${index}`));
    }
    expect(scansWhole(nodes)).toEqual([]);
  });

  it('deliveries that are overdue are found by their time, and records that have ended by theirs', async () => {
    expect(await plansOf(() => listOverdueDeliveries(db, 60_000, 100))).toEqual([
      'Limit',
      'Index Scan deliveries_due',
    ]);
    const nodes = await plansOf(() => listOverdueRecords(db, 60_000, 100));
    expect(nodes).toContain('Index Scan records_deleted');
    expect(nodes).toContain('Index Scan ephemeral_sessions_by_end');
  });

  it('the anonymous records of a host are counted without reading others', async () => {
    const nodes = await plansOf(() => db.transaction((trx) => countHostUse(trx, 'example.com')));
    expect(nodes.join('\n')).toMatch(/Index Scan.* records_anonymous_host/);
    expect(scansWhole(nodes)).toEqual([]);
  });

  it('the rows of a deleted account are found by the account', async () => {
    for (const table of ['records', 'ephemeral_sessions', 'api_keys']) {
      const nodes = await plansOf(() => db(table).where({ accountId: 'acc_none' }).delete());
      expect(nodes.join('\n')).toMatch(/Index Scan/);
      expect(scansWhole(nodes)).toEqual([]);
    }
  });
});
