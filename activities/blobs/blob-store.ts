// The interface of blob stores, which hold bodies, and the names of bodies.
import type { ReadAt } from '../../core/delta/raw/read-at.ts';
import { isId } from '../../core/ids.ts';

/**
 * Bodies by record and the SHA-256 of their bytes (64 hexadecimal digits), each with a row index, which is removed with it.
 * Record ids and names of another form throw.
 */
export interface BlobStore {
  /**
   * Moves a file into the store. When this resolves, the body is durable and the file is gone. A stored body with this name
   * stays.
   */
  put: (recordId: string, name: string, filePath: string) => Promise<void>;
  /**
   * The caller must dispose of the reader.
   * @throws BlobNotFound
   */
  open: (recordId: string, name: string) => Promise<BlobReader>;
  /** Removes a body and its row index. Does nothing if they do not exist. */
  remove: (recordId: string, sha256: string) => Promise<void>;
  /** Erases every body of a record. */
  removeAll: (recordId: string) => Promise<void>;
  /**
   * Keys of bodies and row indexes after the given one, in order: at most `limit`.
   * @returns `next`: the key to continue after; null at the end
   */
  list: (afterKey: string, limit: number) => Promise<{ keys: string[]; next: string | null }>;
  /** Removes incomplete uploads that began before this time. */
  abandonUploads: (before: Date) => Promise<void>;
}

export interface BlobReader extends AsyncDisposable {
  read: ReadAt;
}

export class BlobNotFound extends Error {
  constructor(key: string) {
    super(`No body is stored as ${key}`);
    this.name = 'BlobNotFound';
  }
}

/** The store gives other bytes than the body has. */
export class BlobDamaged extends Error {
  override name = 'BlobDamaged';
}

/** The name of a body's row index. */
export const rowIndexName = (sha256: string): string => sha256 + ROW_INDEX_END;

export const isRowIndexName = (name: string): boolean => name.endsWith(ROW_INDEX_END);

const ROW_INDEX_END = '.rows';

/** Whether a key has the form of `blobKey`: a store may contain other things too. */
export const isBlobKey = (key: string): boolean => {
  const [recordId = '', name = '', ...others] = key.split('/');
  return others.length === 0 && isId('record', recordId) && NAME.test(name);
};

const NAME = /^[0-9a-f]{64}(\.rows)?$/;

/** `<recordId>/<name>`, validated, so that it cannot lead to another folder. */
export function blobKey(recordId: string, name: string): string {
  if (!NAME.test(name)) throw new Error('A body is named by 64 hexadecimal digits');
  return blobPrefix(recordId) + name;
}

/** `<recordId>/`, validated. */
export function blobPrefix(recordId: string): string {
  if (!isId('record', recordId)) throw new Error('Bodies are kept under the id of a record');
  return `${recordId}/`;
}
