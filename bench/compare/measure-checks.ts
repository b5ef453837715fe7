// Whole checks of a large record by the running system: the first, changed ones, unchanged ones.
import { createHash } from 'node:crypto';
import { createWriteStream, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { rawRows } from '../../db/driver/knex.ts';
import { cpuSecondsOf } from '../processes.ts';
import { median } from '../statistics.ts';
import type { System } from '../system.ts';
import type { FileOrigin } from './file-origin.ts';
import { watchRecord } from './watched-record.ts';

export interface CheckTimes {
  firstMs: number;
  /** COPY of the first check's rows, by the server from its own disk, into a table with the same indexes. */
  copyMs: number;
  changedMs: number;
  counts: { new: number; changed: number; deleted: number };
  sameBytesMs: number;
  /** Draining the same answer, hashing it and writing it to disk. */
  drainMs: number;
  /** The first page of what two snapshots compare to, the slowest of some pairs. */
  firstPageMs: number;
  workerPeakBytes: number;
}

export interface CheckedFeed {
  format: 'csv' | 'jsonl';
  ignoreFields: string[];
  /** Two versions, told apart by turns. */
  files: [string, string];
  folder: string;
  rounds: number;
}

export async function measureChecks(
  system: System,
  origin: FileOrigin,
  feed: CheckedFeed,
): Promise<CheckTimes> {
  const { db } = system;
  const worker = system.processes()['worker']?.[0] ?? raise('The worker is not running');
  // Resets the peak that the kernel counts.
  writeFileSync(`/proc/${worker}/clear_refs`, '5');
  const record = await watchRecord(system, origin, feed);
  const { id } = record;
  const firstMs = await record.check(feed.files[0]);
  const { ms: copyMs } = await copyRowsOf(system, id);
  const changed: number[] = [];
  const same: number[] = [];
  const drained: number[] = [];
  for (let round = 0; round < feed.rounds; round++) {
    const file = feed.files[(round + 1) % 2] ?? '';
    changed.push(await record.check(file));
    same.push(await record.check(file));
    drained.push(await drain(origin.url, join(feed.folder, 'drained')));
  }
  const peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${worker}/status`, 'utf8'))?.[1]);
  const [counts = { new: NaN, changed: NaN, deleted: NaN }] = await rawRows<CheckTimes['counts']>(
    db,
    'select new_count as "new", changed_count as changed, deleted_count as deleted from delta_events where record_id = ? and number = 2',
    [id],
  );
  const firstPageMs = await measureFirstPage(system, id);
  await record.remove();
  return {
    firstMs,
    copyMs,
    counts,
    changedMs: median(changed),
    sameBytesMs: median(same),
    drainMs: median(drained),
    firstPageMs,
    workerPeakBytes: peakKb * 1024,
  };
}

/** The first snapshot with the second, and with the last. */
async function measureFirstPage({ api, db }: System, recordId: string): Promise<number> {
  const ids: string[] = await db('snapshots').where({ recordId }).orderBy('sequence').pluck('id');
  const times: number[] = [];
  const others = ids.slice(1);
  for (const to of others.filter((_, at) => at === 0 || at === others.length - 1)) {
    const beganMs = performance.now();
    await api.call('GET', `/v1/sources/${recordId}/compare?from=${ids[0]}&to=${to}`);
    await api.call('GET', `/v1/sources/${recordId}/compare/rows?from=${ids[0]}&to=${to}`);
    times.push(performance.now() - beganMs);
  }
  return Math.max(...times);
}

/** Copies the record's rows into a table with the same indexes, by the server from its own disk. */
export async function copyRowsOf(
  { db, dev }: System,
  recordId: string,
): Promise<{ ms: number; cpuMs: number }> {
  const [folder] = await rawRows<{ path: string }>(db, `select current_setting('data_directory') as path`);
  // The server may have another user, who may write there.
  const file = join(folder?.path ?? raise('PostgreSQL has no folder'), 'rows.copy');
  const rows = `select row_versions.* from row_versions join record_heads using (record_no) where record_id = '${recordId}'`;
  await db.raw(`copy (${rows}) to '${file}'`);
  await db.raw('create table bench_rows (like row_versions including all)');
  const cpuSeconds = (): number => cpuSecondsOf(dev.pids['postgresql'] ?? 0);
  const [beganMs, began] = [performance.now(), cpuSeconds()];
  await db.raw(`copy bench_rows from '${file}'`);
  const copied = { ms: performance.now() - beganMs, cpuMs: (cpuSeconds() - began) * 1_000 };
  await db.raw('drop table bench_rows');
  rmSync(file);
  return copied;
}

async function drain(url: string, file: string): Promise<number> {
  const beganMs = performance.now();
  const { body } = await fetch(url);
  if (body === null) throw new Error('There is no body');
  const hash = createHash('sha256');
  await pipeline(
    body,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(file),
  );
  hash.digest();
  return performance.now() - beganMs;
}

function raise(message: string): never {
  throw new Error(message);
}
