// Wraps a blob store so that its operations are measured: how long each takes, and whether it fails.
import { durations } from '../../telemetry/instruments.ts';
import { BlobNotFound, type BlobStore } from './blob-store.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

const operations = durations('recordwatch.blob.operation.duration', 'Operations on the blob store.', SECONDS);

export function timedBlobs(blobs: BlobStore): BlobStore {
  return {
    put: (...body) => timed('put', () => blobs.put(...body)),
    open: async (...body) => {
      const reader = await timed('open', () => blobs.open(...body));
      return {
        read: (into, at) => timed('read', () => reader.read(into, at)),
        [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
      };
    },
    remove: (...body) => timed('remove', () => blobs.remove(...body)),
    removeAll: (recordId) => timed('remove_all', () => blobs.removeAll(recordId)),
    list: (...page) => timed('list', () => blobs.list(...page)),
    abandonUploads: (before) => timed('abandon_uploads', () => blobs.abandonUploads(before)),
  };
}

async function timed<T>(operation: string, work: () => Promise<T>): Promise<T> {
  const beganAt = performance.now();
  const end = (result: 'ok' | 'missing' | 'error'): void =>
    operations(performance.now() - beganAt, { operation, result });
  try {
    const done = await work();
    end('ok');
    return done;
  } catch (error) {
    // A body that is not there is an answer, not a fault of the store.
    end(error instanceof BlobNotFound ? 'missing' : 'error');
    throw error;
  }
}
