// Compares a body with the one before by the bytes of their rows, and parses only rows without a match. Throws
// NeedsExactPath where the result is uncertain: the caller then parses every row.
import type { KeyedRow } from '../keys/keyed-row.ts';
import { createHash } from 'node:crypto';
import type { ReadSummary } from '../read-rows.ts';
import { NeedsExactPath, OutOfOrder } from './row-bytes.ts';
import type { ReadAt } from './read-at.ts';
import type { ReportedNumbers } from './reported-numbers.ts';
import {
  readKeysBefore,
  createUnmatchedReader,
  type ReadRule,
  readRowsBefore,
  refuseRepeats,
} from './read-unmatched.ts';
import type { RowIndex } from './row-index.ts';
import type { RowMatcher } from './row-matcher.ts';

export interface ByteComparison {
  /** Rows of the body without a match. Read it to the end before anything else. */
  unmatched: () => AsyncGenerator<KeyedRow[], void, undefined>;
  /** Keys of rows in the previous body without a match. */
  unmatchedKeysBefore: () => AsyncGenerator<string[], void, undefined>;
  /** The same rows, whole. Read either of the two. */
  unmatchedRowsBefore: () => AsyncGenerator<KeyedRow[], void, undefined>;
  /** Covers the whole body, as if every row had been read. */
  summary: () => ReadSummary;
  matchedCount: () => number;
}

export interface ByteComparisonInput {
  /** With the row index of the previous body loaded. */
  matcher: RowMatcher;
  index: Pick<RowIndex, 'rowCount' | 'seed' | 'headerSha256' | 'columns'>;
  read: ReadAt;
  readBefore: ReadAt;
  rule: ReadRule;
  /** How many JSON rows are read to know the order of columns, which is that of their first occurrence. */
  firstRows?: number;
  /** Gets the entries of the body, which are valid only during the call. */
  onEntries: (entries: Uint8Array) => void | Promise<void>;
  /** Gets the numbers of the same rows (reported-numbers.ts). */
  onNumbers?: ReportedNumbers['add'];
}

const FIRST_ROWS = 100;
/** When most of this many rows differ, reading every row is faster. */
const ENOUGH_ROWS = 10_000;
/** When so many of them have no match in the rows of the previous body that are in memory, they may have one in the others. */
const MOST_UNMATCHED_IN_ORDER = 1 / 4;

export function compareBytes(input: ByteComparisonInput): ByteComparison {
  const { matcher, index, rule, firstRows = FIRST_ROWS } = input;
  let rowCount = 0;
  let unmatchedCount = 0;
  let unmatchedInARow = 0;
  const reader = createUnmatchedReader(readUnmatched(), rule);

  /** A body that consists of the rows without a match. */
  async function* readUnmatched(): AsyncGenerator<Uint8Array> {
    const isDocument = matcher.bytes.split === 'elements';
    const skipped = index.headerSha256 === null ? firstRows : 0;
    let hasBegun = false;
    for await (const window of matcher.windows(input.read, Buffer.from(index.seed, 'hex'), skipped)) {
      if (!hasBegun) {
        await requireSameColumns(input, window.unmatched(skipped));
        yield matcher.head() ?? new Uint8Array();
      }
      hasBegun = true;
      rowCount += window.count;
      // The first object has no comma before it.
      const separated = window.unmatched();
      const rows = isDocument && unmatchedCount === 0 ? separated.subarray(1) : separated;
      unmatchedCount += window.unmatchedCount;
      if (rowCount > rule.limits.maxRows) throw new NeedsExactPath('There are too many rows');
      unmatchedInARow = window.unmatchedCount === window.count ? unmatchedInARow + window.count : 0;
      refuseTooManyUnmatched(matcher, { rowCount, unmatchedCount, unmatchedInARow });
      input.onNumbers?.(window.numbers, window.unmatchedRows);
      await input.onEntries(window.entries);
      if (rows.length > 0) yield rows;
    }
    if (rowCount === 0) throw new NeedsExactPath('There are no rows');
    yield matcher.tail();
  }

  /** Passes lists of rows in the previous body on. @throws NeedsExactPath there are fewer rows, or more */
  async function* counted<T>(lists: AsyncIterable<T[]>): AsyncGenerator<T[], void, undefined> {
    let count = 0;
    for await (const list of lists) {
      count += list.length;
      yield list;
    }
    if (count !== index.rowCount - rowCount + unmatchedCount) throw new NeedsExactPath(OTHER_ROWS);
    // A blob store finds only at the end of a body that it gave other bytes.
    if (count > 0) await input.readBefore(new Uint8Array(1), AFTER_ALL);
  }

  return {
    async *unmatched() {
      for await (const rows of reader.batches()) {
        refuseRepeats(rows, rule);
        yield rows;
      }
      requireClean(reader.summary(), unmatchedCount);
    },
    unmatchedKeysBefore: () => counted(readKeysBefore(input)),
    unmatchedRowsBefore: () => counted(readRowsBefore(input)),
    summary: () => ({ ...reader.summary(), rowCount }),
    matchedCount: () => rowCount - unmatchedCount,
  };
}

