// Checks of one large record: processor time and memory beside DuckDB's comparison of the same files and PostgreSQL's COPY of
// the same rows; and, if asked for, beside another checkout's system, in turns.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { rawRows } from '../../db/driver/knex.ts';
import { measureDuckdb, requireSame } from '../compare/measure-compare.ts';
import { copyRowsOf } from '../compare/measure-checks.ts';
import { type FileOrigin, startFileOrigin } from '../compare/file-origin.ts';
import { expectedCounts, writeFeed } from '../compare/make-feed.ts';
import { watchRecord, type WatchedRecord } from '../compare/watched-record.ts';
import { cpuSecondsOf } from '../processes.ts';
import { median } from '../statistics.ts';
import type { System } from '../system.ts';

/** Processor time is of worker and PostgreSQL. */
export interface LargeCost {
  ms: number;
  cpuMs: number;
}

interface LargeSide {
  first: LargeCost;
  changed: LargeCost;
  /** Resident memory of the worker at its peak: in the first check, and in a changed one. */
  peakBytes: { first: number; changed: number };
}

export interface LargeResult {
  rows: number;
  duckdb: LargeCost;
  copy: LargeCost;
  ours: LargeSide;
  /** The other checkout's. */
  beside?: LargeSide;
}

export async function measureLarge(
  systems: readonly System[],
  folder: string,
  { rows, rounds }: { rows: number; rounds: number },
  report: (text: string) => void,
): Promise<LargeResult> {
  const feedFolder = join(folder, `large-${rows}`);
  mkdirSync(feedFolder, { recursive: true });
  const files = [join(feedFolder, '1.csv'), join(feedFolder, '2.csv')] as const;
  report(`large: writing ${rows} rows`);
  await writeFeed(files[0], { rows, format: 'csv', version: 1 });
  await writeFeed(files[1], { rows, format: 'csv', version: 2 });
  const { counts, ...duckdb } = await measureDuckdb(feedFolder, 'csv');
  requireSame(counts, expectedCounts(rows));
  const sides: Side[] = [];
  for (const system of systems) sides.push(await beginSide(system, files[0], report));
  const [side] = sides;
  if (side === undefined) throw new Error('There is no system to measure');
  report('large: COPY');
  const copy = await copyRowsOf(side.system, side.record.id);
  for (let round = 0; round < rounds; round++) {
    const file = files[(round + 1) % 2] ?? '';
    // The order changes from round to round.
    for (const each of round % 2 === 0 ? sides : sides.toReversed()) await checkChanged(each, file, report);
  }
  const [ours, beside] = await Promise.all(sides.map((each) => endSide(each, rows)));
  if (ours === undefined) throw new Error('There is no system to measure');
  return { rows, duckdb, copy, ours, ...(beside !== undefined && { beside }) };
}

interface Side {
  system: System;
  origin: FileOrigin;
  record: WatchedRecord;
  first: LargeCost & { peakBytes: number };
  changed: (LargeCost & { peakBytes: number })[];
}

async function beginSide(system: System, file: string, report: (text: string) => void): Promise<Side> {
  const origin = await startFileOrigin('text/csv');
  const record = await watchRecord(system, origin, { format: 'csv' });
  const first = await checkOf(system, record, file);
  report(`large: first check, ${words(first)}`);
  return { system, origin, record, first, changed: [] };
}

async function checkChanged(
  { system, record, changed }: Side,
  file: string,
  report: (text: string) => void,
): Promise<void> {
  const cost = await checkOf(system, record, file);
  report(`large: changed check, ${words(cost)}`);
  changed.push(cost);
}

async function endSide({ system, origin, record, first, changed }: Side, rows: number): Promise<LargeSide> {
  const [counts = {}] = await rawRows<Record<string, number>>(
    system.db,
    'select new_count as "new", changed_count as changed, deleted_count as deleted from delta_events where record_id = ? and number = 2',
    [record.id],
  );
  requireSame(counts, expectedCounts(rows));
  await origin.close();
  return {
    first: { ms: first.ms, cpuMs: first.cpuMs },
    changed: {
      ms: median(changed.map(({ ms }) => ms)),
      cpuMs: median(changed.map(({ cpuMs }) => cpuMs)),
    },
    peakBytes: {
      first: first.peakBytes,
      changed: Math.max(...changed.map(({ peakBytes }) => peakBytes)),
    },
  };
}

async function checkOf(
  system: System,
  record: WatchedRecord,
  file: string,
): Promise<LargeCost & { peakBytes: number }> {
  const worker = system.dev.pids['worker'] ?? 0;
  // Resets the peak that the kernel counts.
  writeFileSync(`/proc/${worker}/clear_refs`, '5');
  const cost = await costOf(system, () => record.check(file));
  const peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${worker}/status`, 'utf8'))?.[1]);
  return { ...cost, peakBytes: peakKb * 1024 };
}

/** After a commit the worker still stores the row index and removes the body before. */
const SETTLE_MS = 2_000;

/** The time that the work says, and the processor time of worker and PostgreSQL. */
export async function costOf({ dev }: System, work: () => Promise<number>): Promise<LargeCost> {
  const cpu = () => cpuSecondsOf(dev.pids['worker'] ?? 0) + cpuSecondsOf(dev.pids['postgresql'] ?? 0);
  const began = cpu();
  const ms = await work();
  await pause(SETTLE_MS);
  return { ms, cpuMs: (cpu() - began) * 1_000 };
}

const words = ({ ms, cpuMs, peakBytes }: LargeCost & { peakBytes: number }): string =>
  `${(ms / 1_000).toFixed(1)} s, ${(cpuMs / 1_000).toFixed(1)} s of CPU, worker at ${(peakBytes / 1e6).toFixed(0)} MB`;
