// The comparison alone, in a process of its own: from a body and an index on disk to the rows that differ, parsed.
// `node bench/compare/step.ts index|compare FOLDER FORMAT ROWS` prints a StepResult.
import type { KeyedRow } from '../../core/delta/keys/keyed-row.ts';
import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ROW_LIMITS, type Dialect } from '../../core/delta/model.ts';
import { compareBytes, headerHash } from '../../core/delta/raw/compare-bytes.ts';
import type { ReadAt } from '../../core/delta/raw/read-at.ts';
import { rowBytes } from '../../core/delta/raw/row-bytes.ts';
import { createRowIndexWriter, readRowIndex } from '../../core/delta/raw/row-index.ts';
import { createRowMatcher } from '../../core/delta/raw/row-matcher.ts';
import { COLUMNS } from './make-feed.ts';

export interface StepResult {
  rounds: { ms: number; cpuMs: number }[];
  unmatched: number;
  peakBytes: number;
}

const [what, folder = '', format = 'csv', rows] = process.argv.slice(2);
const file = (version: number): string => join(folder, `${version}.${format}`);
const indexFile = join(folder, `1.${format}.rows`);
const isCsv = format === 'csv';
const dialect: Dialect = {
  format: isCsv ? 'csv' : 'jsonl',
  delimiter: isCsv ? ',' : null,
  charset: 'utf-8',
  rowsPath: '',
};
const identity = { sha256: 'bench', generation: 1, dialect, keyFields: ['id'], ignoreFields: [], rules: {} };
function newMatcher() {
  const bytes = rowBytes(identity);
  if (bytes === undefined) throw new Error('Rows cannot be told by their bytes');
  return createRowMatcher(bytes);
}

async function withFile<T>(path: string, work: (read: ReadAt) => Promise<T>): Promise<T> {
  await using handle = await open(path);
  return await work(async (into, at) => (await handle.read(into, 0, into.length, at)).bytesRead);
}
/** The worker that compares has compared before: what counts is the middle one. */
const ROUNDS = 5;

async function writeIndex(): Promise<void> {
  const seed = Buffer.alloc(16, 1);
  const writer = createRowIndexWriter();
  const matcher = newMatcher();
  let rowCount = 0;
  await withFile(file(1), async (read) => {
    async function* bytes() {
      for await (const { entries, count } of matcher.windows(read, seed)) {
        writer.add(entries);
        rowCount += count;
        yield Buffer.from(entries);
      }
      yield writer.end({
        ...identity,
        sizeBytes: statSync(file(1)).size,
        rowCount,
        seed: seed.toString('hex'),
        headerSha256: headerHash(matcher),
        columns: COLUMNS,
      });
    }
    await pipeline(bytes, createWriteStream(indexFile));
  });
}

const compareStep = (): Promise<number> =>
  withFile(indexFile, (readIndex) =>
    withFile(file(2), (read) => withFile(file(1), (readBefore) => compareFiles(readIndex, read, readBefore))),
  );

async function compareFiles(readIndex: ReadAt, read: ReadAt, readBefore: ReadAt): Promise<number> {
  const matcher = newMatcher();
  const index = await readRowIndex(readIndex, identity, { rowCount: Number(rows), numbers: 0 });
  if (index === undefined) throw new Error('There is no index');
  await matcher.before.begin(readIndex, index.rowCount);
  const comparison = compareBytes({
    matcher,
    index,
    read,
    readBefore,
    rule: { ...identity, limits: { ...ROW_LIMITS, maxRows: 20_000_000 } },
    onEntries: () => undefined,
  });
  const left: KeyedRow[] = [];
  for await (const batch of comparison.unmatched()) left.push(...batch);
  const keys = new Set<string>();
  for await (const batch of comparison.unmatchedKeysBefore()) for (const key of batch) keys.add(key);
  return left.length + keys.size;
}

if (what === 'index') await writeIndex();
if (what === 'compare') {
  const rounds: StepResult['rounds'] = [];
  let unmatched = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [beganMs, began] = [performance.now(), process.cpuUsage()];
    unmatched = await compareStep();
    const { user, system } = process.cpuUsage(began);
    rounds.push({ ms: performance.now() - beganMs, cpuMs: (user + system) / 1_000 });
  }
  const peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  const result: StepResult = { rounds, unmatched, peakBytes: peakKb * 1024 };
  console.log(JSON.stringify(result));
}
