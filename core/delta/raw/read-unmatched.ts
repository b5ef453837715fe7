// Reads the rows that have no match: those of the body, and those of the previous body or only their keys. They are read in the
// same way as in a whole body.
import { readHeader } from '../delimited/parse-delimited.ts';
import { splitDelimited } from '../delimited/split-delimited.ts';
import { createIdentifier, type KeyedRow, rowKey } from '../keys/keyed-row.ts';
import { ignoreTest, quotingOf, ROW_LIMITS, type RowLimits } from '../model.ts';
import { createBodyWarnings, parseRows, type ReadSummary } from '../read-rows.ts';
import type { ReadAt } from './read-at.ts';
import { NeedsExactPath, type RowRule, decodeRow } from './row-bytes.ts';
import type { ByteRange } from './row-index.ts';
import type { RowMatcher } from './row-matcher.ts';

export interface ReadRule extends RowRule {
  limits: RowLimits;
  /** The record's setting; undefined: the path in the dialect was detected. */
  rowsPath?: string | undefined;
}

interface UnmatchedReader {
  batches: () => AsyncGenerator<KeyedRow[], void, undefined>;
  /** Covers what has been read so far. */
  summary: () => ReadSummary;
}

/**
 * @param bytes a body with only these rows: what precedes them, complete rows, what follows them
 * @throws CheckError, NeedsExactPath: the rows are not valid for the record
 */
export function createUnmatchedReader(bytes: AsyncIterable<Uint8Array>, rule: ReadRule): UnmatchedReader {
  const { dialect, keyFields, ignoreFields, rules } = rule;
  const warnings = createBodyWarnings(rule);
  const isIgnored = ignoreTest(ignoreFields, dialect.format);
  const identifier = createIdentifier({ keyFields, isIgnored, rules }, warnings);
  return {
    async *batches() {
      for await (const batch of parseRows(
        decode(bytes, dialect.charset),
        dialect,
        limitsOf(rule),
        warnings,
        true,
      )) {
        yield identifier.identify(batch);
      }
    },
    summary: () => ({
      columns: identifier.storedColumns(),
      rowCount: identifier.rowCount(),
      warnings: warnings.list(),
    }),
  };
}

/** Assumes that the JSON rows that are not read have all ignored columns, which count towards the limits. */
function limitsOf({ dialect, ignoreFields, limits }: ReadRule): RowLimits {
  if (dialect.delimiter !== null) return limits;
  return {
    ...limits,
    maxColumns: limits.maxColumns - ignoreFields.length,
    maxNamesLength: limits.maxNamesLength - ignoreFields.join('').length,
  };
}

async function* decode(chunks: AsyncIterable<Uint8Array>, charset: string): AsyncGenerator<string> {
  for await (const chunk of chunks) yield decodeRow(chunk, charset);
}

interface KeysBefore {
  /** Has read the current body. */
  matcher: RowMatcher;
  readBefore: ReadAt;
  rule: ReadRule;
}

/** @throws NeedsExactPath, CheckError: the previous body does not match its index */
export async function* readKeysBefore(input: KeysBefore): AsyncGenerator<string[], void, undefined> {
  const { matcher, readBefore, rule } = input;
  const rowLists = readRanges(readBefore, matcher.before.unmatched());
  if (rule.keyFields.length === 0) {
    yield* keysOfWhole(rowLists, input);
    return;
  }
  const { charset } = rule.dialect;
  const header =
    matcher.bytes.split === 'elements' ? '' : decodeRow(matcher.head() ?? new Uint8Array(), charset);
  const readKeys = keyReader(rule, header);
  for await (const rows of rowLists) {
    const keys = readKeys(rows.map((row) => decodeRow(row, charset)));
    const known = keys.filter((key) => key !== undefined);
    const unknown = rows.filter((_row, at) => keys[at] === undefined);
    if (known.length > 0) yield known;
    if (unknown.length > 0) yield* keysOfWhole(once(unknown), input);
  }
}

// eslint-disable-next-line require-await -- the reader takes asynchronous lists
async function* once<T>(item: T): AsyncGenerator<T> {
  yield item;
}

/**
 * The same rows, whole. In JSON their members are in the order in which these rows name them first.
 * @throws NeedsExactPath, CheckError: the previous body does not match its index
 */
export const readRowsBefore = (input: KeysBefore): AsyncGenerator<KeyedRow[], void, undefined> =>
  readWhole(readRanges(input.readBefore, input.matcher.before.unmatched()), input);

/** Keys of rows that must be read as whole rows. */
async function* keysOfWhole(
  rowLists: AsyncIterable<readonly Uint8Array[]>,
  input: KeysBefore,
): AsyncGenerator<string[], void, undefined> {
  for await (const rows of readWhole(rowLists, input)) yield rows.map(({ key }) => key);
}

async function* readWhole(
  rowLists: AsyncIterable<readonly Uint8Array[]>,
  { matcher, rule }: KeysBefore,
): AsyncGenerator<KeyedRow[], void, undefined> {
  const dialect = { ...rule.dialect, rowsPath: '' };
  const reader = createUnmatchedReader(bodyOf(rowLists, matcher), { ...rule, dialect });
  for await (const rows of reader.batches()) {
    refuseRepeats(rows, rule);
    if (rows.length > 0) yield rows;
  }
}

