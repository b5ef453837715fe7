// Reads what processes use from /proc: memory, processor time, children.
import { readdirSync, readFileSync } from 'node:fs';

export interface Memory {
  /** Resident memory; what processes share counts in each of them. */
  rssBytes: number;
  /** Resident memory; what processes share is divided among them, so sums are true. */
  pssBytes: number;
}

/** Of the kernel's interface to user space; the same on every Linux. */
const TICKS_PER_SECOND = 100;

interface Stat {
  parent: number;
  /** Its own and that of its children that have ended. */
  cpuSeconds: number;
}

/** A process and all below it that live now. */
export function processTree(root: number): number[] {
  const parents = livePids().map((pid) => [pid, readStat(pid)?.parent] as const);
  const tree = [root];
  for (const pid of tree) tree.push(...parents.flatMap(([child, parent]) => (parent === pid ? [child] : [])));
  return tree;
}

export function memoryOf(pids: readonly number[]): Memory {
  const parts = pids.map(readMemory);
  return {
    rssBytes: parts.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
    pssBytes: parts.reduce((sum, { pssBytes }) => sum + pssBytes, 0),
  };
}

/** Processor time that a process and all below it have used since they began. */
export function cpuSecondsOf(root: number): number {
  return processTree(root).reduce((sum, pid) => sum + (readStat(pid)?.cpuSeconds ?? 0), 0);
}

/** Processor time that the whole machine has used, with what its host took away. */
export function machineCpuSeconds(): number {
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/) ?? [];
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = ticks.map(Number);
  return (user + nice + system + irq + softirq + stolen) / TICKS_PER_SECOND;
}

const livePids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Undefined for a process that has ended. */
function readStat(pid: number): Stat | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === '') return undefined;
  // The second field is the program's name in parentheses, and may itself hold spaces and parentheses.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
  return { parent: fields[1] ?? 0, cpuSeconds: ticks / TICKS_PER_SECOND };
}

function readMemory(pid: number): Memory {
  const text = read(`/proc/${pid}/smaps_rollup`);
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
  return { rssBytes: field('Rss'), pssBytes: field('Pss') };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