/** @throws OutOfOrder, NeedsExactPath */
function refuseTooManyUnmatched(
  { before: { isPart, patience } }: RowMatcher,
  {
    rowCount,
    unmatchedCount,
    unmatchedInARow,
  }: { rowCount: number; unmatchedCount: number; unmatchedInARow: number },
): void {
  if (unmatchedInARow > patience()) throw new OutOfOrder('Many rows in a row differ');
  if (rowCount < ENOUGH_ROWS) return;
  if (isPart() && unmatchedCount > rowCount * MOST_UNMATCHED_IN_ORDER)
    throw new OutOfOrder('Many rows differ');
  if (unmatchedCount * 2 > rowCount) throw new NeedsExactPath('Most rows differ');
}

/** After the end of any body: a position in a row index has five bytes. */
const AFTER_ALL = 2 ** 40;

const OTHER_ROWS = 'Reading gave other rows than splitting by bytes';

/** @param firstRows each after the separator @throws NeedsExactPath the columns may have changed */
async function requireSameColumns(
  { matcher, index, rule }: ByteComparisonInput,
  firstRows: Uint8Array,
): Promise<void> {
  if (index.headerSha256 !== null) {
    if (headerHash(matcher) === index.headerSha256) return;
    throw new NeedsExactPath('The header has changed');
  }
  const isDocument = matcher.bytes.split === 'elements';
  const rows = isDocument
    ? Buffer.concat([Buffer.from('['), firstRows.subarray(1), Buffer.from(']')])
    : firstRows;
  const reader = createUnmatchedReader(once(rows), { ...rule, dialect: { ...rule.dialect, rowsPath: '' } });
  for await (const _rows of reader.batches()) {
    // Only the columns are needed.
  }
  const columns = new Set(reader.summary().columns);
  if (!index.columns.every((column) => columns.has(column)))
    throw new NeedsExactPath('The first rows do not have all columns');
}

// eslint-disable-next-line require-await -- the reader takes asynchronous chunks
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function requireClean({ warnings, rowCount }: ReadSummary, expectedCount: number): void {
  if (!isClean(warnings)) throw new NeedsExactPath('There are warnings about rows');
  if (rowCount !== expectedCount) throw new NeedsExactPath(OTHER_ROWS);
}

/** Warnings about the header or the whole body, which do not depend on rows. */
const ABOUT_NO_ROW: ReadonlySet<string> = new Set([
  'duplicate_header',
  'empty_header',
  'lines_above_header',
  'charset_changed',
  'other_arrays',
]);

/** Whether no row caused a warning. */
export function isClean(warnings: readonly { code: string }[]): boolean {
  return warnings.every(({ code }) => ABOUT_NO_ROW.has(code));
}

/** SHA-256 of the header of a body that was split; null for formats without a header. */
export function headerHash(matcher: RowMatcher): string | null {
  return typeof matcher.bytes.split === 'number' ? sha256(matcher.head() ?? new Uint8Array()) : null;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
