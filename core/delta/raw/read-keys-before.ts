// Reads the keys of rows in the previous body that have no match in the current one.
import { type KeyedRow, ROW_LIMITS } from '../model.ts';
import { NeedsExactPath, type RowRule, rowText } from './row-bytes.ts';
import type { ReadAt } from './read-at.ts';
import { readLeftover, type ReadRule } from './read-leftover.ts';
import { readRanges } from './read-ranges.ts';
import type { RowMatcher } from './row-matcher.ts';
import { rowKey } from '../keys/keyed-row.ts';
import { readHeader } from '../delimited/parse-delimited.ts';
import { splitDelimited } from '../delimited/split-delimited.ts';

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
    matcher.bytes.split === 'elements' ? '' : rowText(matcher.head() ?? new Uint8Array(), charset);
  const readKeys = keyReader(rule, header);
  for await (const rows of rowLists) {
    const keys = readKeys(rows.map((row) => rowText(row, charset)));
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

/** Keys of rows that must be read as whole rows. */
async function* keysOfWhole(
  rowLists: AsyncIterable<readonly Uint8Array[]>,
  { matcher, rule }: KeysBefore,
): AsyncGenerator<string[], void, undefined> {
  const dialect = { ...rule.dialect, rowsPath: '' };
  const reader = readLeftover(bodyOf(rowLists, matcher), { ...rule, dialect });
  for await (const rows of reader.batches()) {
    refuseRepeats(rows, rule);
    if (rows.length > 0) yield rows.map(({ key }) => key);
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
function keyReader({ dialect, keyFields }: RowRule, header: string): ReadKeys {
  const { delimiter, headerRow } = dialect;
  if (delimiter === null) return (texts) => texts.map((text) => jsonKey(text, keyFields));
  const columns = readHeader(header, delimiter, headerRow ?? 1, { ...ROW_LIMITS, maxRows: Infinity });
  const places = keyFields.map((field) => columns.indexOf(field));
  return (texts) => {
    const { rows } = splitDelimited(texts.join('\n'), delimiter, true);
    return rows.map((row) => rowKey(places.map((at) => row[at] ?? '')));
  };
}

/** Only for keys that are strings at the top level: JSON.parse does not keep the text of a number. */
function jsonKey(text: string, keyFields: readonly string[]): string | undefined {
  const row: unknown = JSON.parse(text);
  if (typeof row !== 'object' || row === null) return undefined;
  const texts = keyFields.map((field): unknown =>
    Object.hasOwn(row, field) ? Reflect.get(row, field) : undefined,
  );
  return texts.every((value) => typeof value === 'string') ? rowKey(texts) : undefined;
}
