// Compares a body with the one before by the bytes of their rows, and reads only rows that have no match. All that it
// cannot be sure of ends in NeedsExactPath: then every row must be read.
import { createHash } from 'node:crypto';
import type { KeyedRow } from '../model.ts';
import type { OpenBody, ReadSummary } from '../read-rows.ts';
import { cutRanges } from './cut-ranges.ts';
import { NeedsExactPath } from './needs-exact-path.ts';
import { readLeftover, type ReadRule } from './read-leftover.ts';
import type { RowIndex } from './row-index.ts';
import type { RowMatcher } from './row-matcher.ts';

export interface ByteComparison {
  /** Rows of the body that no row before has the bytes of. To be read to the end, before anything else. */
  leftover: () => AsyncGenerator<KeyedRow[], void, undefined>;
  /** Keys of the rows before whose bytes are in no row now. */
  leftBefore: () => AsyncGenerator<string[], void, undefined>;
  /** Of the whole body, as if every row had been read. */
  summary: () => ReadSummary;
  matchedCount: () => number;
}

export interface ByteComparisonInput {
  /** With the index in it. */
  matcher: RowMatcher;
  index: RowIndex;
  open: OpenBody;
  openBefore: OpenBody;
  rule: ReadRule;
  /** Takes the body's own entries, as they come; they are valid only during the call. */
  onEntries: (entries: Uint8Array) => void | Promise<void>;
}

/** Columns of JSON rows come in the order in which rows first have them: these rows are read to know it. */
const FIRST_ROWS = 100;
/** Where most of so many rows differ, reading all of them costs less than reading those of both bodies. */
const ENOUGH_ROWS = 10_000;
const LINE_END = Buffer.from('\n');

export function compareBytes(input: ByteComparisonInput): ByteComparison {
  const { matcher, index, rule } = input;
  let rowCount = 0;
  let leftCount = 0;
  const reader = readLeftover(readUnmatched(), rule);

  async function* readUnmatched(): AsyncGenerator<Uint8Array> {
    const skipped = index.headerSha256 === null ? FIRST_ROWS : 0;
    let isFirst = true;
    const seed = Buffer.from(index.seed, 'hex');
    for await (const window of matcher.windows(input.open(), seed, skipped)) {
      const rows = window.unmatched();
      const lines = Buffer.concat(rows.flatMap((row) => [row, LINE_END]));
      const hasBegun = window.count > 0 || matcher.header() !== undefined;
      if (isFirst && hasBegun) yield await begin(matcher, rows.slice(0, skipped), input);
      isFirst &&= !hasBegun;
      rowCount += window.count;
      leftCount += rows.length;
      if (rowCount > rule.limits.maxRows) throw new NeedsExactPath('There are too many rows');
      if (rowCount >= ENOUGH_ROWS && leftCount * 2 > rowCount) throw new NeedsExactPath('Most rows differ');
      await input.onEntries(window.entries);
      if (lines.length > 0) yield lines;
    }
  }

  async function* readLeft(): AsyncGenerator<Uint8Array> {
    yield headerLine(matcher);
    yield* cutRanges(input.openBefore(), matcher.before.unmatched(index.sizeBytes));
  }

  return {
    async *leftover() {
      for await (const rows of reader.batches()) {
        refuseRepeats(rows, rule);
        yield rows;
      }
      requireClean(reader.summary(), leftCount);
      if (rowCount === 0) throw new NeedsExactPath('There are no rows');
    },
    async *leftBefore() {
      const before = readLeftover(readLeft(), rule);
      for await (const rows of before.batches()) {
        refuseRepeats(rows, rule);
        yield rows.map(({ key }) => key);
      }
      requireClean(before.summary(), index.rowCount - rowCount + leftCount);
    },
    summary: () => ({ ...reader.summary(), rowCount }),
    matchedCount: () => rowCount - leftCount,
  };
}

/** @returns what stands before the rows @throws NeedsExactPath the columns may not be those before */
async function begin(
  matcher: RowMatcher,
  firstRows: readonly Uint8Array[],
  { index, rule }: ByteComparisonInput,
): Promise<Uint8Array> {
  const header = matcher.header();
  if (index.headerSha256 !== null) {
    if (header !== undefined && sha256(header) === index.headerSha256) return headerLine(matcher);
    throw new NeedsExactPath('The header is another one');
  }
  const columns = await columnsOf(firstRows, rule);
  if (index.columns.every((column) => columns.has(column))) return new Uint8Array();
  throw new NeedsExactPath('The first rows do not have all columns');
}

async function columnsOf(rows: readonly Uint8Array[], rule: ReadRule): Promise<ReadonlySet<string>> {
  const lines = Buffer.concat(rows.flatMap((row) => [row, LINE_END]));
  const reader = readLeftover(once(lines), rule);
  for await (const _rows of reader.batches()) {
    // Only the columns are of interest.
  }
  return new Set(reader.summary().columns);
}

// eslint-disable-next-line require-await -- the reader takes asynchronous chunks
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function headerLine(matcher: RowMatcher): Uint8Array {
  const header = matcher.header();
  return header === undefined ? new Uint8Array() : Buffer.concat([header, LINE_END]);
}

/** Without a key, the number of a repeat depends on rows that were not read. */
function refuseRepeats(rows: readonly KeyedRow[], { keyFields }: ReadRule): void {
  if (keyFields.length > 0) return;
  if (rows.some(({ key }) => key.includes('#'))) throw new NeedsExactPath('Rows without a key repeat');
}

function requireClean({ warnings, rowCount }: ReadSummary, expectedCount: number): void {
  if (!isClean(warnings)) throw new NeedsExactPath('There are warnings about rows');
  if (rowCount !== expectedCount) throw new NeedsExactPath('The rows are not those that were found');
}

/** Whether no row has given rise to a warning: those about the header are the same whatever the rows. */
export function isClean(warnings: readonly { code: string }[]): boolean {
  return warnings.every(({ code }) => code === 'duplicate_header' || code === 'empty_header');
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
