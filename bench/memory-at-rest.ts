// Measures the memory of everything that `npm start` runs, a minute after it is ready, process by process.
import { setTimeout as pause } from 'node:timers/promises';
import { memoryOf, type Memory } from './processes.ts';
import type { System } from './system.ts';

export interface MemoryAtRest {
  processes: { name: string; count: number; memory: Memory }[];
  total: Memory;
}

export async function measureMemoryAtRest(system: System, restSeconds: number): Promise<MemoryAtRest> {
  await pause(restSeconds * 1_000);
  const groups = Object.entries(system.processes());
  return {
    processes: groups.map(([name, pids]) => ({ name, count: pids.length, memory: memoryOf(pids) })),
    total: memoryOf(groups.flatMap(([, pids]) => pids)),
  };
}
