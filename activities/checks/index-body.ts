// Makes the row index of a body that was accepted, so that the next one can be compared with it by its bytes.
import { randomBytes } from 'node:crypto';
import { headerHash, isClean } from '../../core/delta/raw/compare-bytes.ts';
import { NeedsExactPath } from '../../core/delta/raw/needs-exact-path.ts';
import { rowBytes, type RowBytes, type RowRule } from '../../core/delta/raw/row-bytes.ts';
import type { IndexedBody } from '../../core/delta/raw/row-index.ts';
import { createRowMatcher } from '../../core/delta/raw/row-matcher.ts';
import type { ReadBody } from '../../db/commit/commit-facts.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import { createRowIndexFile } from '../blobs/row-index-file.ts';
import type { ActivityDeps } from '../deps.ts';
import { openRowsBody } from './open-rows-body.ts';

/** Below that, reading every row takes less than keeping an index of them. */
const MIN_BYTES = 1024 * 1024;
const SEED_BYTES = 16;

/** What the index of a body belongs to, and how its rows are found; undefined if it is to be read row by row. */
export function indexedBody(
  { indexFromBytes = MIN_BYTES }: ActivityDeps,
  { generation, ignoreFields }: TrackedRecord,
  body: { sha256: string; sizeBytes: number },
  { dialect, keyFields }: Pick<RowRule, 'dialect' | 'keyFields'>,
): { identity: IndexedBody; bytes: RowBytes } | undefined {
  const bytes = rowBytes({ dialect, keyFields, ignoreFields });
  if (bytes === undefined || body.sizeBytes < indexFromBytes) return undefined;
  return { identity: { sha256: body.sha256, generation, dialect, keyFields, ignoreFields }, bytes };
}

/**
 * Makes and keeps the index, unless the body's rows gave rise to warnings. It is a cache: a failure is logged, and the
 * next check reads every row.
 */
export async function indexBody(
  deps: ActivityDeps,
  record: TrackedRecord,
  body: Pick<ReadBody, 'sha256' | 'bytes' | 'rows' | 'columns' | 'warnings' | 'key'> &
    Pick<RowRule, 'dialect'>,
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
    const matcher = createRowMatcher(bytes);
    let rowCount = 0;
    for await (const { entries, count } of matcher.windows(stored.read, seed)) {
      await file.add(entries);
      rowCount += count;
    }
    // Else rows by their bytes are other rows than those that were read.
    if (rowCount !== body.rows) throw new NeedsExactPath('The rows are not those that were read');
    await file.keep(deps.blobs, record.id, {
      ...identity,
      sizeBytes: body.bytes,
      rowCount,
      seed: seed.toString('hex'),
      headerSha256: headerHash(matcher),
      columns: body.columns,
    });
  } catch (err) {
    const level = err instanceof NeedsExactPath ? 'info' : 'warn';
    deps.log[level]({ err, recordId: record.id }, 'the rows of a body could not be indexed');
  } finally {
    await file.close();
  }
}
