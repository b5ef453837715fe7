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
import { wakeAll } from './fleet/fleet.ts';
import { startOrigin } from './origin.ts';
import { percentile } from './statistics.ts';
import type { System } from './system.ts';

interface FairnessOptions {
  /** Of the account that floods the system. */
  records: number;
  /** KEY_ENCRYPTION_KEYS of the system. */
  keys: string;
  rounds: number;
}

interface Lags {
  checks: number;
  medianMs: number;
  p99Ms: number;
}

export interface FairnessResult {
  records: number;
  /** The fewest due records of the flooding account that were seen while the lags were measured. */
  due: number;
  floodChecksPerSecond: number;
  quiet: Lags;
  flooded: Lags;
}

/** The account whose lags are measured. */
const FEW = { records: 40, intervalSeconds: 4 };
const WINDOW_MS = 60_000;
/** Of this, every due time is seen: they last for seconds. */
const LOOK_EVERY_MS = 500;
const SLEEPS_SECONDS = 100_000;
const WOKEN_AT_ONCE = 50;
const SECONDS_FOR_ONE = 0.5;

/** Measures without the flood and with it, in turns. */
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
  report(`fairness: ${records} records of one account and ${FEW.records} of another are made`);
  const many = await makeRecords(system, temporal, dev.accountId, origin.url, {
    records,
    intervalSeconds: SLEEPS_SECONDS,
  });
  const few = await makeRecords(system, temporal, accountId, origin.url, FEW);
  const lagsMs = { quiet: [] as number[], flooded: [] as number[] };
  let due = records;
  let floodChecks = 0;
  for (let round = 0; round < rounds; round += 1) {
    lagsMs.quiet.push(...(await measureLags(db, few, () => Promise.resolve())));
    await flood(system, temporal, many);
    report('fairness: the flood runs');
    const before = await countOf(db, many, CHECKS);
    const look = async (): Promise<void> => {
      due = Math.min(due, await dueOf(db, many));
    };
    lagsMs.flooded.push(...(await measureLags(db, few, look)));
    floodChecks += (await countOf(db, many, CHECKS)) - before;
    await calm(db, many);
    report(
      `fairness, round ${round}: ${words(lagsMs.quiet)} without the flood, ${words(lagsMs.flooded)} with it`,
    );
  }
  await connection.close();
  await origin.close();
  const seconds = (rounds * WINDOW_MS) / 1_000;
  const { quiet, flooded } = lagsMs;
  return {
    records,
    due,
    floodChecksPerSecond: floodChecks / seconds,
    quiet: lagsOf(quiet),
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

/** Makes records, and comes back when each was checked once. */
async function makeRecords(
  { db }: System,
  temporal: Client,
  accountId: string,
  originUrl: string,
  { records, intervalSeconds }: { records: number; intervalSeconds: number },
): Promise<string[]> {
  const ids = Array.from({ length: records }, () => makeId('record', Date.now(), randomUUID()));
  for (let at = 0; at < ids.length; at += WOKEN_AT_ONCE) {
    const some = ids.slice(at, at + WOKEN_AT_ONCE);
    for (const id of some) {
      await insertRecord(db, {
        id,
        accountId,
        slug: id.replace('_', '-'),
        name: 'Due',
        url: `${originUrl}/${id}`,
        tier: 'max',
        format: null,
        delimiter: null,
        rowsPath: null,
        keyFields: ['id'],
        ignoreFields: [],
        checkIntervalSeconds: intervalSeconds,
      });
    }
    await wakeAll(temporal, some);
    await waitFor(async () => (await countOf(db, some, NEVER_CHECKED)) === 0 || undefined, {
      what: `${at + some.length} records have been checked`,
      timeoutMs: WOKEN_AT_ONCE * SECONDS_FOR_ONE * 10_000,
    });
  }
  return ids;
}

/** Lets all of them be due, again as soon as they are checked. */
async function flood({ db }: System, temporal: Client, ids: readonly string[]): Promise<void> {
  await setInterval(db, ids, 1);
  for (let at = 0; at < ids.length; at += WOKEN_AT_ONCE) {
    await wakeAll(temporal, ids.slice(at, at + WOKEN_AT_ONCE));
  }
  await waitFor(async () => (await dueOf(db, ids)) > ids.length * 0.9 || undefined, {
    what: 'the records are due',
    timeoutMs: ids.length * SECONDS_FOR_ONE * 1_000 + 60_000,
    intervalMs: 1_000,
  });
}

/** Each record sleeps after its next check. */
async function calm(db: Database, ids: readonly string[]): Promise<void> {
  await setInterval(db, ids, SLEEPS_SECONDS);
  await waitFor(async () => (await dueOf(db, ids)) === 0 || undefined, {
    what: 'no record is due',
    timeoutMs: ids.length * SECONDS_FOR_ONE * 1_000 + 60_000,
    intervalMs: 1_000,
  });
}

const setInterval = (db: Database, ids: readonly string[], seconds: number) =>
  rawRows(db, 'update records set check_interval_seconds = :seconds where id = any(:ids)', {
    ids: [...ids],
    seconds,
  });

const DUE = 'count(*) filter (where next_check_at < now())';
const NEVER_CHECKED = 'count(*) filter (where check_number = 0)';
const CHECKS = 'sum(check_number)';

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
async function measureLags(
  db: Database,
  ids: readonly string[],
  look: () => Promise<void>,
): Promise<number[]> {
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
    await look();
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
  ];
}
