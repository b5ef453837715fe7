// Opens stored bodies to read their rows, and refuses those whose rows cannot belong to the record.
import { type Dialect, ignoreTest, ROW_LIMITS, type RowLimits } from '../../core/delta/model.ts';
import { inChunks } from '../../core/delta/raw/read-at.ts';
import { scanBody } from '../../core/delta/raw/scan-body.ts';
import {
  isBareBody,
  type OpenBody,
  openRows,
  type ReadSummary,
  type RowReader,
} from '../../core/delta/read-rows.ts';
import { CheckError } from '../../core/errors.ts';
import { isTableInForce, startsOver } from '../../core/generation.ts';
import { TIERS } from '../../core/tiers.ts';
import type { ReadBody } from '../../db/commit/commit-facts.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import { BlobNotFound } from '../blobs/blob-store.ts';
import type { ActivityDeps } from '../deps.ts';
import { echoTestOf, withoutEchoes } from './commit-problem.ts';
import { hintsOf, knownKey, rereadingHints } from './record-rule.ts';

export interface StoredBody {
  /** Hash of the URL and the credentials' version that it was fetched with. */
  urlHash: string;
  sha256: string;
  sizeBytes: number;
  contentType: string | null;
}

interface OpenedBody {
  /** Starts to read it from its start. */
  open: OpenBody;
  reader: RowReader;
  limits: RowLimits;
  /** Whether a text from the body may contain the credentials that the origin was shown. */
  isEcho: (text: string) => boolean;
}

/** Each chunk costs a turn of the event loop. */
const MAX_CHUNK_BYTES = 1024 * 1024;

/** Smaller bodies are parsed before a scan has begun. */
const LEAST_SCANNED_BYTES = 256 * 1024;

/** Reading took longer than allowed. */
export class ReadTooSlow extends Error {}

interface Reading {
  /** Undefined: detect a key. */
  keyFields: readonly string[] | undefined;
  /** Whether it is the accepted body, whose dialect is known. */
  isAccepted?: boolean;
  /** When to give up, with ReadTooSlow: in milliseconds since the epoch. */
  untilMs?: number;
}

/** @throws CheckError the body is not valid for the record, or is no longer stored */
export async function openStoredBody(
  deps: ActivityDeps,
  record: TrackedRecord,
  body: StoredBody,
  { keyFields, isAccepted = false, untilMs = Infinity }: Reading = { keyFields: knownKey(record) },
): Promise<OpenedBody> {
  if (body.sizeBytes === 0) throw new CheckError('empty_body');
  const openBody = async function* (): AsyncGenerator<Uint8Array> {
    await using stored = await deps.blobs.open(record.id, body.sha256);
    for await (const chunk of inChunks(stored.read, Math.min(MAX_CHUNK_BYTES, body.sizeBytes + 1))) {
      if (Date.now() > untilMs) throw new ReadTooSlow('Reading the body took too long');
      yield chunk;
    }
  };
  const limits = { ...ROW_LIMITS, maxRows: TIERS[record.tier].maxRows };
  const reader = await openRows(openBody, {
    ...(isAccepted ? rereadingHints(record) : hintsOf(record)),
    contentType: body.contentType ?? undefined,
    keyFields,
    ignoreFields: record.ignoreFields,
    rules: record.rules,
    limits,
    openScan: body.sizeBytes < LEAST_SCANNED_BYTES ? undefined : scanBody(body.sizeBytes),
  }).catch((error: unknown) => {
    throw error instanceof BlobNotFound ? new CheckError('body_not_kept') : error;
  });
  return { open: openBody, reader, limits, isEcho: await echoTestOf(deps, record, body.urlHash) };
}

/** What a commit needs to know about a body that was read. @throws CheckError the rows cannot belong to the record */
export function describeBody(
  record: TrackedRecord,
  { reader, isEcho }: Pick<OpenedBody, 'reader' | 'isEcho'>,
  { columns, rowCount, warnings, incompleteEnd }: ReadSummary,
  body: StoredBody,
): ReadBody {
  const { key, dialect, remarks } = reader;
  const isIgnored = ignoreTest(record.ignoreFields, dialect.format);
  const isBare = refuseNothing(dialect, { rowCount, columns });
  if (!isBare && !startsOver(record) && isTableInForce(record)) refuseForeignTable(record, columns);
  return {
    sha256: body.sha256,
    bytes: body.sizeBytes,
    rows: rowCount,
    // An empty JSON array has no columns. The record keeps those that it had.
    columns: isBare && !startsOver(record) ? record.columns.filter((column) => !isIgnored(column)) : columns,
    key: {
      fields: [...key.fields],
      source: record.keyFields === null ? 'detected' : 'given',
      evidence: record.keyFields === null ? (key.evidence ?? record.keyEvidence) : null,
    },
    dialect,
    warnings: withoutEchoes([...remarks, ...warnings], isEcho),
    incompleteEnd,
  };
}

/**
 * Without a header, text without rows looks the same as a response that lost its body.
 * @returns whether there are neither rows nor columns
 * @throws CheckError empty_body
 */
export function refuseNothing(dialect: Dialect, read: Pick<ReadSummary, 'rowCount' | 'columns'>): boolean {
  const isBare = isBareBody(dialect, read);
  if (isBare && dialect.format !== 'json') throw new CheckError('empty_body');
  return isBare;
}

/**
 * Refuses a table that shares no column with the record's rows, such as an error in plain text or a body with another
 * delimiter. Without this, all rows of a record without key fields would be reported as deleted.
 */
function refuseForeignTable({ totalRows, columns: known }: TrackedRecord, columns: readonly string[]): void {
  if (totalRows === 0 || known.length === 0 || columns.some((column) => known.includes(column))) return;
  throw new CheckError('malformed_body', 'None of the columns that the record had is there.');
}
