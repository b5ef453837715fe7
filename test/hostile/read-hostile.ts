// Reads one hostile body in a separate process, and prints the result and the peak memory.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { saveBody } from '../../activities/fetch/save-body.ts';
import { ROW_LIMITS } from '../../core/delta/model.ts';
import { openRows } from '../../core/delta/read-rows.ts';
import { CheckError } from '../../core/errors.ts';
import { type Bomb, BOMBS, HOSTILE_BODIES, type HostileBody } from './bodies.ts';

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

async function saveBomb({ encoding, make }: Bomb, sizeBytes: number): Promise<string> {
  const body = Readable.from([await make(sizeBytes)]);
  const headers = encoding === undefined ? {} : { 'content-encoding': encoding };
  const folder = await mkdtemp(join(tmpdir(), 'hostile-'));
  try {
    // saveBody uses only these two members.
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

function read(): Promise<string> {
  const bomb = BOMBS[name];
  if (bomb !== undefined) return saveBomb(bomb, Number(size));
  const hostile = HOSTILE_BODIES[name];
  if (hostile === undefined) throw new Error(`There is no body called ${name}`);
  return readRows(hostile, () => hostile.chunks(Number(size)));
}

const [name = '', size = ''] = process.argv.slice(2);
const started = performance.now();
const outcome = await read().catch((error: unknown) => {
  if (error instanceof CheckError) return `${error.code}: ${error.message}`;
  throw error;
});
const seconds = (performance.now() - started) / 1_000;
const peakMib = process.resourceUsage().maxRSS / 1024;
process.stdout.write(
  JSON.stringify({ outcome, peakMib: Math.round(peakMib), seconds: Number(seconds.toFixed(1)) }),
);
