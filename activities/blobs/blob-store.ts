// What keeps bodies: the interface that every store keeps, and the names that a body may have.
import type { ReadAt } from '../../core/delta/raw/read-at.ts';
import { isId } from '../../core/ids.ts';

/**
 * Bodies by record and SHA-256 of their bytes (64 hexadecimal digits), and beside each its row index, which goes when the
 * body goes. Record ids and names of another form throw.
 */
export interface BlobStore {
  /** Takes a file over: when this resolves, the body is durable and the file is gone. A body already there stays. */
  put: (recordId: string, name: string, filePath: string) => Promise<void>;
  /** To be disposed of. @throws BlobNotFound */
  open: (recordId: string, name: string) => Promise<BlobReader>;
  /** Removes a body and its row index. Removing what is not there is no error. */
  remove: (recordId: string, sha256: string) => Promise<void>;
  /** Erases every body of a record. */
  removeAll: (recordId: string) => Promise<void>;
  /**
   * Keys of bodies and row indexes after the given one, in order: at most `limit`.
   * @returns also the key to go on after; null at the end
   */
  list: (afterKey: string, limit: number) => Promise<{ keys: string[]; next: string | null }>;
  /** Removes what is left of bodies that began to come before then and are not whole. */
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

/** The name of a body's row index. */
export const rowIndexName = (sha256: string): string => `${sha256}.rows`;

/** Whether a key is one that `blobKey` makes: a store may hold other things as well. */
export const isBlobKey = (key: string): boolean => {
  const [recordId = '', name = '', ...others] = key.split('/');
  return others.length === 0 && isId('record', recordId) && NAME.test(name);
};

const NAME = /^[0-9a-f]{64}(\.rows)?$/;

/** `<recordId>/<name>`, checked, so that no part can lead out of its place. */
export function blobKey(recordId: string, name: string): string {
  if (!NAME.test(name)) throw new Error('A body is named by 64 hexadecimal digits');
  return blobPrefix(recordId) + name;
}

/** `<recordId>/`, checked. */
export function blobPrefix(recordId: string): string {
  if (!isId('record', recordId)) throw new Error('Bodies are kept under the id of a record');
  return `${recordId}/`;
}
