// Wraps a blob store so that its operations report progress to the work that uses it (db/driver/pulse.ts).
import { noteProgress } from '../../db/driver/pulse.ts';
import type { BlobStore } from './blob-store.ts';

export function notingProgress(blobs: BlobStore): BlobStore {
  const noted = async <T>(operation: Promise<T>): Promise<T> => {
    const result = await operation;
    noteProgress();
    return result;
  };
  return {
    put: (...body) => noted(blobs.put(...body)),
    open: async (...body) => {
      const reader = await noted(blobs.open(...body));
      return {
        read: (into, at) => noted(reader.read(into, at)),
        [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
      };
    },
    remove: (...body) => noted(blobs.remove(...body)),
    removeAll: (recordId) => noted(blobs.removeAll(recordId)),
    list: (...page) => noted(blobs.list(...page)),
    abandonUploads: (before) => noted(blobs.abandonUploads(before)),
  };
}
