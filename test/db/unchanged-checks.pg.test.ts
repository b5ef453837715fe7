// Unchanged checks in short rows: every reader answers as if each were a check and an event; each check is there once; and
// the heads that they move write no index.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitProblemCheck, commitUnchangedCheck } from '../../db/commit/checks.ts';
import { findCheck, listChecks, listChecksNotMade } from '../../db/check-log.ts';
import { type Database, rawRows } from '../../db/driver/knex.ts';
import { down, up } from '../../db/migrations/0020-unchanged-checks.ts';
import { listActivity } from '../../db/records/activity.ts';
import { findRecordOfEvent } from '../../db/records/visible-records.ts';
import {
  type DeltaFilter,
  findDeltaEvent,
  findLatestDeltaEvent,
  listDeltaEvents,
} from '../../db/rows/delta-events.ts';
import { listDeltaRows } from '../../db/rows/delta-rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';
import { propertyRuns } from '../support/runner/property-runs.ts';
import { until } from '../support/until.ts';
import { checkFacts, commitTable, getRecord, makeAccount, makeRecord, makeWebhook, newId, table } from './factories.ts'; // prettier-ignore

let database: TestDatabase;
let db: Database;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  accountId = await makeAccount(db);
});
afterAll(() => database.drop());

const VALIDATORS = { urlHash: 'hash', etag: null, lastModified: null };
const PROBLEM = { code: 'http_error', detail: 'Status 500.' } as const;

const unchanged = (recordId: string, id = newId('check')) =>
  commitUnchangedCheck(db, checkFacts(recordId, { id, httpStatus: 304, bytes: 0 }), VALIDATORS);
const failed = (recordId: string, id = newId('check')) =>
  commitProblemCheck(db, 'failed', checkFacts(recordId, { id }), PROBLEM);

const countShort = async (): Promise<number> =>
  Number((await db('unchanged_checks').count<{ count: string }[]>())[0]?.count);

/** What a check finds: the accepted body, rows that are equal in another body, a change, other bodies, or a fault. */
const steps = fc.array(
  fc.constantFrom('unchanged', 'unchanged', 'unchanged', 'equal', 'repeated', 'changed', 'failed'),
  { minLength: 3, maxLength: 25 },
);

async function makeHistory(history: readonly string[], hasWebhook: boolean): Promise<string> {
  const recordId = await makeRecord(db, { accountId });
  if (hasWebhook) {
    const webhook = await makeWebhook(db, recordId);
    await db('webhooks')
      .where({ id: webhook })
      .update({ eventTypes: ['delta', 'check.recovered'] });
  }
  let version = 0;
  for (const step of ['changed', ...history]) {
    if (step === 'changed') version += 1;
    const rows = { a: String(version), b: '1' };
    if (step === 'unchanged') await unchanged(recordId);
    else if (step === 'failed') await failed(recordId);
    else if (step === 'repeated') await commitTable(db, recordId, table(rows), { body: { rows: 3 } });
    else await commitTable(db, recordId, table(rows));
  }
  return recordId;
}

/** All pages of a list, and how it was cut into them. */
async function pagesOf<Row extends { number: number }>(
  limit: number,
  list: (page: { after: number | null; limit: number }) => Promise<Row[]>,
): Promise<Row[][]> {
  const pages: Row[][] = [];
  for (let after: number | null = null; ;) {
    const rows = await list({ after, limit });
    pages.push(rows);
    const last = rows.slice(0, limit).at(-1);
    if (last === undefined || rows.length <= limit) return pages;
    after = last.number;
  }
}

