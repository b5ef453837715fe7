// Reads one hostile body in a process of its own, and prints what it came to and the most memory that it took.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { saveBody } from '../../activities/outbound/save-body.ts';
import { ROW_LIMITS } from '../../core/delta/model.ts';
import { openRows } from '../../core/delta/read-rows.ts';
import { CheckError } from '../../core/errors.ts';
import { HOSTILE_BODIES, type HostileBody } from './bodies.ts';

async function readRows({ format }: HostileBody, chunks: () => Iterable<Buffer>): Promise<string> {
  const open = async function* () {
    yield* await Promise.resolve(chunks());
  };
  const limits = { ...ROW_LIMITS, maxRows: 100_000 };
  const reader = await openRows(open, { format, keyFields: ['id'], ignoreFields: [], limits });
  for await (const rows of reader.batches())
    if (rows.length > limits.maxRows) throw new Error('A batch is too large');
  return `rows: ${reader.summary().rowCount}`;
}

/** A gigabyte of nothing for every megabyte, in many members, in one layer or two. */
async function saveBomb(sizeBytes: number, layers: number): Promise<string> {
  const member = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const inner = Buffer.concat(Array<Buffer>(Math.ceil(sizeBytes / (64 * 1024 * 1024))).fill(member));
  const body = Readable.from([layers === 1 ? inner : zstdCompressSync(inner)]);
  const headers = layers === 1 ? {} : { 'content-encoding': 'zstd' };
  const folder = await mkdtemp(join(tmpdir(), 'hostile-'));
  try {
    // Of a response, only these two are looked at.
    const response = { body, headers } as unknown as Dispatcher.ResponseData;
    const { signal } = new AbortController();
    const { sizeBytes: saved } = await saveBody(response, {
      file: join(folder, 'body'),
      path: '/',
      maxBytes: 2 ** 40,
      signal,
    });
    return `saved: ${saved}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const [name = '', size = ''] = process.argv.slice(2);
const hostile = HOSTILE_BODIES[name];
const started = performance.now();
const reading =
  hostile === undefined
    ? saveBomb(Number(size), name === 'a bomb' ? 1 : 2)
    : readRows(hostile, () => hostile.chunks(Number(size)));
const outcome = await reading.catch((error: unknown) => {
  if (error instanceof CheckError) return `${error.code}: ${error.message}`;
  throw error;
});
const seconds = (performance.now() - started) / 1_000;
const peakMib = process.resourceUsage().maxRSS / 1024;
process.stdout.write(
  JSON.stringify({ outcome, peakMib: Math.round(peakMib), seconds: Number(seconds.toFixed(1)) }),
);
