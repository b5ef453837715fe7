// When the next check is due, as a record's workflow asks after each signal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRows } from '../../../db/driver/knex.ts';
import {
  findRecord,
  readCheckTimes,
  type RecordChanges,
  setNextCheck,
  updateRecord,
} from '../../../db/records/records.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { until } from '../../support/until.ts';

let bench: ActivityBench;
let origin: Origin;
let paths = 0;

const BODY = { body: 'id,name\n1,one\n2,two' };
const BUSY = { status: 503, headers: { 'retry-after': '7200' } };
const HOURS = 3_600_000;

beforeAll(async () => {
  bench = await openActivityBench();
  origin = await startOrigin();
});

afterAll(async () => {
  await origin.close();
  await bench.close();
});

const nextPath = (): string => `/plan-${(paths += 1)}.csv`;

/** A record whose checks see these answers, one after the other. */
async function makeChecked(path: string, ...answers: Parameters<Origin['set']>[1][]): Promise<string> {
  const id = await bench.makeRecord({ url: origin.url + path });
  for (const answer of answers) await checkAgain(id, path, answer);
  return id;
}

async function checkAgain(id: string, path: string, answer: Parameters<Origin['set']>[1]): Promise<void> {
  origin.set(path, answer);
  await bench.check(id);
}

async function dueInMs(id: string): Promise<number> {
  const { plan } = await bench.run(({ planCheck }) => planCheck(id));
  if (plan.kind !== 'check') throw new Error(`No check is planned: ${plan.kind}`);
  return plan.inMs;
}

const change = (id: string, changes: RecordChanges) => updateRecord(bench.database.db, id, changes);

describe('after a failed check', () => {
  it('regression: a record that never had a good one waits as long as its origin asked for', async () => {
    const id = await makeChecked(nextPath(), BUSY);
    expect(await dueInMs(id)).toBeGreaterThan(1.9 * HOURS);
    await change(id, { name: 'Another name', checkIntervalSeconds: 60 });
    expect(await dueInMs(id)).toBeGreaterThan(1.9 * HOURS);
  });

  it.each([
    [
      { 'retry-after': '7200' },
      ' The next check comes later than planned, because the origin asked for a wait (Retry-After).',
    ],
    [
      { 'retry-after': '999999999' },
      ' The next check comes later than planned, because the origin asked for a wait (Retry-After).',
    ],
    [{ 'retry-after': '1' }, ''],
    [{}, ''],
  ])('the record says why it waits, with %j', async (headers, words) => {
    const id = await makeChecked(nextPath(), { status: 503, headers });
    const record = await findRecord(bench.database.db, id);
    expect(record?.lastErrorDetail).toMatch(/Status 503\./);
    expect(record?.lastErrorDetail?.split('Status 503.')[1]).toBe(words);
  });

  it.each<[string, RecordChanges]>([
    ['URL', { url: 'http://127.0.0.1:1/' }],
    ['key', { keyFields: ['name'] }],
    ['format', { format: 'jsonl', dialectVersion: 7 }],
  ])('another %s makes the next one due at once', async (_what, changes) => {
    const id = await makeChecked(nextPath(), BUSY);
    await change(id, changes);
    expect(await dueInMs(id)).toBe(0);
  });

  it('regression: at a new URL, or of a new format, the next one waits too', async () => {
    const [path, other] = [nextPath(), nextPath()];
    const id = await makeChecked(path, BODY);
    await change(id, { url: origin.url + other });
    expect(await dueInMs(id)).toBe(0);
    await checkAgain(id, other, BUSY);
    expect(await dueInMs(id)).toBeGreaterThan(1.9 * HOURS);
    await change(id, { url: origin.url + path, format: 'jsonl', dialectVersion: 8 });
    expect(await dueInMs(id)).toBe(0);
    await checkAgain(id, path, BUSY);
    expect(await dueInMs(id)).toBeGreaterThan(1.9 * HOURS);
  });
});

it('regression: a body that is held at a new URL is confirmed no sooner than planned', async () => {
  const rows = (count: number) => ({
    body: ['id,name', ...Array.from({ length: count }, (_, n) => `${n},n`)].join('\n'),
  });
  const [path, other] = [nextPath(), nextPath()];
  const id = await makeChecked(path, rows(40));
  await change(id, { url: origin.url + other });
  const config = { ...bench.deps.config, heldRecheckSeconds: 600 };
  origin.set(other, rows(2));
  const activities = bench.otherProcess({ config });
  const check = bench.newCheck(id);
  const fetched = await bench.run(() => activities.fetchSource(check));
  if (fetched.kind !== 'fetched') throw new Error('Nothing was fetched');
  await bench.run(() => activities.recordDelta({ ...check, ...fetched }));
  expect(await dueInMs(id)).toBeGreaterThan(500_000);
});

it('regression: a check that is committed while the plan is made keeps the time that it has planned', async () => {
  const id = await makeChecked(nextPath(), BODY);
  const { db } = bench.database;
  await setNextCheck(db, id, 0);
  const commit = await db.transaction();
  await commit.raw(
    `update record_heads set check_number = check_number + 1, next_check_at = now() + interval '3 hours',
       origin_asked_at = now() where record_id = ?`,
    [id],
  );
  const planning = dueInMs(id);
  await until('the plan waits for the commit', async () => {
    const waiting = await rawRows(
      db,
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  });
  await commit.commit();
  expect(await planning).toBeGreaterThan(0);
  expect((await readCheckTimes(db, id)).untilDueMs).toBeGreaterThan(0);
});
