// Whether a body that arrives counts as progress of its check.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { saveBody } from '../../../activities/fetch/save-body.ts';
import { type Pulse, withPulse } from '../../../db/driver/pulse.ts';

const BODY = Buffer.from('id,price\n1,5\n');
const HEADER = Buffer.from('1f8b0800000000000003', 'hex');
/** A stored block of no bytes. */
const EMPTY_BLOCK = Buffer.from('000000ffff', 'hex');

function endOf(body: Buffer): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(body), 0);
  trailer.writeUInt32LE(body.length, 4);
  return Buffer.concat([deflateRawSync(body), trailer]);
}

it('regression: compressed data count as progress, although they decompress to nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recordwatch-save-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pulse: Pulse = { hasMoved: false, waits: 0, pausedMs: () => 0, stuck: new Promise(() => undefined) };
  const moved: boolean[] = [];
  const body = async function* (): AsyncGenerator<Buffer> {
    yield HEADER;
    for (let block = 0; block < 5; block += 1) {
      pulse.hasMoved = false;
      yield EMPTY_BLOCK;
      moved.push(pulse.hasMoved);
    }
    yield endOf(BODY);
  };
  const file = join(folder, 'body');
  const options = { file, path: '/feed.csv', maxBytes: 1_000, signal: new AbortController().signal };
  const headers = { 'content-encoding': 'gzip' };
  await withPulse(pulse, () => saveBody({ body: body(), headers }, options));
  expect(readFileSync(file).equals(BODY)).toBe(true);
  expect(moved).toEqual([true, true, true, true, true]);
});