/** The answers of every reader about a record. */
async function readAll(recordId: string): Promise<unknown> {
  const all = { after: null, limit: 1_000 };
  const said: unknown[] = [];
  for (const order of ['asc', 'desc'] as const) {
    for (const limit of [1, 4, 1_000]) {
      said.push(await pagesOf(limit, (page) => listChecks(db, recordId, order, page)));
      for (const changesOnly of [true, false]) {
        said.push(
          await pagesOf(limit, (page) => listDeltaEvents(db, recordId, { changesOnly }, order, page)),
        );
      }
    }
  }
  const checks = await listChecks(db, recordId, 'asc', all);
  const events = await listDeltaEvents(db, recordId, { changesOnly: false }, 'asc', all);
  const { recordNo } = await getRecord(db, recordId);
  const principal = {
    kind: 'account',
    accountId,
    credentialId: newId('apiKey'),
    scope: 'read',
    tier: 'max',
  } as const;
  for (const { id } of checks) said.push(await findCheck(db, recordId, id));
  for (const { id } of events) {
    said.push(await findDeltaEvent(db, recordId, id));
    said.push((await findRecordOfEvent(db, principal, id))?.id);
    said.push(await listDeltaRows(db, { id, recordId, recordNo }, all));
  }
  for (const { number, detectedAt } of events) {
    const edges = [-1, 0, 1].map((ms) => new Date(detectedAt.getTime() + ms));
    const filters: Omit<DeltaFilter, 'changesOnly'>[] = [
      { sinceNumber: number },
      { untilNumber: number },
      ...edges.flatMap((time) => [{ sinceTime: time }, { untilTime: time }]),
      ...edges.map((time) => ({ sinceTime: time, untilNumber: number + 2 })),
    ];
    for (const filter of filters) {
      for (const order of ['asc', 'desc'] as const) {
        const page = { after: null, limit: 2 };
        said.push(await listDeltaEvents(db, recordId, { ...filter, changesOnly: false }, order, page, 5));
      }
    }
    said.push(await listActivity(db, recordId, { step: 'hour', since: new Date(0), until: detectedAt }));
    const since = { step: 'day', since: detectedAt, until: new Date('2100-01-01') } as const;
    said.push(await listActivity(db, recordId, since));
  }
  said.push(await findLatestDeltaEvent(db, recordId));
  said.push(await listChecksNotMade(db, recordId, [...checks.map(({ id }) => id), 'chk_never']));
  return said;
}

it('reads as if each short row were a check and an event', async () => {
  expect.hasAssertions();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(steps, fc.boolean()), { minLength: 1, maxLength: 2 }),
      async (histories) => {
        const ids: string[] = [];
        for (const [history, hasWebhook] of histories) {
          ids.push(await makeHistory([...history, 'unchanged', 'unchanged'], hasWebhook));
        }
        const read = async () => {
          const said: unknown[] = [];
          for (const id of ids) said.push(await readAll(id));
          return said;
        };
        const before = await read();
        expect(await countShort()).toBeGreaterThan(0);
        // The migration's way back makes a check and an event of each.
        await down(db);
        await up(db);
        expect(await countShort()).toBe(0);
        expect(await read()).toEqual(before);
      },
    ),
    propertyRuns(12),
  );
});

describe('an unchanged check', () => {
  it('is one short row, from an equal body and from equal rows', async () => {
    const recordId = await makeRecord(db, { accountId });
    await commitTable(db, recordId, table({ a: '1' }));
    const rows = async () => [await countShort(), await db('checks').where({ recordId }), await db('delta_events').where({ recordId })].map((each) => (Array.isArray(each) ? each.length : each)); // prettier-ignore
    const [short = 0] = await rows();
    await unchanged(recordId);
    await commitTable(db, recordId, table({ a: '1' }));
    expect(await rows()).toEqual([short + 2, 1, 1]);
  });

  it.each([
    ['that ends a failure', async (recordId: string) => { await failed(recordId); await unchanged(recordId); }],
    ['with repeated rows', (recordId: string) => commitTable(db, recordId, table({ a: '1' }), { body: { rows: 2 } })],
    [
      'with warnings',
      (recordId: string) =>
        commitTable(db, recordId, table({ a: '1' }), {
          body: { warnings: [{ code: 'short_rows', count: 1, samples: ['a'] }] as never },
        }),
    ],
  ])('%s says more, and has a check and an event', async (_what, commit) => {
    const recordId = await makeRecord(db, { accountId });
    await commitTable(db, recordId, table({ a: '1' }));
    const short = await countShort();
    await commit(recordId);
    expect(await countShort()).toBe(short);
    expect(await db('delta_events').where({ recordId })).toHaveLength(2);
  }); // prettier-ignore
});

