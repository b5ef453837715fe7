// Compares a body with the one before by the bytes of their rows, and commits what differs: the fast way of a check.
import { compareBytes } from '../../core/delta/raw/compare-bytes.ts';
import { NeedsExactPath } from '../../core/delta/raw/needs-exact-path.ts';
import type { RowIndex } from '../../core/delta/raw/row-index.ts';
import { createRowMatcher, type RowMatcher } from '../../core/delta/raw/row-matcher.ts';
import type { RowLimits } from '../../core/delta/model.ts';
import type { ReadSummary, RowReader } from '../../core/delta/read-rows.ts';
import { CheckError } from '../../core/errors.ts';
import { commitDelta, type DeltaOutcome } from '../../db/commit/commit-delta.ts';
import type { DeltaCommit } from '../../db/commit/commit-facts.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import { BlobNotFound } from '../blobs/blob-store.ts';
import { createRowIndexFile, loadRowIndex, type RowIndexFile } from '../blobs/row-index-file.ts';
import type { ActivityDeps } from '../deps.ts';
import { indexedBody } from './index-body.ts';
import { openRowsBody } from './open-rows-body.ts';
import { isAcceptedDialect } from './rule-in-force.ts';

export interface ByteCommit {
  record: TrackedRecord;
  body: { sha256: string; sizeBytes: number };
  reader: Pick<RowReader, 'dialect' | 'key'>;
  limits: RowLimits;
  commit: (summary: () => ReadSummary) => Pick<DeltaCommit, 'check' | 'validators' | 'body' | 'isSharpDrop'>;
}

/**
 * Does what committing all rows does, with the same outcome, and keeps the body's row index.
 * @returns undefined, with nothing done, where every row must be read: also to say what is wrong with the body
 */
export async function commitByBytes(
  deps: ActivityDeps,
  input: ByteCommit,
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
  try {
    const matcher = createRowMatcher(indexed.bytes);
    const index = await loadRowIndex(deps.blobs, record.id, indexed.identity, matcher);
    if (index === undefined) return undefined;
    return await commitLeftover(deps, input, { matcher, index, file });
  } catch (error) {
    if (!isDoubt(error)) throw error;
    deps.log.info({ recordId: record.id, reason: error.message }, 'reading every row');
    return undefined;
  } finally {
    await file.close();
  }
}

const isDoubt = (error: unknown): error is Error =>
  error instanceof NeedsExactPath || error instanceof CheckError || error instanceof BlobNotFound;

async function commitLeftover(
  deps: ActivityDeps,
  { record, body, reader, limits, commit }: ByteCommit,
  { matcher, index, file }: { matcher: RowMatcher; index: RowIndex; file: RowIndexFile },
): Promise<DeltaOutcome> {
  const { key } = reader;
  const { ignoreFields } = record;
  const { bytes } = matcher;
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
      limits,
    },
    onEntries: file.add,
  });
  const { sha256, generation, rowCount } = index;
  const outcome = await commitDelta(deps.db, {
    ...commit(comparison.summary),
    batches: comparison.leftover(),
    leftover: {
      before: { sha256, generation, rowCount },
      isKeyless: key.fields.length === 0,
      keysLeftBefore: comparison.leftBefore(),
      matchedCount: comparison.matchedCount,
    },
  });
  if (outcome.outcome === 'changed' || outcome.outcome === 'unchanged') {
    const { columns, rowCount } = comparison.summary();
    const next = { ...index, sha256: body.sha256, sizeBytes: body.sizeBytes, columns, rowCount };
    await file.keep(deps.blobs, record.id, next).catch((err: unknown) => {
      deps.log.warn({ err, recordId: record.id }, 'a row index could not be kept');
    });
  }
  return outcome;
}
