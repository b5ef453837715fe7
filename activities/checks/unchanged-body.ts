// Whether an answer is the accepted body again: the conditions of the request, a 304 that speaks of another body, the same bytes.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { urlHash } from '../../core/crypto/url-hash.ts';
import { encodingOf, MARK_LENGTH, UTF_8 } from '../../core/delta/decode-text.ts';
import { charsetToRead, isReadAsUtf8Again } from '../../core/delta/read-rows.ts';
import { noteProgress } from '../../db/driver/pulse.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { FetchedResponse } from '../fetch/fetch-body.ts';
import { acceptedDialect, isBodyUnread } from './record-rule.ts';

/** Of the URL and the version of the credentials with which a body is fetched. */
export const urlHashOf = ({ url, authVersion }: TrackedRecord): string => urlHash(url, authVersion);

/** Validators of the accepted body, if it came from the same URL with the same credentials. */
export function conditions(record: TrackedRecord): Record<string, string> {
  const { validatedUrlHash, snapshotId, etag, lastModified } = record;
  if (snapshotId === null || isBodyUnread(record) || urlHashOf(record) !== validatedUrlHash) return {};
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

/**
 * Whether a 304 names another validator than the accepted body has (compared weakly), so that it says nothing about that body.
 * Origins that look at the date first, and caches, make such answers (RFC 9111, section 4.3.4).
 */
export function isOfAnotherBody(record: TrackedRecord, { status, headers }: FetchedResponse): boolean {
  if (status !== 'not_modified') return false;
  const { etag, lastModified, isModifiedUnclear } = headers;
  if (etag !== undefined) return record.etag === null || opaqueTag(etag) !== opaqueTag(record.etag);
  if (record.lastModified === null) return false;
  return isModifiedUnclear || (lastModified !== undefined && lastModified !== record.lastModified);
}

const opaqueTag = (etag: string): string => etag.replace(/^W\//, '');

/** Whether a body is the accepted one and has the same charset. The same bytes in another charset are another text. */
export async function isAccepted(
  record: TrackedRecord,
  { sha256, file, headers }: Extract<FetchedResponse, { status: 'ok' }>,
): Promise<boolean> {
  if (sha256 !== record.bodySha256 || record.snapshotId === null || isBodyUnread(record)) return false;
  const dialect = acceptedDialect(record);
  if (dialect === undefined) return true;
  if (dialect.charset === UTF_8 && isReadAsUtf8Again(headers.contentType)) return true;
  const charset = await charsetToRead(() => readWithProgress(file), {
    contentType: headers.contentType,
    dialect,
  });
  return encodingOf(await readStart(file), charset ?? UTF_8) === dialect.charset;
}

async function* readWithProgress(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of createReadStream(path)) {
    noteProgress();
    yield chunk;
  }
}

async function readStart(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MARK_LENGTH));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
