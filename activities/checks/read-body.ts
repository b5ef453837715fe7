// Reading a stored body as its record asks for it, and what is not believed of one that was read.
import { ignoreTest } from '../../core/delta/ignored-fields.ts';
import type { DialectHints } from '../../core/delta/detect-dialect.ts';
import { ROW_LIMITS, type RowLimits } from '../../core/delta/model.ts';
import { inChunks } from '../../core/delta/raw/read-at.ts';
import { openRows, type ReadSummary, type RowReader } from '../../core/delta/read-rows.ts';
import { CheckError } from '../../core/errors.ts';
import { isHeaderInForce, startsOver } from '../../core/generation.ts';
import { TIERS } from '../../core/tiers.ts';
import type { ReadBody } from '../../db/commit/commit-facts.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import { BlobNotFound } from '../blobs/blob-store.ts';
import type { ActivityDeps } from '../deps.ts';
import { knownDialect, knownKey, rereadingHints } from './rule-in-force.ts';

export interface StoredBody {
  sha256: string;
  sizeBytes: number;
  contentType: string | null;
}

export interface OpenedBody {
  reader: RowReader;
  limits: RowLimits;
}

/** Each costs a turn of the event loop. */
const MAX_CHUNK_BYTES = 1024 * 1024;

/** The time that was given for reading is over. */
export class ReadTooSlow extends Error {}

export interface Reading {
  /** Undefined: to be chosen. */
  keyFields: readonly string[] | undefined;
  /** Whether it is the accepted body, of which it is known how it is written. */
  isAccepted?: boolean;
  /** When to give up, with ReadTooSlow: in milliseconds since the epoch. */
  untilMs?: number;
}

/** @throws CheckError the body is not what the record needs, or not there any more */
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
      if (Date.now() > untilMs) throw new ReadTooSlow('The body is not read to its end');
      yield chunk;
    }
  };
  const limits = { ...ROW_LIMITS, maxRows: TIERS[record.tier].maxRows };
  const reader = await openRows(openBody, {
    ...(isAccepted ? rereadingHints(record) : hintsOf(record)),
    contentType: body.contentType ?? undefined,
    keyFields,
    ignoreFields: record.ignoreFields,
    limits,
  }).catch((error: unknown) => {
    throw error instanceof BlobNotFound ? new CheckError('body_not_kept') : error;
  });
  return { reader, limits };
}

const hintsOf = (record: TrackedRecord): DialectHints => ({
  format: record.format ?? undefined,
  delimiter: record.delimiter ?? undefined,
  rowsPath: record.rowsPath ?? undefined,
  headerRow: record.headerRow ?? undefined,
  dialect: knownDialect(record),
});

/** @throws CheckError the rows that were read are not those of the record */
export function describeBody(
  record: TrackedRecord,
  { key, dialect, remarks }: Pick<RowReader, 'key' | 'dialect' | 'remarks'>,
  { columns, rowCount, warnings }: ReadSummary,
  body: StoredBody,
): ReadBody {
  const isIgnored = ignoreTest(record.ignoreFields, dialect.format);
  const isBare = rowCount === 0 && columns.length === 0;
  // Without a header, nothing tells delimited text or lines that lost their rows from an answer that lost its body.
  if (isBare && dialect.format !== 'json') throw new CheckError('empty_body');
  if (!isBare && !startsOver(record) && isHeaderInForce(record)) refuseForeignTable(record, columns);
  return {
    sha256: body.sha256,
    bytes: body.sizeBytes,
    rows: rowCount,
    // An empty array says nothing about columns.
    columns: isBare && !startsOver(record) ? record.columns.filter((column) => !isIgnored(column)) : columns,
    key: {
      fields: [...key.fields],
      source: record.keyFields === null ? 'detected' : 'given',
      evidence: record.keyFields === null ? (key.evidence ?? record.keyEvidence) : null,
    },
    dialect,
    warnings: [...remarks, ...warnings],
  };
}

/**
 * Rows without a key are known by their content, so every one of them would seem deleted when a body of something
 * else comes: an error in plain text, another delimiter, a renamed header. Rows with a key need its column.
 */
function refuseForeignTable({ totalRows, columns: known }: TrackedRecord, columns: readonly string[]): void {
  if (totalRows === 0 || known.length === 0 || columns.some((column) => known.includes(column))) return;
  throw new CheckError('malformed_body', 'None of the columns that the record had is there.');
}
