// Counting activity reads only the counted rows, for a record with 100,000 checks beside many others.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listActivity, listDailyChanges } from '../../../../db/records/activity.ts';
import { type Database, rawRows } from '../../../../db/driver/knex.ts';
import { listVisibleRecords } from '../../../../db/records/visible-records.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database.ts';
import { type Explainer, openExplainer, scansWhole, vacuum } from '../../../support/rows/explain.ts';
import { createAccount, createTestRecord, newTestId } from '../../../support/rows/factories.ts';

const CHECKS = 100_000;
const NEIGHBOURS = 50;
const DAY_MS = 86_400_000;

let database: TestDatabase;
let db: Database;
let explainer: Explainer;
let accountId: string;
let busy: string;
let neighbours: string[];

/** Adds this many checks over the last 30 days, of which every nth finds a change. */
async function putHistory(recordId: string, checks: number, changeEvery: number): Promise<void> {
  const values = { recordId, checks, changeEvery };
  const at = `now() - interval '30 days' + number * (interval '30 days' / :checks::integer)`;
  await rawRows(
    db,
    `insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome)
     select :recordId || number, :recordId, number, 'schedule', ${at}, ${at},
       case when number % :changeEvery::integer = 0 then 'changed' else 'unchanged' end
     from generate_series(1, :checks::integer) as number`,
    values,
  );
  await rawRows(
    db,
    `insert into delta_events (id, record_id, number, check_id, snapshot_id, generation, sequence, detected_at,
       is_no_change, new_count, unchanged_count, total_count)
     select :recordId || number, :recordId, number, :recordId || number, 'snap', 1, 1, ${at},
       number % :changeEvery::integer <> 0, case when number % :changeEvery::integer = 0 then 1 else 0 end, 0, 0
     from generate_series(1, :checks::integer) as number`,
    values,
  );
  await rawRows(db, 'update record_heads set check_number = :checks where record_id = :recordId', values);
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  accountId = await createAccount(db);
  busy = await createTestRecord(db, accountId);
  await putHistory(busy, CHECKS, 100);
  neighbours = [];
  for (let at = 0; at < NEIGHBOURS; at += 1) {
    const neighbour = await createTestRecord(db, accountId);
    await putHistory(neighbour, 1_000, 1);
    neighbours.push(neighbour);
  }
  await vacuum(db, 'checks');
  await vacuum(db, 'delta_events');
  explainer = await openExplainer(db, database.url);
});
afterAll(async () => {
  await explainer.end();
  await database.drop();
});

/** Of 51 heads, the planner may read all, if autovacuum has counted them. */
const isLarge = (node: string): boolean => node !== 'Seq Scan record_heads';

const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

it('counts the changes of a record from an index alone, and looks no further back than asked', async () => {
  const stretch = { step: 'hour', since: daysAgo(1), until: daysAgo(0) } as const;
  const nodes = await explainer.plansOf(() => listActivity(db, busy, stretch));
  expect(nodes).toContain('Index Only Scan delta_events_activity');
  expect(nodes).toContainEqual(expect.stringMatching(/^(Bitmap )?Index Scan checks_record_id_number_key$/));
  expect(scansWhole(nodes).filter(isLarge)).toEqual([]);
  const rows = await listActivity(db, busy, stretch);
  const checks = rows.reduce((sum, row) => sum + row.checks, 0);
  expect(Math.abs(checks - CHECKS / 30)).toBeLessThan(5);
});

it('finds the first check of a period wherever it begins, with missing numbers', async () => {
  const record = await createTestRecord(db, accountId);
  await putHistory(record, 1_000, 10);
  await rawRows(
    db,
    `delete from checks where record_id = ? and (number < 300 or number between 500 and 600)`,
    [record],
  );
  for (const days of [31, 30, 21, 20.9, 15, 14, 12, 11.9, 1, 0.02, 0]) {
    const stretch = { step: 'day', since: daysAgo(days), until: new Date(Date.now() + DAY_MS) } as const;
    const rows = await listActivity(db, record, stretch);
    const [counted] = await rawRows<{ checks: number }>(
      db,
      'select count(*) as checks from checks where record_id = ? and finished_at >= ?',
      [record, stretch.since],
    );
    expect([days, rows.reduce((sum, row) => sum + row.checks, 0)]).toEqual([days, counted?.checks]);
  }
});

it('counts the changes of many records from an index alone', async () => {
  const nodes = await explainer.plansOf(() => listDailyChanges(db, [busy, ...neighbours], daysAgo(30)));
  expect(nodes).toContain('Index Only Scan delta_events_activity');
  expect(scansWhole(nodes).filter(isLarge)).toEqual([]);
});

it('finds the last change of each listed record at the end of an index', async () => {
  const listing = { order: 'desc', search: null, status: null, health: null, labels: [] } as const;
  const principal = {
    kind: 'account',
    accountId,
    credentialId: newTestId('apiKey'),
    scope: 'read',
    tier: 'watch',
  } as const;
  for (const sort of ['created', 'name', 'health', 'lastChange'] as const) {
    const nodes = await explainer.plansOf(() =>
      listVisibleRecords(db, principal, { ...listing, sort }, { after: null, limit: 50 }),
    );
    const reads = nodes.filter((node) => node.includes('delta_events'));
    expect(reads).toHaveLength(2);
    expect(reads).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Index Only Scan .*delta_events_activity$/),
        // Whether the latest event is a baseline.
        'Index Scan delta_events_record_id_number_key',
      ]),
    );
  }
});
