// How late an account's checks are while another account has many more due records than the system can check.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { seedAccount } from '../cli/start/seed-demo.ts';
import { waitFor } from '../cli/process/wait-for.ts';
import { parseConfig } from '../core/config.ts';
import { makeId } from '../core/ids.ts';
import { type Database, rawRows } from '../db/driver/knex.ts';
import { insertRecord } from '../db/records/records.ts';
import { startOrigin } from './origin.ts';
import { percentile } from './statistics.ts';
import { TASK_QUEUES, watchRecordId, WORKFLOW_TYPES } from '../workflows/contract.ts';
import type { System } from './system.ts';

interface FairnessOptions {
  /** Of the account that floods the system. */
  records: number;
  /** KEY_ENCRYPTION_KEYS of the system. */
  keys: string;
  /** Windows of a minute, without the flood and with it. */
  rounds: number;
}

interface Lags {
  checks: number;
  medianMs: number;
  p99Ms: number;
}

export interface FairnessResult {
  records: number;
  /** Due records of the flooding account when the last lag was measured. */
  due: number;
  floodChecksPerSecond: number;
  quiet: Lags;
  /** Beside a flood that is over in a minute or two. */
  beside: Lags;
  flooded: Lags;
}

/** The account whose lags are measured. */
const FEW = { records: 40, intervalSeconds: 4 };
const WINDOW_MS = 60_000;
/** Of this, every due time is seen: they last for seconds. */
const LOOK_EVERY_MS = 500;
const SLEEPS_SECONDS = 100_000;
const STARTED_AT_ONCE = 50;
/** Enough to keep the processors busy for a minute. */
const SMALL_FLOOD = 4_000;
/** How long it takes to make a record and to start its workflow, generously. */
const START_MS = 8;

export async function measureFairness(
  system: System,
  { records, keys, rounds }: FairnessOptions,
  report: (text: string) => void,
): Promise<FairnessResult> {
  const { db, dev } = system;
  const origin = await startOrigin();
  const connection = await Connection.connect({ address: dev.temporalAddress });
  const temporal = new Client({ connection, namespace: dev.temporalNamespace });
  const { keyEncryptionKeys } = parseConfig({ KEY_ENCRYPTION_KEYS: keys });
  const { accountId } = await seedAccount(db, keyEncryptionKeys);
  const make = (owner: string, size: { records: number; intervalSeconds: number }, startsAtMs: number) =>
    makeRecords(db, temporal, { accountId: owner, originUrl: origin.url, ...size, startsAtMs });

  const few = await make(accountId, FEW, Date.now());
  await untilChecked(db, few, few.length);
  const measure = async (name: string): Promise<number[]> => {
    const lagsMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const more = await measureLags(db, few);
      report(`fairness, ${name}, round ${round}: ${words(more)}`);
      lagsMs.push(...more);
    }
    return lagsMs;
  };
  const quiet = await measure('without the flood');

  /** Makes records of another account, which are due at the same moment, and comes back when the first are checked. */
  const flood = async (size: number): Promise<string[]> => {
    report(`fairness: ${size} records of another account are made, which will be due at the same time`);
    const startsAtMs = Date.now() + size * START_MS;
    const ids = await make(dev.accountId, { records: size, intervalSeconds: SLEEPS_SECONDS }, startsAtMs);
    await untilChecked(db, ids, 1, Math.max(0, startsAtMs - Date.now()));
    report(`fairness: the flood runs; ${await dueOf(db, ids)} records are due`);
    return ids;
  };
  const some = await flood(Math.min(records, SMALL_FLOOD));
  const beside = await measure('with a small flood');
  await untilChecked(db, some, some.length);

  const many = await flood(records);
  const before = await countOf(db, many, CHECKED);
  const beganAtMs = performance.now();
  const flooded = await measure('with the flood');
  const seconds = (performance.now() - beganAtMs) / 1_000;
  const floodChecksPerSecond = ((await countOf(db, many, CHECKED)) - before) / seconds;
  // Each is checked once, so there were more of them before.
  const due = await dueOf(db, many);
  await connection.close();
  await origin.close();
  return {
    records,
    due,
    floodChecksPerSecond,
    quiet: lagsOf(quiet),
    beside: lagsOf(beside),
    flooded: lagsOf(flooded),
  };
}

const lagsOf = (lagsMs: readonly number[]): Lags => ({
  checks: lagsMs.length,
  medianMs: percentile(lagsMs, 50),
  p99Ms: percentile(lagsMs, 99),
});

const words = (lagsMs: readonly number[]): string => {
  const { checks, medianMs, p99Ms } = lagsOf(lagsMs);
  return `${medianMs.toFixed(0)} ms median, ${p99Ms.toFixed(0)} ms p99 of ${checks} checks`;
};

