// The faults that a cluster is given: each is injected, held for a while, and ended.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FaultyCluster, TEMPORAL_TO_DATABASE } from './cluster.ts';

/** A fault that lasts. */
export interface Fault {
  /** `network: black hole`. */
  kind: string;
  /** What it hits. */
  where: string;
  holdMs: number;
  begin: () => void;
  end: () => void;
}

type Random = () => number;

const pick = <T>(random: Random, from: readonly T[]): T => {
  const one = from[Math.floor(random() * from.length)];
  if (one === undefined) throw new Error('There is nothing to choose from');
  return one;
};
const between = (random: Random, low: number, high: number): number => low + random() * (high - low);

/** Sends SIGKILL to a process that lives. @returns its name; undefined: it was just being started again */
export function killOne(cluster: FaultyCluster, random: Random): string | undefined {
  const [name, pid] = pick(random, Object.entries(cluster.pids()));
  return signal(pid, 'SIGKILL') ? name : undefined;
}

export function drawFault(cluster: FaultyCluster, random: Random): Fault {
  const kinds = [
    ...[slow, broken, blackHole, blackHole].map((make) => () => make(cluster, random)),
    () => frozen(cluster, random),
    ...(cluster.disks.length > 0 ? [() => fullDisk(cluster, random)] : []),
    ...(cluster.clocks.size > 0 ? [() => clockStep(cluster, random)] : []),
  ];
  return pick(random, kinds)();
}

function slow({ links }: FaultyCluster, random: Random): Fault {
  const [where, proxy] = pick(random, [...links]);
  const delayMs = between(random, 100, 1_500);
  return {
    kind: 'network: latency',
    where,
    holdMs: between(random, 1_000, 6_000),
    begin: () => proxy.slowDown(delayMs),
    end: () => proxy.slowDown(0),
  };
}

function broken({ links }: FaultyCluster, random: Random): Fault {
  const [where, proxy] = pick(random, [...links]);
  return { kind: 'network: reset', where, holdMs: 0, begin: proxy.sever, end: () => undefined };
}

/**
 * Half of them stay silent on the connections of that time, as when a firewall has forgotten them. Not those of Temporal to its
 * database: the server has no time limit for an answer there, and waits for minutes with all of its shards.
 */
function blackHole({ links }: FaultyCluster, random: Random): Fault {
  const [where, proxy] = pick(random, [...links]);
  const isForgotten = random() < 0.5 && where !== TEMPORAL_TO_DATABASE;
  return {
    kind: 'network: black hole',
    where,
    holdMs: between(random, 1_000, 12_000),
    begin: () => proxy.silence({ newOnes: true }),
    end: () => {
      proxy.heal();
      if (!isForgotten) proxy.sever();
    },
  };
}

/** Stops a process for longer or shorter than a heartbeat may be late. It then continues as if nothing had been. */
function frozen(cluster: FaultyCluster, random: Random): Fault {
  const [where, pid] = pick(
    random,
    // Sessions of PostgreSQL are processes of their own, which would continue.
    Object.entries(cluster.pids()).filter(([name]) => !name.includes('postgresql')),
  );
  return {
    kind: 'process: frozen',
    where,
    holdMs: between(random, 1_000, 12_000),
    begin: () => void signal(pid, 'SIGSTOP'),
    end: () => void signal(pid, 'SIGCONT'),
  };
}

function fullDisk({ disks }: FaultyCluster, random: Random): Fault {
  const folder = pick(random, disks);
  const file = join(folder, 'fills-the-disk');
  return {
    kind: 'disk: full',
    where: folder.includes('blob') ? 'blobs' : 'spool of the workers',
    holdMs: between(random, 1_000, 6_000),
    begin: () => fill(file),
    end: () => rmSync(file, { force: true }),
  };
}

function clockStep({ clocks }: FaultyCluster, random: Random): Fault {
  const [where, file] = pick(random, [...clocks]);
  const seconds = Math.round(between(random, -30, 30));
  return {
    kind: 'clock: step',
    where,
    holdMs: between(random, 2_000, 8_000),
    begin: () => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}`),
    end: () => writeFileSync(file, '+0'),
  };
}

/** Writes until there is no space. */
function fill(file: string): void {
  const block = Buffer.alloc(64 * 1024);
  try {
    for (;;) writeFileSync(file, block, { flag: 'a' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}

/** @returns whether there was such a process */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
