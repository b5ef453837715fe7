// Measures requests a second of three reads, beside a bare server that runs the same statements and sends the same bytes;
// then the same with a hundred times as many records.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { median } from '../statistics.ts';
import type { System } from '../system.ts';
import type { BareAnswer, BareOrder } from './bare-server.ts';
import { type Call, type Load, load } from './load.ts';
import { bareRoutes, namesOf, pathOf, type Read, READS } from './reads.ts';
import { ACCOUNTS, seedRecords, seedTargets, type Target } from './seed.ts';

const SECONDS = 4;
/** All records in the end: 10,000. */
const RECORDS_PER_ACCOUNT = 10_000 / ACCOUNTS;

interface ReadResult {
  /** Requests a second, to those of the bare server. */
  ratio: number;
  p99Ms: number;
  bareP99Ms: number;
  /** With few records to with many, each to what the machine could do at that time. */
  slowdown: number;
}

export type ApiResult = Record<Read, ReadResult>;

interface Servers {
  ours: string;
  bare: string;
}

export async function measureApi(
  system: System,
  rounds: number,
  report: (text: string) => void,
): Promise<ApiResult> {
  const targets = await seedTargets(system.db);
  const bare = await startBare(system, targets);
  const servers = { ours: system.dev.baseUrl, bare: bare.url };
  try {
    const few = await measureRounds(servers, targets, rounds, report);
    report(`api: making ${ACCOUNTS * RECORDS_PER_ACCOUNT} records with their events`);
    await seedRecords(system.db, 2, RECORDS_PER_ACCOUNT);
    const many = await measureRounds(servers, targets, rounds, report);
    const results = namesOf(READS).map((read) => [read, resultOf(few[read], many[read])] as const);
    // Entries of the very names of READS.
    return Object.fromEntries(results) as ApiResult;
  } finally {
    bare.stop();
  }
}

/** A server that does what the reads of the targets do, and nothing else. */
async function startBare(system: System, targets: readonly Target[]) {
  const child = fork(fileURLToPath(new URL('bare-server.ts', import.meta.url)), {
    env: { PATH: process.env['PATH'] },
    // Buffers stay buffers.
    serialization: 'advanced',
  });
  const answered = once(child, 'message');
  child.send({
    databaseUrl: system.dev.databaseUrl,
    routes: await bareRoutes(system, targets),
  } satisfies BareOrder);
  // The child sends this one message.
  const [{ url }] = (await answered) as [BareAnswer];
  return { url, pid: child.pid ?? 0, stop: () => child.disconnect() };
}

interface Round {
  ours: Load;
  bare: Load;
  /** Requests a second that ask for nothing: how fast the machine is at the moment. */
  idle: number;
}

type Rounds = Record<Read, Round[]>;

async function measureRounds(
  servers: Servers,
  targets: readonly Target[],
  rounds: number,
  report: (text: string) => void,
): Promise<Rounds> {
  const all = Object.fromEntries(namesOf(READS).map((read) => [read, []])) as unknown as Rounds;
  for (let round = 0; round <= rounds; round += 1) {
    for (const read of namesOf(READS)) {
      const calls = targets.map((target) => callOf(read, target));
      const ours = await load(servers.ours, calls, SECONDS);
      const bare = await load(servers.bare, calls, SECONDS);
      const { requestsPerSecond: idle } = await load(servers.bare, [{ path: '/nothing', headers: {} }], 1);
      report(
        `api, round ${round}, ${read}: ${ours.requestsPerSecond.toFixed(0)} requests/s to ${bare.requestsPerSecond.toFixed(0)}`,
      );
      // The first round fills caches.
      if (round > 0) all[read].push({ ours, bare, idle });
    }
  }
  return all;
}

const callOf = (read: Read, target: Target): Call => ({
  path: pathOf(read, target),
  headers: { authorization: `Bearer ${target.apiKey}` },
});

function resultOf(few: readonly Round[], many: readonly Round[]): ReadResult {
  const speed = (rounds: readonly Round[]) =>
    median(rounds.map(({ ours, idle }) => ours.requestsPerSecond / idle));
  return {
    ratio: median(few.map(({ ours, bare }) => ours.requestsPerSecond / bare.requestsPerSecond)),
    p99Ms: median(few.map(({ ours }) => ours.p99Ms)),
    bareP99Ms: median(few.map(({ bare }) => bare.p99Ms)),
    slowdown: speed(few) / speed(many),
  };
}
