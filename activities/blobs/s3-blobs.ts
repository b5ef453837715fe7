// Bodies in S3 or a compatible store. Large bodies are uploaded in parts.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  ListObjectsV2Command,
  type MultipartUpload,
  NoSuchUpload,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { noteProgress } from '../../db/driver/pulse.ts';
import { readChunks } from '../../core/delta/raw/read-at.ts';
import {
  BlobDamaged,
  blobKey,
  blobPrefix,
  type BlobStore,
  isBlobKey,
  isRowIndexName,
  rowIndexName,
} from './blob-store.ts';
import { openS3Object } from './s3-object.ts';

/** With S3's maximum of 10,000 parts this is enough for the largest body of any tier. */
const PART_BYTES = 16 * 1024 * 1024;

export function createS3Blobs(client: S3Client, bucket: string): BlobStore {
  const remove = async (key: string): Promise<void> => {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  };
  return {
    put: async (recordId, name, filePath) => {
      const params = { Bucket: bucket, Key: blobKey(recordId, name), Body: createReadStream(filePath) };
      const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: 2 });
      upload.on('httpUploadProgress', noteProgress);
      await upload.done();
      await rm(filePath);
    },
    open: async (recordId, name) => {
      const { chunks, close } = await openS3Object(client, { Bucket: bucket, Key: blobKey(recordId, name) });
      return {
        read: readChunks(isRowIndexName(name) ? chunks : verified(chunks, name)),
        [Symbol.asyncDispose]: () => Promise.resolve(close()),
      };
    },
    remove: async (recordId, sha256) => {
      await remove(blobKey(recordId, rowIndexName(sha256)));
      await remove(blobKey(recordId, sha256));
    },
    removeAll: async (recordId) => {
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: blobPrefix(recordId) });
      for await (const { Contents = [] } of pages) {
        // One by one, because a record has few, and not every store supports deleting many at once.
        for (const { Key } of Contents) if (Key !== undefined) await remove(Key);
      }
    },
    list: async (afterKey, limit) => {
      const page = { Bucket: bucket, MaxKeys: limit, ...(afterKey !== '' && { StartAfter: afterKey }) };
      const { Contents = [], IsTruncated } = await client.send(new ListObjectsV2Command(page));
      const all = Contents.map(({ Key = '' }) => Key);
      return { keys: all.filter(isBlobKey), next: IsTruncated === true ? (all.at(-1) ?? null) : null };
    },
    abandonUploads: async (before) => {
      for await (const { Key = '', UploadId, Initiated } of openUploads(client, bucket)) {
        if (!isBlobKey(Key) || Initiated === undefined || Initiated >= before) continue;
        const gone = (error: unknown): void => {
          if (!(error instanceof NoSuchUpload)) throw error;
        };
        await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })).catch(gone);
      }
    },
  };
}

/**
 * A body that is shorter, or another one, would be taken for changes of the data. So its last chunk comes only when all of it
 * is what its name says. A row index ends in a digest of its own.
 * @throws BlobDamaged
 */
async function* verified(chunks: AsyncIterable<Uint8Array>, sha256: string): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  let last: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    digest.update(chunk);
    noteProgress();
    if (last.length > 0) yield last;
    last = chunk;
  }
  if (digest.digest('hex') !== sha256) throw new BlobDamaged('The store gave other bytes than the body has');
  yield last;
}

/** Incomplete multipart uploads. Their parts take space, and no listing of objects shows them. */
async function* openUploads(client: S3Client, bucket: string): AsyncGenerator<MultipartUpload> {
  let from: Pick<ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'> = {};
  for (;;) {
    const page = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, ...from }));
    yield* page.Uploads ?? [];
    if (page.IsTruncated !== true) return;
    from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}
