// Bodies in S3 or anything that speaks its protocol. Large ones go up in parts.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { readChunks } from '../../core/delta/raw/read-at.ts';
import { blobKey, blobPrefix, BlobNotFound, type BlobStore, rowIndexName } from './blob-store.ts';

/** 10,000 parts, the most there can be, of this size hold more than the largest body of any tier. */
const PART_BYTES = 16 * 1024 * 1024;

export function createS3Blobs(client: S3Client, bucket: string): BlobStore {
  const remove = async (key: string): Promise<void> => {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  };
  const openStream = async (recordId: string, name: string): Promise<Readable> => {
    const key = blobKey(recordId, name);
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      if (Body instanceof Readable) return Body;
    } catch (error) {
      throw error instanceof NoSuchKey ? new BlobNotFound(key) : error;
    }
    throw new BlobNotFound(key);
  };
  return {
    put: async (recordId, name, filePath) => {
      const params = { Bucket: bucket, Key: blobKey(recordId, name), Body: createReadStream(filePath) };
      await new Upload({ client, params, partSize: PART_BYTES, queueSize: 2 }).done();
      await rm(filePath);
    },
    open: async (recordId, name) => {
      const stream = await openStream(recordId, name);
      return {
        read: readChunks(stream),
        [Symbol.asyncDispose]: () => Promise.resolve(void stream.destroy()),
      };
    },
    remove: async (recordId, sha256) => {
      await remove(blobKey(recordId, rowIndexName(sha256)));
      await remove(blobKey(recordId, sha256));
    },
    removeAll: async (recordId) => {
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: blobPrefix(recordId) });
      for await (const { Contents = [] } of pages) {
        // One by one: a record has a handful, and not every store knows how to delete many at once.
        for (const { Key } of Contents) if (Key !== undefined) await remove(Key);
      }
    },
  };
}
