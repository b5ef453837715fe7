// Checks of many more records than a worker keeps workflows of, as with a million hourly records: each workflow that is needed
// has to be replayed. Temporal runs on PostgreSQL, as a cluster has it.
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { waitFor } from '../cli/process/wait-for.ts';
import { makeId } from '../core/ids.ts';
import { connectOnce } from '../db/driver/connect-once.ts';
import { insertRecord } from '../db/records/records.ts';
import { watchRecordId } from '../workflows/contract.ts';
import { openEmptyFleet } from './fleet/empty-fleet.ts';
import { wakeAll } from './fleet/fleet.ts';
import { type BenchOrigin, startOrigin } from './origin.ts';
import { cpuSecondsOf } from './processes.ts';
import type { System } from './system.ts';

export const COLD_MODES = ['not-modified', 'same-bytes', 'changing'] as const;

export interface ColdOptions {
  /** At least twice as many as the worker caches workflows of. */
  records: number;
  /** Between two checks of a record. */
  intervalSeconds: number;
}

interface ColdRate {
  checks: number;
  /** Milliseconds of processor time for each check, by process, beyond what the process takes at rest. */
  cpuMs: Record<string, number>;
  cpuMsPerCheck: number;
  /** Of the workflows' histories. */
  eventsPerCheck: number;
  /** Rows that Temporal inserted, updated and deleted, also by table, and transactions that it committed. */
  temporalRowsPerCheck: number;
  temporalRowsByTable: Record<string, number>;
  temporalCommitsPerCheck: number;
}

export type ColdResult = ColdOptions &
  Record<(typeof COLD_MODES)[number], ColdRate> & {
    /** Cores that the system takes without a check, by process: 512 shards look for work whether there is some or not. */
    coresAtRest: Record<string, number>;
    /** Attempts of an activity that does nothing, on the same server, at the same interval. */
    empty: ColdRate;
  };

const WOKEN_AT_ONCE = 50;
/** Histories that are looked at; each asks Temporal once. */
const SAMPLE = 200;
/** First checks store a body and rows each, and share two cores with everything else. */
const SECONDS_FOR_A_FIRST_CHECK = 0.5;

/** @returns of each system; they are measured at the same time, each with its own origin */
export const measureColds = (
  systems: readonly System[],
  options: ColdOptions,
  report: (text: string) => void,
): Promise<ColdResult[]> =>
  Promise.all(
    systems.map(async (system, index) => {
      const origin = await startOrigin();
      const tell = (text: string): void => report(`system ${index + 1}, ${text}`);
      const result = await measureCold(system, origin, options, tell);
      await origin.close();
      return result;
    }),
  );

async function measureCold(
  system: System,
  origin: BenchOrigin,
  options: ColdOptions,
  report: (text: string) => void,
): Promise<ColdResult> {
  const { dev, db } = system;
  const connection = await Connection.connect({ address: dev.temporalAddress });
  const temporal = new Client({ connection, namespace: dev.temporalNamespace });
  const { records, intervalSeconds } = options;
  report(`cold: ${REST_SECONDS} s at rest`);
  const coresAtRest = await measureRest(system);
  // First, because nothing else runs yet.
  const empty = await measureEmpty(system, connection, { ...options, coresAtRest }, report);
  report(`cold: ${records} records are made and checked for the first time`);
  const ids = Array.from({ length: records }, () => makeId('record', Date.now(), randomUUID()));
  for (const [index, id] of ids.entries()) {
    await insertColdRecord(system, id, { url: `${origin.url}/${index}`, intervalSeconds });
  }
  const done = async (least: number) =>
    Number((await db('record_heads').where('check_number', '>=', least).count('* as n').first())?.['n']);
  for (let at = 0; at < ids.length; at += WOKEN_AT_ONCE) {
    await wakeAll(temporal, ids.slice(at, at + WOKEN_AT_ONCE));
    // At the pace of the first checks, which would wait in Temporal otherwise.
    await waitFor(async () => (await done(1)) >= at - WOKEN_AT_ONCE || undefined, {
      what: `${at} records have been checked`,
      timeoutMs: WOKEN_AT_ONCE * SECONDS_FOR_A_FIRST_CHECK * 1_000 * 10,
    });
  }
  const sample = ids.slice(0, SAMPLE);
  const look = () => lookAt(system, temporal, ids, sample);
  const measureMode = async (mode: (typeof COLD_MODES)[number]): Promise<ColdRate> => {
    origin.serve(mode);
    // Each record once: what is cached from before is gone.
    await anInterval(intervalSeconds);
    report(`cold: measuring, ${mode}`);
    const before = await look();
    await anInterval(intervalSeconds);
    const rate = compare(before, await look(), { records, coresAtRest });
    report(`cold, ${mode}: ${rate.cpuMsPerCheck.toFixed(1)} ms of CPU a check, ${rate.checks} checks`);
    return rate;
  };
  const result = {
    ...options,
    coresAtRest,
    empty,
    'not-modified': await measureMode('not-modified'),
    'same-bytes': await measureMode('same-bytes'),
    changing: await measureMode('changing'),
  };
  await connection.close();
  return result;
}

