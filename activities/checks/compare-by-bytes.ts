// Commits a large body without reading every row: compares the bytes of its rows with the row index of the previous body, and
// reads only the rows that differ. Makes the row index for the next body.
import type { ReadSummary, RowReader } from '../../core/delta/read-rows.ts';
import type { DeltaCommit, ReadBody } from '../../db/commit/commit-facts.ts';
import { commitDelta, type DeltaOutcome } from '../../db/commit/commit-delta.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import { timeCommit } from '../../telemetry/checks.ts';
import type { ActivityDeps } from '../deps.ts';
import { isAcceptedDialect } from './record-rule.ts';
import { compareBytes, headerHash, isClean } from '../../core/delta/raw/compare-bytes.ts';
import {
  NeedsExactPath,
  OutOfOrder,
  readDecoded,
  type RowBytes,
  rowBytes,
  type RowRule,
} from '../../core/delta/raw/row-bytes.ts';
import type { IndexedBody, RowIndex } from '../../core/delta/raw/row-index.ts';
import { createRowMatcher, type RowMatcher } from '../../core/delta/raw/row-matcher.ts';
import type { RowLimits } from '../../core/delta/model.ts';
import { CheckError } from '../../core/errors.ts';
import { BlobNotFound, type BlobReader, type BlobStore } from '../blobs/blob-store.ts';
import { createRowIndexFile, openRowIndex, type RowIndexFile } from '../blobs/row-index-file.ts';
import {
  createKeptNumbers,
  createReportedNumbers,
  type KeptNumbers,
} from '../../core/delta/raw/reported-numbers.ts';
import { randomBytes } from 'node:crypto';
import { inChunks } from '../../core/delta/raw/read-at.ts';

/** Everything about a commit except the rows. */
export type CommitWithoutRows = Omit<DeltaCommit, 'batches' | 'unmatched'>;

interface ByteCommit {
  record: TrackedRecord;
  body: { sha256: string; sizeBytes: number };
  reader: Pick<RowReader, 'dialect' | 'key'>;
  limits: RowLimits;
  commit: (summary: () => ReadSummary) => CommitWithoutRows;
}

/**
 * Commits by comparing bytes, with the same outcome as reading every row, and stores the body's row index.
 * @returns undefined, with nothing written, when every row must be read, also to find out what is wrong with the body
 */
export async function commitByBytes(
  deps: ActivityDeps,
  input: ByteCommit,
  isWhole?: true,
): Promise<DeltaOutcome | undefined> {
  const { record, reader } = input;
  const { bodySha256, bodyBytes, snapshotId } = record;
  if (snapshotId === null || bodySha256 === null || bodyBytes === null) return undefined;
  if (!isAcceptedDialect(record, reader.dialect)) return undefined;
  const before = { sha256: bodySha256, sizeBytes: bodyBytes };
  const rule = { dialect: reader.dialect, keyFields: reader.key.fields };
  const indexed = indexedBody(deps, record, before, rule);
  if (indexed === undefined) return undefined;
  const file = createRowIndexFile(deps.spoolDir);
  let isOutOfOrder = false;
  try {
    const matcher = createRowMatcher(indexed.bytes, {
      bodyBytes: input.body.sizeBytes,
      segmentRows: deps.segmentRows,
    });
    const size = { rowCount: record.totalRows, numbers: indexed.bytes.tolerant.length };
    const opened = await openRowIndex(deps.blobs, record.id, indexed.identity, size);
    if (opened === undefined) return undefined;
    const { index } = opened;
    await using entries = opened.entries;
    await matcher.before.begin(entries.read, index.rowCount, isWhole);
    return await commitUnmatched(deps, input, { matcher, index, file });
  } catch (error) {
    if (!needsEveryRow(error)) throw error;
    const reason = error instanceof CheckError ? error.code : error.message;
    isOutOfOrder = error instanceof OutOfOrder;
    const what = isOutOfOrder ? 'comparing with all previous rows' : 'reading every row';
    deps.log.info({ recordId: record.id, reason }, what);
  } finally {
    await file.close();
  }
  return isOutOfOrder ? commitByBytes(deps, input, true) : undefined;
}

const needsEveryRow = (error: unknown): error is Error =>
  error instanceof NeedsExactPath || error instanceof CheckError || error instanceof BlobNotFound;

async function commitUnmatched(
  deps: ActivityDeps,
  { record, body, reader, limits, commit }: ByteCommit,
  { matcher, index, file }: { matcher: RowMatcher; index: RowIndex; file: RowIndexFile },
): Promise<DeltaOutcome> {
  const { key } = reader;
  const { ignoreFields, rules } = record;
  const { bytes } = matcher;
  const numbers = createReportedNumbers(bytes.tolerant);
  const kept = createKeptNumbers(bytes.tolerant);
  await using now = await openRowsBody(deps.blobs, { recordId: record.id, sha256: body.sha256, bytes });
  await using before = await openRowsBody(deps.blobs, { recordId: record.id, sha256: index.sha256, bytes });
  const comparison = compareBytes({
    matcher,
    index,
    read: now.read,
    readBefore: before.read,
    rule: {
      dialect: { ...reader.dialect, charset: bytes.charset },
      keyFields: key.fields,
      ignoreFields,
      rules,
      limits,
      rowsPath: record.rowsPath ?? undefined,
    },
    onEntries: file.add,
    onNumbers: numbers.add,
  });
  const { sha256, generation, rowCount, sequence } = index;
  const compared: DeltaCommit = {
    ...commit(comparison.summary),
    batches: comparison.unmatched(),
    onKept: kept.note,
    unmatched: {
      before: { sha256, generation, rowCount, sequence },
      isKeyless: key.fields.length === 0,
      keysBefore: comparison.unmatchedKeysBefore(),
      matchedCount: comparison.matchedCount,
    },
  };
  const outcome = await timeCommit(compared, (timed) => commitDelta(deps.db, timed));
  if (outcome.outcome === 'changed' || outcome.outcome === 'unchanged') {
    const { columns, rowCount } = comparison.summary();
    const next = {
      ...index,
      ...snapshotOf(bytes, outcome),
      sha256: body.sha256,
      sizeBytes: body.sizeBytes,
      columns,
      rowCount,
    };
    await file.keep(deps.blobs, record.id, next, numbers.end(kept)).catch((err: unknown) => {
      deps.log.warn({ err, recordId: record.id }, 'a row index could not be stored');
    });
  }
  return outcome;
}

