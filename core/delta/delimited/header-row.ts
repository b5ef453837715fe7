// The line of a table's header: what stands above it is skipped, and each column gets a name.
import { CheckError } from '../../errors.ts';
import type { RowLimits } from '../model.ts';
import { splitDelimited } from './split-delimited.ts';
import { createWarnings, type Warnings } from '../warnings.ts';

/** A header row of 0: the table has no header. */
export const NO_HEADER = 0;

/** Excel's first line, which names the delimiter. Tools that pad lines repeat it. */
const SEP_LINE = /^"?sep=([^"\r\n])\1*"?(?=[\r\n]|$)/i;
const LINE_END = /\r\n|\n|\r/g;

/** The delimiter that a text's first line names. */
export const namedDelimiter = (text: string): string | undefined => SEP_LINE.exec(text)?.[1];

/** How many lines end in a text. */
export const countLines = (text: string): number => text.match(LINE_END)?.length ?? 0;

/**
 * Where a line begins.
 * @param line from 1, as a text editor counts; NO_HEADER: the first one that does not name the delimiter
 * @returns undefined if the text ends before, or may end within the line end
 */
export function lineStart(text: string, line: number): number | undefined {
  const wanted = line === NO_HEADER ? (namedDelimiter(text) === undefined ? 1 : 2) : line;
  if (wanted === 1) return 0;
  LINE_END.lastIndex = 0;
  for (let at = 1; LINE_END.test(text); at++) {
    if (at === wanted - 1) return LINE_END.lastIndex < text.length ? LINE_END.lastIndex : undefined;
  }
  return undefined;
}

/**
 * A text from the line of its header on.
 * @throws CheckError row_too_large: the lines before are too long
 */
export async function* skipLines(
  texts: AsyncIterable<string>,
  headerRow: number,
  limits: RowLimits,
  warnings: Warnings,
): AsyncGenerator<string, void, undefined> {
  let head: string | undefined = headerRow === 1 ? undefined : '';
  for await (const text of texts) {
    if (head === undefined) {
      yield text;
      continue;
    }
    head += text;
    const start = lineStart(head, headerRow);
    if (start === undefined || (headerRow === NO_HEADER && !/[\r\n]./s.test(head))) {
      if (head.length > limits.maxRowLength) {
        throw new CheckError('row_too_large', 'It is one of the lines above the header.');
      }
      continue;
    }
    yield* skip(head, start, warnings);
    head = undefined;
  }
  if (head !== undefined) yield* skip(head, lineStart(head, headerRow) ?? head.length, warnings);
}

function* skip(head: string, start: number, warnings: Warnings): Generator<string> {
  const skipped = head.slice(0, start);
  if (skipped.includes('\0')) {
    throw new CheckError('invalid_character', 'It is NUL, in a line above the header.');
  }
  for (const [at, line] of skipped.split(LINE_END).entries()) {
    const isSaid = at === 0 && namedDelimiter(skipped) !== undefined;
    if (line.trim() !== '' && !isSaid) warnings.add('lines_above_header', `line ${at + 1}`);
  }
  if (start < head.length) yield head.slice(start);
}

/**
 * The columns that a text of the header, and of what stands above it, names.
 * @throws CheckError the limits
 */
export function readHeader(text: string, delimiter: string, headerRow: number, limits: RowLimits): string[] {
  const header = text.slice(lineStart(text, headerRow) ?? text.length);
  const [cells = []] = splitDelimited(header, delimiter, true).rows;
  return nameColumns(cells, limits, createWarnings());
}

/** Unique names in header order. A name that really occurs is never taken away by a suffix. */
export function nameColumns(header: readonly string[], limits: RowLimits, warnings: Warnings): string[] {
  if (header.length > limits.maxColumns)
    throw new CheckError('too_many_columns', `There are ${header.length}.`);
  const longAt = header.findIndex((text) => text.length > limits.maxNameLength);
  if (longAt !== -1) throw new CheckError('row_too_large', `The name of column ${longAt + 1} is too long.`);
  if (header.reduce((sum, text) => sum + text.length, 0) > limits.maxNamesLength) {
    throw new CheckError('row_too_large', 'The names of the columns are too long together.');
  }
  const given = new Set(header);
  const taken = new Set<string>();
  return header.map((text, index) => {
    const base = text === '' ? `column_${index + 1}` : text;
    let name = base;
    for (let n = 2; taken.has(name) || (name !== text && given.has(name)); n++) name = `${base}_${n}`;
    taken.add(name);
    if (text === '') warnings.add('empty_header', name);
    else if (name !== text) warnings.add('duplicate_header', name);
    return name;
  });
}
