// Writes rows of delimited text as they are stored, by their bytes, in the kernel, which takes a fraction of the time of parsing
// them.
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { compareKeys } from '../compare-keys.ts';
import type { WrittenRow } from '../keys/body-scan.ts';
import { cellText, memberName, rowKey } from '../keys/keyed-row.ts';
import type { IsIgnored } from '../model.ts';
import { align, bytesAt, type Kernel, reach } from './load-kernel.ts';
import type { ReadAt } from './read-at.ts';
import { ENTRY_BYTES } from './row-index.ts';
import type { RowEntries, RowMatcher } from './row-matcher.ts';
import { KIND, OUTCOME, spanOf } from './survey-memory.ts';

export interface WriteRule {
  columns: readonly string[];
  /** Of these columns, and not ignored. */
  keyFields: readonly string[];
  isIgnored: IsIgnored;
}

// As in kernel/write-rows.as.
const [COLUMN_BYTES, ROW_BYTES, PART_BYTES] = [16, 16, 8] as const;
const NUMBER_BYTES = 4;
const SEED_BYTES = 16;
/** In an object: quotes, colon and comma of a member are with its name. */
const EMPTY_MEMBER_BYTES = 4;
/** For both forms of a row of the largest window, with every byte escaped. Memory that is not used costs nothing. */
const OUT_BYTES = 16 * 1024 * 1024;
const DOUBT_BYTES = 12;

/**
 * Reads the rows up to the first one that must be parsed: with too few or too many cells, text after a closing quote, an incomplete
 * key, or bytes that are no text. The data is valid until the next rows are read.
 * @param matcher without a previous body
 * @returns whether these are all rows
 * @throws NeedsExactPath, CheckError: the body cannot be split
 */
export async function* writeRows(
  matcher: RowMatcher,
  read: ReadAt,
  rule: WriteRule,
): AsyncGenerator<WrittenRow[], boolean, undefined> {
  const writer = beginWriting(matcher, rule);
  const { kernel, entriesAt } = writer;
  let found: RowEntries = { at: entriesAt, count: 0, base: 0 };
  // Matching writes over the entries.
  const keep = ({ at, count, base }: RowEntries): void => {
    new Uint8Array(kernel.memory.buffer).copyWithin(entriesAt, at, at + count * ENTRY_BYTES);
    found = { at: entriesAt, count, base };
  };
  // The hashes of the rows' bytes are not used.
  for await (const _window of matcher.windows(read, new Uint8Array(SEED_BYTES), 0, keep)) {
    if (!isUtf8(spanOf(kernel, found.at, found.count))) return false;
    if (!(yield* written(writer, found))) return false;
  }
  return true;
}

interface Writer {
  kernel: Kernel;
  entriesAt: number;
  rowsAt: number;
  parts: number;
}

function beginWriting({ kernel, freeAt, capacity }: RowMatcher, rule: WriteRule): Writer {
  const { columns, keyFields, isIgnored } = rule;
  const width = columns.length;
  const parts = keyFields.length;
  const names = columns.map((column) => Buffer.from(memberName(column)));
  const stored = [...columns.keys()].filter((index) => !isIgnored(columns[index] ?? ''));
  const byName = stored.toSorted((left, right) => compareKeys(columns[left] ?? '', columns[right] ?? ''));
  const isSorted = stored.every((index, at) => byName[at] === index);
  const nameBytes = names.reduce((sum, name) => sum + name.length, 0);

  const kindsAt = align(freeAt);
  const columnsAt = align(kindsAt + width);
  const namesAt = align(columnsAt + width * COLUMN_BYTES);
  const byNameAt = align(namesAt + nameBytes + 16);
  const keyColumnsAt = align(byNameAt + width * NUMBER_BYTES);
  const doubtsAt = align(keyColumnsAt + parts * NUMBER_BYTES);
  const rowsAt = align(doubtsAt + width * DOUBT_BYTES);
  const entriesAt = align(rowsAt + capacity * (ROW_BYTES + parts * PART_BYTES));
  const outAt = align(entriesAt + capacity * ENTRY_BYTES);
  reach(kernel, outAt + OUT_BYTES);

  bytesAt(kernel, kindsAt, width).fill(KIND.skipped);
  for (const index of stored) bytesAt(kernel, kindsAt + index, 1).writeUInt8(KIND.written);
  let nameAt = namesAt;
  for (const [index, name] of names.entries()) {
    bytesAt(kernel, nameAt, name.length).set(name);
    numbersAt(kernel, columnsAt + index * COLUMN_BYTES, 2).set([nameAt, nameAt + name.length]);
    nameAt += name.length;
  }
  numbersAt(kernel, byNameAt, byName.length).set(byName);
  numbersAt(kernel, keyColumnsAt, parts).set(keyFields.map((field) => columns.indexOf(field)));
  kernel.beginSurvey(kindsAt, width, 0, 0, doubtsAt, width, 0, 0, 0, true);
  const emptyBytes = nameBytes + width * EMPTY_MEMBER_BYTES;
  const byNameCount = isSorted ? 0 : byName.length;
  kernel.beginWriting(
    columnsAt,
    emptyBytes,
    byNameAt,
    byNameCount,
    keyColumnsAt,
    parts,
    outAt,
    OUT_BYTES,
    rowsAt,
  );
  return { kernel, entriesAt, rowsAt, parts };
}

const numbersAt = ({ memory }: Kernel, at: number, length: number): Uint32Array =>
  new Uint32Array(memory.buffer, at, length);

/** @returns whether all of them were written, with their keys */
function* written(writer: Writer, { at, count, base }: RowEntries): Generator<WrittenRow[], boolean> {
  const { kernel } = writer;
  for (let row = 0; row < count;) {
    row = kernel.survey(at, row, count, BigInt(base));
    const isUnusual = kernel.surveyOutcome() === OUTCOME.unusual;
    const rowCount = kernel.takeWritten();
    const rows = takeRows(writer, rowCount);
    if (rows.length > 0) yield rows;
    // A row without room is longer than any window.
    if (isUnusual || rowCount === 0 || rows.length < rowCount) return false;
  }
  return true;
}

/** The rows that were written, up to the first one with an incomplete key. */
function takeRows({ kernel, rowsAt, parts }: Writer, count: number): WrittenRow[] {
  const memory = Buffer.from(kernel.memory.buffer);
  const numbers = (ROW_BYTES + parts * PART_BYTES) / NUMBER_BYTES;
  const spans = numbersAt(kernel, rowsAt, count * numbers);
  const rows: WrittenRow[] = [];
  for (let at = 0; at < spans.length; at += numbers) {
    const texts: string[] = [];
    for (let part = at + ROW_BYTES / NUMBER_BYTES; part < at + numbers; part += 2)
      texts.push(cellText(memory.toString('utf8', spans[part], spans[part + 1])));
    if (texts.includes('')) break;
    rows.push({
      key: parts === 0 ? undefined : rowKey(texts),
      digest: hash('sha256', memory.subarray(spans[at + 2], spans[at + 3])),
      data: memory.subarray(spans[at], spans[at + 1]),
    });
  }
  return rows;
}
