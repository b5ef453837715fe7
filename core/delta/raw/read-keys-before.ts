// Reads the keys of those rows of the body before that no row has the bytes of now.
import type { KeyedRow } from '../model.ts';
import { NeedsExactPath } from './needs-exact-path.ts';
import type { ReadAt } from './read-at.ts';
import { keyReader } from './read-keys.ts';
import { readLeftover, type ReadRule } from './read-leftover.ts';
import { readRanges } from './read-ranges.ts';
import type { RowMatcher } from './row-matcher.ts';
import { rowText } from './row-text.ts';

interface KeysBefore {
  /** Through with the body now. */
  matcher: RowMatcher;
  readBefore: ReadAt;
  rule: ReadRule;
}

/** @throws NeedsExactPath, CheckError: the body before is not what its index says */
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

/** Reads whole rows. */
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

/** A body of some rows alone. */
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

/** Without a key, the number of a repeat depends on rows that were not read. */
export function refuseRepeats(rows: readonly KeyedRow[], { keyFields }: ReadRule): void {
  if (keyFields.length > 0) return;
  if (rows.some(({ key }) => key.includes('#'))) throw new NeedsExactPath('Rows without a key repeat');
}