/** Reading every row of a smaller body is faster than maintaining an index. */
const MIN_BYTES = 1024 * 1024;
const SEED_BYTES = 16;

/** For a commit of all rows, whose index is made afterwards. */
export const keptNumbersOf = (
  { ignoreFields, rules }: TrackedRecord,
  { dialect, key }: Pick<RowReader, 'dialect' | 'key'>,
): KeptNumbers => {
  const bytes = rowBytes({ dialect, keyFields: key.fields, ignoreFields, rules });
  return createKeptNumbers(bytes?.tolerant ?? []);
};

/** Numbers are reported in a snapshot. Without them, an index belongs to its body alone. */
const snapshotOf = ({ tolerant }: RowBytes, { sequence }: { sequence: number }): { sequence?: number } =>
  tolerant.length === 0 ? {} : { sequence };

/** The identity of a body's row index, and how its rows are split; undefined when every row must be read. */
function indexedBody(
  { indexFromBytes = MIN_BYTES }: ActivityDeps,
  record: Pick<TrackedRecord, 'generation' | 'sequence' | 'ignoreFields' | 'rules'>,
  body: { sha256: string; sizeBytes: number },
  { dialect, keyFields }: Pick<RowRule, 'dialect' | 'keyFields'>,
): { identity: IndexedBody; bytes: RowBytes } | undefined {
  const { generation, ignoreFields, rules } = record;
  const rule = { dialect, keyFields, ignoreFields, rules };
  const bytes = rowBytes(rule);
  if (bytes === undefined || body.sizeBytes < indexFromBytes) return undefined;
  return { identity: { sha256: body.sha256, generation, ...rule, ...snapshotOf(bytes, record) }, bytes };
}

/**
 * Makes and stores the row index of an accepted body, so that the next body can be compared with it by bytes. A body whose
 * rows caused warnings gets none. The index is a cache: a failure is logged, and the next check reads every row.
 * @param record after the commit @param kept of the commit; default: no row kept values
 */
export async function indexBody(
  deps: ActivityDeps,
  record: TrackedRecord,
  body: Pick<ReadBody, 'sha256' | 'bytes' | 'rows' | 'columns' | 'warnings' | 'key'> &
    Pick<RowRule, 'dialect'>,
  kept: KeptNumbers = createKeptNumbers([]),
): Promise<void> {
  const { dialect, key } = body;
  const stored = { sha256: body.sha256, sizeBytes: body.bytes };
  const indexed = indexedBody(deps, record, stored, { dialect, keyFields: key.fields });
  if (indexed === undefined || !isClean(body.warnings)) return;
  const { identity, bytes } = indexed;
  const file = createRowIndexFile(deps.spoolDir);
  try {
    await using stored = await openRowsBody(deps.blobs, { recordId: record.id, sha256: body.sha256, bytes });
    const seed = randomBytes(SEED_BYTES);
    const matcher = createRowMatcher(bytes, { bodyBytes: body.bytes });
    const numbers = createReportedNumbers(bytes.tolerant);
    let rowCount = 0;
    for await (const window of matcher.windows(stored.read, seed)) {
      numbers.add(window.numbers, window.unmatchedRows);
      await file.add(window.entries);
      rowCount += window.count;
    }
    if (rowCount !== body.rows)
      throw new NeedsExactPath('Splitting by bytes gave another number of rows than reading');
    const index = {
      ...identity,
      sizeBytes: body.bytes,
      rowCount,
      seed: seed.toString('hex'),
      headerSha256: headerHash(matcher),
      columns: body.columns,
    };
    await file.keep(deps.blobs, record.id, index, numbers.end(kept));
  } catch (err) {
    const level = err instanceof NeedsExactPath ? 'info' : 'warn';
    deps.log[level]({ err, recordId: record.id }, 'the rows of a body could not be indexed');
  } finally {
    await file.close();
  }
}

/** The smallest body with an index is one chunk. */
const CHUNK_BYTES = 1024 * 1024;

/** Opens a stored body for splitting it into rows by bytes. @throws BlobNotFound */
async function openRowsBody(
  blobs: BlobStore,
  { recordId, sha256, bytes }: { recordId: string; sha256: string; bytes: RowBytes },
): Promise<BlobReader> {
  const body = await blobs.open(recordId, sha256);
  return bytes.decodedFrom === undefined
    ? body
    : { ...body, read: readDecoded(inChunks(body.read, CHUNK_BYTES), bytes) };
}
