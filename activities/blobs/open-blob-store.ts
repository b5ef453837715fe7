// Opens the blob store of the setting BLOB_STORE.
import { join } from 'node:path';
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { BlobStore } from './blob-store.ts';
import { createFolderBlobs } from './folder-blobs.ts';
import { createS3Blobs } from './s3-blobs.ts';

/** In milliseconds. The client tries three times, so an operation on a silent store fails within 100 s. */
const S3_TIMEOUTS = {
  connectionTimeout: 10_000,
  /** Between two chunks of a body, or until the response to a request. Also while nothing is read (s3-object.ts). */
  socketTimeout: 30_000,
};

/**
 * @param setting empty (RECORDWATCH_HOME/blobs), a folder, or `s3://bucket?endpoint=URL&region=NAME&forcePathStyle=true`. A
 * key pair may precede the bucket (`s3://id:secret@bucket`, percent-encoded); without one, the places of the AWS tools are
 * searched
 * @throws Error that says what is expected, without the setting's text
 */
export function openBlobStore(setting: string, home: string, timeouts = S3_TIMEOUTS): BlobStore {
  const folder = blobFolder(setting, home);
  if (folder !== undefined) return createFolderBlobs(folder);
  const url = URL.parse(setting);
  if (url?.protocol !== 's3:' || url.hostname === '' || !/^\/?$/.test(url.pathname)) {
    throw new Error('BLOB_STORE must be a folder or s3://bucket?endpoint=URL&region=NAME');
  }
  return createS3Blobs(new S3Client(readS3Settings(url, timeouts)), url.hostname);
}

/** The folder that the setting BLOB_STORE names; undefined for S3. */
export function blobFolder(setting: string, home: string): string | undefined {
  if (setting === '') return join(home, 'blobs');
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(setting) ? undefined : setting;
}

function readS3Settings(url: URL, timeouts: typeof S3_TIMEOUTS): S3ClientConfig {
  const { endpoint, region = 'us-east-1', forcePathStyle, ...others } = Object.fromEntries(url.searchParams);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error('BLOB_STORE knows endpoint, region and forcePathStyle only');
  const secretAccessKey = decodeURIComponent(url.password);
  const accessKeyId = decodeURIComponent(url.username);
  return {
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    // Stores other than Amazon's rarely have a host name per bucket.
    forcePathStyle: forcePathStyle === undefined ? endpoint !== undefined : forcePathStyle === 'true',
    ...(accessKeyId === '' ? {} : { credentials: { accessKeyId, secretAccessKey } }),
    // Without timeouts the client would wait without end for a silent store.
    requestHandler: timeouts,
    // Older S3-compatible stores refuse newer checksum headers. The name of a body is its SHA-256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
}
