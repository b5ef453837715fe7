// Measures how fast a fleet checks, and how much of the machine it uses.
import { setTimeout as pause } from 'node:timers/promises';
import { cpuSecondsOf, machineCpuSeconds } from '../processes.ts';
import type { System } from '../system.ts';
import type { Fleet } from './fleet.ts';

export interface Rate {
  checksPerSecond: number;
  /** Processors in use on average, by process; `others` is what has nothing to do with the measurement. */
  cores: Record<string, number>;
  /** Of worker, Temporal, PostgreSQL and origin together. */
  cpuMsPerCheck: number;
  /** Transactions that the database committed; a statement on its own is one. */
  transactionsPerCheck: number;
}

const WARM_UP_MS = 6_000;
const WINDOW_MS = 12_000;

/** Sets the fleet going, measures for a while once it runs evenly, and brings it to rest. */
export async function measureRate(system: System, fleet: Fleet): Promise<Rate> {
  await fleet.start();
  await pause(WARM_UP_MS);
  const before = await look(system, fleet);
  await pause(WINDOW_MS);
  const after = await look(system, fleet);
  await fleet.rest();
  const seconds = (after.timeMs - before.timeMs) / 1_000;
  const checks = after.checks - before.checks;
  const cores: Record<string, number> = {};
  for (const [name, value] of Object.entries(after.cpu)) {
    cores[name] = (value - (before.cpu[name] ?? 0)) / seconds;
  }
  const ours = Object.values(cores).reduce((sum, value) => sum + value, 0);
  cores['others'] = (after.machine - before.machine) / seconds - ours;
  return {
    checksPerSecond: checks / seconds,
    cores,
    cpuMsPerCheck: (ours * seconds * 1_000) / checks,
    transactionsPerCheck: (after.transactions - before.transactions) / checks,
  };
}

interface Look {
  checks: number;
  timeMs: number;
  transactions: number;
  /** Seconds of processor time since the start of the machine, and of each process. */
  machine: number;
  cpu: Record<string, number>;
}

async function look({ db, dev }: System, { checksDone, workerPid }: Fleet): Promise<Look> {
  const checks = await checksDone();
  const timeMs = performance.now();
  const row = await db('pg_stat_database')
    .where('datname', db.raw('current_database()'))
    .first('xact_commit as commits');
  return {
    checks,
    timeMs,
    transactions: Number(row?.commits),
    machine: machineCpuSeconds(),
    cpu: {
      worker: cpuSecondsOf(workerPid),
      Temporal: cpuSecondsOf(dev.pids['temporal'] ?? 0),
      PostgreSQL: cpuSecondsOf(dev.pids['postgresql'] ?? 0),
      API: cpuSecondsOf(dev.pids['api'] ?? 0),
      // The origin, and this measuring.
      origin: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    },
  };
}