/** Makes records, and lets their workflows start at the given time. */
async function makeRecords(
  db: Database,
  temporal: Client,
  of: {
    accountId: string;
    originUrl: string;
    records: number;
    intervalSeconds: number;
    startsAtMs: number;
  },
): Promise<string[]> {
  const ids = Array.from({ length: of.records }, () => makeId('record', Date.now(), randomUUID()));
  const makeOne = async (id: string): Promise<void> => {
    await insertRecord(db, {
      id,
      accountId: of.accountId,
      slug: id.replace('_', '-'),
      name: 'Due',
      url: `${of.originUrl}/${id}`,
      tier: 'max',
      format: null,
      delimiter: null,
      rowsPath: null,
      keyFields: ['id'],
      ignoreFields: [],
      checkIntervalSeconds: of.intervalSeconds,
    });
    await temporal.workflow.start(WORKFLOW_TYPES.watchRecord, {
      workflowId: watchRecordId(id),
      taskQueue: TASK_QUEUES.records,
      args: [{ recordId: id }],
      startDelay: Math.max(1, of.startsAtMs - Date.now()),
    });
  };
  for (let at = 0; at < ids.length; at += STARTED_AT_ONCE) {
    const some = ids.slice(at, at + STARTED_AT_ONCE);
    await Promise.all(some.map(makeOne));
    // Before that, reconciling would find them overdue.
    await rawRows(
      db,
      `update record_heads set next_check_at = to_timestamp(:seconds::float8) where record_id = any(:some)`,
      { seconds: of.startsAtMs / 1_000, some },
    );
  }
  return ids;
}

async function untilChecked(
  db: Database,
  ids: readonly string[],
  atLeast: number,
  startsInMs = 0,
): Promise<void> {
  await waitFor(async () => (await countOf(db, ids, CHECKED)) >= atLeast || undefined, {
    what: `${atLeast} records have been checked`,
    timeoutMs: startsInMs + FIRST_CHECKS_WITHIN_MS,
    intervalMs: LOOK_EVERY_MS,
  });
}

const FIRST_CHECKS_WITHIN_MS = 5 * 60_000;
const DUE = 'count(*) filter (where next_check_at < now())';
const CHECKED = 'count(*) filter (where check_number > 0)';

const dueOf = (db: Database, ids: readonly string[]): Promise<number> => countOf(db, ids, DUE);

async function countOf(db: Database, ids: readonly string[], what: string): Promise<number> {
  const heads = `select ${what} as n from record_heads where record_id = any(:ids)`;
  return Number((await rawRows<{ n: string }>(db, heads, { ids: [...ids] }))[0]?.n);
}

interface Head {
  recordNo: string;
  checkNumber: number;
  nextCheckAt: Date;
}

/** Remembers when each check is due, and reads afterwards when it began. */
async function measureLags(db: Database, ids: readonly string[]): Promise<number[]> {
  const dueAtMs = new Map<string, number>();
  const nameOf = (recordNo: string, number: number) => `${recordNo} ${number}`;
  const endsAtMs = performance.now() + WINDOW_MS;
  while (performance.now() < endsAtMs) {
    const heads: Head[] = await db('record_heads')
      .whereIn('recordId', ids)
      .select('recordNo', 'checkNumber', 'nextCheckAt');
    for (const { recordNo, checkNumber, nextCheckAt } of heads) {
      dueAtMs.set(nameOf(recordNo, checkNumber + 1), nextCheckAt.getTime());
    }
    await pause(LOOK_EVERY_MS);
  }
  const untilMs = Date.now();
  // The last ones of each record may not have begun yet.
  await pause(FEW.intervalSeconds * 1_000);
  const checks: { recordNo: string; number: number; startedAt: Date }[] = await db('unchanged_checks')
    .whereIn('recordNo', db('record_heads').whereIn('recordId', ids).select('recordNo'))
    .select('recordNo', 'number', 'startedAt');
  const beganAtMs = new Map(
    checks.map(({ recordNo, number, startedAt }) => [nameOf(recordNo, number), startedAt.getTime()]),
  );
  // A check that has not begun is as late as it is now, at least.
  return [...dueAtMs]
    .filter(([, dueMs]) => dueMs < untilMs)
    .map(([name, dueMs]) => (beganAtMs.get(name) ?? Date.now()) - dueMs);
}

export function fairnessRows({
  records,
  due,
  floodChecksPerSecond,
  quiet,
  beside,
  flooded,
}: FairnessResult): string[][] {
  const lags = ({ checks, medianMs, p99Ms }: Lags): string =>
    `${p99Ms.toFixed(0)} ms (median ${medianMs.toFixed(0)}, ${checks} checks)`;
  return [
    [
      `Lag of an account’s checks beside ${records} records of another, p99, to that without them`,
      (flooded.p99Ms / quiet.p99Ms).toFixed(2),
      '<= 1.50',
      `${lags(flooded)} to ${lags(quiet)}; at least ${due} of them due, ${floodChecksPerSecond.toFixed(0)} checked a second`,
    ],
    [
      `The same to that beside ${Math.min(records, SMALL_FLOOD)} records`,
      (flooded.p99Ms / beside.p99Ms).toFixed(2),
      'none',
      lags(beside),
    ],
  ];
}