async function measureEmpty(
  system: System,
  connection: Connection,
  { records, intervalSeconds, coresAtRest }: ColdOptions & Pick<ColdResult, 'coresAtRest'>,
  report: (text: string) => void,
): Promise<ColdRate> {
  report('cold: activities that do nothing');
  const checkEveryMs = intervalSeconds * 1_000;
  const fleet = await openEmptyFleet(system, connection, { size: records, checkEveryMs });
  await fleet.start();
  await anInterval(intervalSeconds);
  const look = async (): Promise<Look> => {
    const cpuSeconds = {
      ...cpuSecondsByProcess(system.dev.pids),
      'empty worker': cpuSecondsOf(fleet.workerPid),
    };
    const checks = await fleet.checksDone();
    return { checks, timeMs: performance.now(), cpuSeconds, lengths: [], ...(await readWritten(system)) };
  };
  const before = await look();
  await anInterval(intervalSeconds);
  const rate = compare(before, await look(), { records, coresAtRest });
  await fleet.close();
  return rate;
}

const REST_SECONDS = 60;

async function measureRest({ dev }: System): Promise<Record<string, number>> {
  const before = cpuSecondsByProcess(dev.pids);
  await anInterval(REST_SECONDS);
  const after = cpuSecondsByProcess(dev.pids);
  return Object.fromEntries(
    Object.entries(after).map(([name, seconds]) => [name, (seconds - (before[name] ?? 0)) / REST_SECONDS]),
  );
}

const cpuSecondsByProcess = (pids: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(pids).flatMap(([name, pid]) => (name === 'runner' ? [] : [[name, cpuSecondsOf(pid)]])),
  );

const anInterval = (seconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, seconds * 1_000));

async function insertColdRecord(
  { db, dev }: System,
  id: string,
  { url, intervalSeconds }: { url: string; intervalSeconds: number },
): Promise<void> {
  await insertRecord(db, {
    id,
    accountId: dev.accountId,
    slug: id.replace('_', '-'),
    name: 'Cold',
    url,
    tier: 'max',
    format: null,
    delimiter: null,
    rowsPath: null,
    keyFields: ['id'],
    ignoreFields: [],
    checkIntervalSeconds: intervalSeconds,
  });
}

interface Look {
  checks: number;
  timeMs: number;
  cpuSeconds: Record<string, number>;
  /** Lengths of the histories of the sample. */
  lengths: number[];
  temporalRows: Record<string, number>;
  temporalCommits: number;
}

/** Rows written by table, and commits. */
function readWritten({ dev }: System): Promise<Pick<Look, 'temporalRows' | 'temporalCommits'>> {
  return connectOnce(dev.temporalDatabaseUrl ?? '', async (client) => {
    const { rows } = await client.query<{ name: string; written: string }>(
      'select relname as name, n_tup_ins + n_tup_upd + n_tup_del as written from pg_stat_user_tables',
    );
    const { rows: commits } = await client.query<{ commits: string }>(
      'select xact_commit as commits from pg_stat_database where datname = current_database()',
    );
    return {
      temporalRows: Object.fromEntries(rows.map(({ name, written }) => [name, Number(written)])),
      temporalCommits: Number(commits[0]?.commits),
    };
  });
}

async function lookAt(
  system: System,
  temporal: Client,
  ids: readonly string[],
  sample: readonly string[],
): Promise<Look> {
  const { db, dev } = system;
  const lengths = await Promise.all(
    sample.map(async (id) => (await temporal.workflow.getHandle(watchRecordId(id)).describe()).historyLength),
  );
  const checks = await db('record_heads').whereIn('recordId', ids).sum('check_number as done').first();
  return {
    checks: Number(checks?.['done']),
    timeMs: performance.now(),
    cpuSeconds: cpuSecondsByProcess(dev.pids),
    lengths,
    ...(await readWritten(system)),
  };
}

function compare(
  before: Look,
  after: Look,
  { records, coresAtRest }: { records: number; coresAtRest: Readonly<Record<string, number>> },
): ColdRate {
  const checks = after.checks - before.checks;
  const passedMs = after.timeMs - before.timeMs;
  const cpuMs = Object.fromEntries(
    Object.entries(after.cpuSeconds).map(([name, seconds]) => {
      const usedMs = (seconds - (before.cpuSeconds[name] ?? 0)) * 1_000;
      return [name, (usedMs - (coresAtRest[name] ?? 0) * passedMs) / checks];
    }),
  );
  // A run that continued as new begins with a short history.
  const grown = after.lengths
    .map((length, index) => length - (before.lengths[index] ?? 0))
    .filter((growth) => growth >= 0);
  const growth = grown.reduce((sum, events) => sum + events, 0) / Math.max(1, grown.length);
  const rowsByTable = Object.entries(after.temporalRows)
    .map(([name, rows]) => [name, (rows - (before.temporalRows[name] ?? 0)) / checks] as const)
    .filter(([, rows]) => rows > 0.01);
  return {
    checks,
    cpuMs,
    cpuMsPerCheck: Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0),
    eventsPerCheck: (growth * records) / checks,
    temporalRowsPerCheck: rowsByTable.reduce((sum, [, rows]) => sum + rows, 0),
    temporalRowsByTable: Object.fromEntries(rowsByTable),
    temporalCommitsPerCheck: (after.temporalCommits - before.temporalCommits) / checks,
  };
}
