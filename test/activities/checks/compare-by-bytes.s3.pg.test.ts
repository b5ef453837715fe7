// Comparing large bodies in S3, whose client closes a connection on which nothing is read for a while.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BlobStore } from '../../../activities/blobs/blob-store.ts';
import { openBlobStore } from '../../../activities/blobs/open-blob-store.ts';
import type { CommittedCheck } from '../../../workflows/contract.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { until } from '../../support/until.ts';
import { type S3Server, startS3Server } from '../blobs/s3-server.ts';

const TIMEOUTS = { connectionTimeout: 2_000, socketTimeout: 1_000 };
/** Together more than the buffers of a connection hold. */
const ROWS = 2_000;
const VALUE = 'x'.repeat(10_000);

let bench: ActivityBench;
let s3: S3Server;
let blobs: BlobStore;

beforeAll(async () => {
  bench = await openActivityBench();
  s3 = await startS3Server();
  blobs = openBlobStore(`s3://id:secret@bodies?endpoint=${s3.url}`, 'unused', TIMEOUTS);
  mkdirSync(bench.deps.spoolDir, { recursive: true });
});
afterAll(async () => {
  await s3.close();
  await bench.close();
});

const csv = (changed?: number): Buffer => {
  const rows = Array.from({ length: ROWS }, (_, id) => `${id},${id === changed ? 'other' : VALUE}\n`);
  return Buffer.from(`id,name\n${rows.join('')}`);
};
const sha256Of = (body: Buffer): string => createHash('sha256').update(body).digest('hex');

/** Stores a body as if it had been fetched, and compares it. */
async function compare(recordId: string, body: Buffer, store: BlobStore): Promise<CommittedCheck> {
  const file = join(bench.deps.spoolDir, 'body');
  writeFileSync(file, body);
  await store.put(recordId, sha256Of(body), file);
  const answer = { urlHash: 'u', httpStatus: 200, contentType: 'text/csv', etag: null, lastModified: null };
  const stored = { ...answer, sha256: sha256Of(body), sizeBytes: body.length };
  const input = { ...bench.newCheck(recordId), startedAtMs: Date.now(), body: stored };
  return bench.run(() => bench.otherProcess({ blobs: store }).recordDelta(input));
}

it('regression: finds the changed row, although the previous body is not read for longer than the timeout', async () => {
  const recordId = await bench.makeRecord({
    url: 'https://example.com/feed',
    format: 'csv',
    keyFields: ['id'],
  });
  const [before, now] = [csv(), csv(7)];
  await compare(recordId, before, blobs);
  s3.brokenOff.length = 0;
  /** The new body comes only when the connection of the previous one is gone. */
  const slowly: BlobStore = {
    ...blobs,
    open: async (id, name) => {
      const reader = await blobs.open(id, name);
      if (name !== sha256Of(now)) return reader;
      return {
        ...reader,
        read: async (...into) => {
          const path = `/bodies/${recordId}/${sha256Of(before)}`;
          if (s3.requests.includes(`GET ${path}.rows`))
            await until('the previous body is closed', () => s3.brokenOff.includes(path));
          return reader.read(...into);
        },
      };
    },
  };
  const { words } = await compare(recordId, now, slowly);
  expect(s3.brokenOff).toContain(`/bodies/${recordId}/${sha256Of(before)}`);
  expect(words).toContain('1 changed');
});
