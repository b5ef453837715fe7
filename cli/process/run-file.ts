// Lists the processes that a run has started, so that the next run can end those of a killed one.
import { readFileSync, rmSync } from 'node:fs';
import { endProcess, type EndOptions } from './end-process.ts';
import { processStart } from './process-identity.ts';
import { writeWhole } from './write-whole.ts';

interface RunEntry {
  name: string;
  pid: number;
  start: string;
  end: EndOptions;
}

export interface RunFile {
  /** Notes a process that this run has just started. */
  add: (entry: Pick<RunEntry, 'name' | 'pid' | 'end'>) => void;
  remove: () => void;
}

export function openRunFile(path: string): RunFile {
  const entries: RunEntry[] = [];
  return {
    add: ({ name, pid, end }) => {
      const start = processStart(pid);
      if (start === undefined) return;
      entries.push({ name, pid, start, end });
      writeWhole(path, JSON.stringify(entries, null, 2), { mode: 0o600 });
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/**
 * Ends the processes of an earlier run that still exist, last started first.
 * Compares start times, so it never ends another process that has got the same id.
 * @returns the names of those it ended
 */
export async function endLeftovers(path: string): Promise<string[]> {
  const leftovers = readEntries(path).filter(({ pid, start }) => processStart(pid) === start);
  for (const { pid, end } of leftovers.toReversed()) await endProcess(pid, { ...end, graceMs: 5_000 });
  rmSync(path, { force: true });
  return leftovers.map(({ name }) => name);
}

function readEntries(path: string): RunEntry[] {
  try {
    // Written by openRunFile above and by nobody else.
    const entries: RunEntry[] = JSON.parse(readFileSync(path, 'utf8'));
    return entries;
  } catch {
    return [];
  }
}
