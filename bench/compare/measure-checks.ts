// Whole checks of a large record by the running system: the first, changed ones, unchanged ones.
import { createHash } from 'node:crypto';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { waitFor } from '../../cli/process/wait-for.ts';
import { rawRows } from '../../db/knex.ts';
import { median } from '../statistics.ts';
import type { System } from '../system.ts';
import type { FileOrigin } from './file-origin.ts';

export interface CheckTimes {
  firstMs: number;
  /** COPY of the first check's rows, by the server from its own disk, into a table with the same indexes. */
  copyMs: number;
  changedMs: number;
  counts: { new: number; changed: number; deleted: number };
  sameBytesMs: number;
  /** Draining the same answer, hashing it and writing it to disk. */
  drainMs: number;
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

const DEADLINE_MS = 300_000;

export async function measureChecks(
  system: System,
  origin: FileOrigin,
  feed: CheckedFeed,
): Promise<CheckTimes> {
  const { api, db } = system;
  const worker = system.processes()['worker']?.[0] ?? raise('The worker is not running');
  // From here on the kernel counts the peak anew.
  writeFileSync(`/proc/${worker}/clear_refs`, '5');
  origin.serve(null);
  const { format, ignoreFields } = feed;
  const record = await api.call('POST', '/v1/sources', {
    url: origin.url, format, ignoreFields, keyFields: ['id'], checkIntervalMinutes: 60,
  }); // prettier-ignore
  const id = String(record['id']);
  // Records begin on a tier that is too small; the check that creation asks for fails before that is changed.
  await awaitCheck(system, id, 1);
  await db('records').where({ id }).update({ tier: 'max' });
  let number = 1;
  const check = async (): Promise<number> => {
    await api.call('POST', `/v1/sources/${id}/check`);
    return checkMs(system, id, ++number);
  };
  origin.serve(feed.files[0]);
  const firstMs = await check();
  const copyMs = await measureCopy(system, id, feed.folder);
  const changed: number[] = [];
  const same: number[] = [];
  const drained: number[] = [];
  for (let round = 0; round < feed.rounds; round++) {
    origin.serve(feed.files[(round + 1) % 2] ?? '');
    changed.push(await check());
    same.push(await check());
    drained.push(await drain(origin.url, join(feed.folder, 'drained')));
  }
  const peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${worker}/status`, 'utf8'))?.[1]);
  const [counts = { new: NaN, changed: NaN, deleted: NaN }] = await rawRows<CheckTimes['counts']>(
    db,
    'select new_count as "new", changed_count as changed, deleted_count as deleted from delta_events where record_id = ? and number = 2',
    [id],
  );
  await api.call('DELETE', `/v1/sources/${id}`);
  return {
    firstMs,
    copyMs,
    counts,
    changedMs: median(changed),
    sameBytesMs: median(same),
    drainMs: median(drained),
    workerPeakBytes: peakKb * 1024,
  };
}

interface MeasuredCheck {
  ms: number;
  outcome: string;
  error: string | null;
}

/** Waits until a check is there. @returns from its beginning to its commit @throws Error when it failed */
async function checkMs(system: System, recordId: string, number: number): Promise<number> {
  const { ms, outcome, error } = await awaitCheck(system, recordId, number);
  if (outcome === 'changed' || outcome === 'unchanged') return ms;
  throw new Error(`Check ${number} is ${outcome}: ${error}`);
}

function awaitCheck({ db }: System, recordId: string, number: number): Promise<MeasuredCheck> {
  return waitFor(
    async () => {
      const [row] = await rawRows<MeasuredCheck>(
        db,
        `select extract(epoch from finished_at - started_at)::float8 * 1000 as ms, outcome,
           error_code || ' ' || error_detail as error from checks
         where record_id = ? and number = ?`,
        [recordId, number],
      );
      return row;
    },
    { what: `check ${number} is there`, timeoutMs: DEADLINE_MS },
  );
}

async function measureCopy({ db }: System, recordId: string, folder: string): Promise<number> {
  const file = join(folder, 'rows.copy');
  const rows = `select row_versions.* from row_versions join record_heads using (record_no) where record_id = '${recordId}'`;
  await db.raw(`copy (${rows}) to '${file}'`);
  await db.raw('create table bench_rows (like row_versions including all)');
  const beganMs = performance.now();
  await db.raw(`copy bench_rows from '${file}'`);
  const ms = performance.now() - beganMs;
  await db.raw('drop table bench_rows');
  return ms;
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