it('is found by the id of its kind alone', async () => {
  const recordId = await makeRecord(db, { accountId });
  await commitTable(db, recordId, table({ a: '1' }));
  await unchanged(recordId);
  const [check] = await listChecks(db, recordId, 'desc', { after: null, limit: 1 });
  const { id = '', deltaEventId = '' } = check ?? {};
  expect(await findCheck(db, recordId, id)).toMatchObject({ deltaEventId });
  expect(await findDeltaEvent(db, recordId, deltaEventId ?? '')).toMatchObject({ number: 2 });
  expect(await findCheck(db, recordId, deltaEventId ?? '')).toBeUndefined();
  expect(await findDeltaEvent(db, recordId, id)).toBeUndefined();
  const other = await makeRecord(db, { accountId });
  expect(await findCheck(db, other, id)).toBeUndefined();
  expect(await findDeltaEvent(db, other, deltaEventId ?? '')).toBeUndefined();
});

describe('one check', () => {
  async function countWaiting(): Promise<number> {
    const waiting = await db('pg_stat_activity').where({
      datname: db.raw('current_database()'),
      waitEventType: 'Lock',
    });
    return waiting.length;
  }

  it.each([
    ['unchanged, then failed', [unchanged, failed]],
    ['failed, then unchanged', [failed, unchanged]],
    ['unchanged twice', [unchanged, unchanged]],
  ])('that two workers commit as %s is there once, whatever each of them saw', async (_ways, ways) => {
    const recordId = await makeRecord(db, { accountId });
    await commitTable(db, recordId, table({ a: '1' }));
    const id = newId('check');
    const commits: Promise<unknown>[] = [];
    // Each statement begins before the other has written anything.
    await db.transaction(async (lock) => {
      await lock('record_heads').where({ recordId }).forUpdate();
      for (const [at, commit] of ways.entries()) {
        commits.push(commit(recordId, id));
        await until('it waits for the head', async () => (await countWaiting()) > at);
      }
    });
    await Promise.all(commits);
    const checks = await listChecks(db, recordId, 'asc', { after: null, limit: 10 });
    expect(checks.map(({ number }) => number)).toEqual([1, 2]);
    expect((await getRecord(db, recordId)).eventNumber).toBe(checks[1]?.outcome === 'unchanged' ? 2 : 1);
  });

  it('is refused to a worker of the earlier version, which does not know short rows', async () => {
    const recordId = await makeRecord(db, { accountId });
    await commitTable(db, recordId, table({ a: '1' }));
    const id = newId('check');
    await unchanged(recordId, id);
    const insert = db.raw(
      `insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome)
       values (?, ?, 3, 'schedule', now(), now(), 'failed')`,
      [id, recordId],
    );
    await expect(insert).rejects.toMatchObject({ code: '23505', constraint: 'checks_pkey' });
  });
});

it('moves its head without writing an index', async () => {
  const recordId = await makeRecord(db, { accountId });
  await commitTable(db, recordId, table({ a: '1' }));
  const statistics = async () => {
    await db.raw('select pg_stat_force_next_flush()');
    const [row] = await rawRows<{ all: number; hot: number }>(
      db,
      `select n_tup_upd as all, n_tup_hot_upd as hot from pg_stat_user_tables where relname = 'record_heads'`,
    );
    return row ?? { all: 0, hot: 0 };
  };
  const CHECKS = 100;
  const before = await statistics();
  for (let made = 0; made < CHECKS; made += 1) await unchanged(recordId);
  const after = await until('the statistics are there', async () => {
    const now = await statistics();
    return now.all >= before.all + CHECKS ? now : undefined;
  });
  expect((after.hot - before.hot) / (after.all - before.all)).toBeGreaterThan(0.9);
});
