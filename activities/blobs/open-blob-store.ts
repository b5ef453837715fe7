// Chooses the store of bodies from the setting BLOB_STORE.
import { join } from 'node:path';
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { BlobStore } from './blob-store.ts';
import { createFolderBlobs } from './folder-blobs.ts';
import { createS3Blobs } from './s3-blobs.ts';

/** In milliseconds. The client tries three times, so a silent store fails an operation within 100 s. */
const S3_TIMEOUTS = {
  connectionTimeout: 10_000,
  /** Between two pieces of a body, or until the answer to a request. */
  socketTimeout: 30_000,
};

/**
 * @param setting empty (RECORDWATCH_HOME/blobs), a folder, or
 *   `s3://bucket?endpoint=URL&region=NAME&forcePathStyle=true`; a key pair may stand before the bucket
 *   (`s3://id:secret@bucket`, percent-encoded), else it is found where the AWS tools look for it
 * @throws Error that says what is wanted, without the setting's text
 */
export function openBlobStore(setting: string, home: string, timeouts = S3_TIMEOUTS): BlobStore {
  if (setting === '') return createFolderBlobs(join(home, 'blobs'));
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(setting)) return createFolderBlobs(setting);
  const url = URL.parse(setting);
  if (url?.protocol !== 's3:' || url.hostname === '' || !/^\/?$/.test(url.pathname)) {
    throw new Error('BLOB_STORE must be a folder or s3://bucket?endpoint=URL&region=NAME');
  }
  return createS3Blobs(new S3Client(readS3Settings(url, timeouts)), url.hostname);
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
    // A store that is silent must not hold a check for ever: by itself the client waits without end.
    requestHandler: timeouts,
    // Newer checksum headers are refused by older S3-compatible stores; bodies carry a SHA-256 in their name.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
}