/** A body that consists of these rows. */
async function* bodyOf(
  rowLists: AsyncIterable<readonly Uint8Array[]>,
  { bytes, head }: RowMatcher,
): AsyncGenerator<Uint8Array> {
  const isDocument = bytes.split === 'elements';
  const separator = Buffer.from(isDocument ? ',' : '\n');
  yield isDocument ? Buffer.from('[') : (head() ?? new Uint8Array());
  let isFirst = isDocument;
  for await (const rows of rowLists) {
    const parts = rows.flatMap((row) => [separator, row]);
    yield Buffer.concat(isFirst ? parts.slice(1) : parts);
    isFirst &&= rows.length === 0;
  }
  if (isDocument) yield Buffer.from(']');
}

/** Rows without a key are numbered when they repeat, and the number depends on rows that were not read. */
export function refuseRepeats(rows: readonly KeyedRow[], { keyFields }: ReadRule): void {
  if (keyFields.length > 0) return;
  if (rows.some(({ key }) => key.includes('#'))) throw new NeedsExactPath('Rows without a key repeat');
}

/** Returns the keys of rows, in order; undefined for a row that must be read as a whole. */
type ReadKeys = (texts: readonly string[]) => (string | undefined)[];

/**
 * Reads keys quickly from rows that were read without a warning before.
 * @param header text of the header and the lines above it; empty in JSON
 */
function keyReader({ dialect, keyFields }: Pick<RowRule, 'dialect' | 'keyFields'>, header: string): ReadKeys {
  const { delimiter, headerRow } = dialect;
  if (delimiter === null) {
    return keyFields.some(isEscaped)
      ? (texts) => texts.map(() => undefined)
      : (texts) => texts.map((text) => jsonKey(text, keyFields));
  }
  const marks = { delimiter, quoting: quotingOf(dialect) };
  const columns = readHeader(header, marks, headerRow ?? 1, { ...ROW_LIMITS, maxRows: Infinity });
  const places = keyFields.map((field) => columns.indexOf(field));
  return (texts) => {
    const { rows } = splitDelimited(texts.join('\n'), marks, true);
    return rows.map((row) => rowKey(places.map((at) => row[at] ?? '')));
  };
}

/**
 * JSON.parse of V8 13.6 may give such a member another name: after an object with the member `\`, it takes any name that is one
 * escaped character for `\`.
 */
const isEscaped = (name: string): boolean => JSON.stringify(name) !== `"${name}"`;

/** Only for keys that are strings at the top level: JSON.parse does not keep the text of a number. */
function jsonKey(text: string, keyFields: readonly string[]): string | undefined {
  const row: unknown = JSON.parse(text);
  if (typeof row !== 'object' || row === null) return undefined;
  const texts = keyFields.map((field): unknown =>
    Object.hasOwn(row, field) ? Reflect.get(row, field) : undefined,
  );
  return texts.every((value) => typeof value === 'string') ? rowKey(texts) : undefined;
}

/** Reading this much unneeded data takes no longer than another read. */
const GAP_BYTES = 64 * 1024;
const BUFFER_BYTES = 1024 * 1024;

/**
 * Reads some rows. Nearby rows are read together, because one larger read is faster than several small ones.
 * @param rangeLists in the order of the body, without overlaps
 * @returns lists of rows, each valid until the next one
 * @throws NeedsExactPath the body is too short
 */
export async function* readRanges(
  read: ReadAt,
  rangeLists: AsyncIterable<readonly ByteRange[]>,
): AsyncGenerator<Buffer[], void, undefined> {
  const buffers = [Buffer.alloc(0), Buffer.alloc(0)];
  let pending: Promise<Buffer[]> | undefined;
  let turn = 0;
  for await (const span of spansOf(rangeLists)) {
    const sizeBytes = span.end - span.start;
    // The other buffer has the list that the caller is using.
    let buffer = buffers[turn % 2] ?? Buffer.alloc(0);
    if (buffer.length < sizeBytes) buffer = Buffer.allocUnsafe(Math.max(BUFFER_BYTES, sizeBytes));
    buffers[turn++ % 2] = buffer;
    const rows = await pending;
    pending = readSpan(read, span, buffer.subarray(0, sizeBytes));
    // The rejection is reported when this is awaited. A caller that stops early never awaits it.
    pending.catch(() => undefined);
    if (rows !== undefined) yield rows;
  }
  if (pending !== undefined) yield await pending;
}

interface Span extends ByteRange {
  ranges: ByteRange[];
}

async function* spansOf(
  rangeLists: AsyncIterable<readonly ByteRange[]>,
): AsyncGenerator<Span, void, undefined> {
  let span: Span | undefined;
  for await (const ranges of rangeLists) {
    for (const range of ranges) {
      const isNear =
        span !== undefined && range.start - span.end <= GAP_BYTES && range.end - span.start <= BUFFER_BYTES;
      if (span !== undefined && isNear) {
        span.end = range.end;
        span.ranges.push(range);
        continue;
      }
      if (span !== undefined) yield span;
      span = { ...range, ranges: [range] };
    }
  }
  if (span !== undefined) yield span;
}

async function readSpan(read: ReadAt, { start, ranges }: Span, into: Buffer): Promise<Buffer[]> {
  if ((await read(into, start)) < into.length)
    throw new NeedsExactPath('The previous body is shorter than its index says');
  return ranges.map((range) => into.subarray(range.start - start, range.end - start));
}
