// Converts snapshot rows from JSON to CSV byte by byte, because this loop limits the speed of an export. Rows whose members are
// not in column order, or not in the product's own form, take a slower path through splitRowJson.
import { cellText, memberName, splitRowJson } from '../delta/keys/keyed-row.ts';
import { csvCell, csvLine, type CsvEscape } from './csv-cell.ts';
import type { RowPage } from './row-page.ts';

const COMMA = 44;
const QUOTE = 34;
const BACKSLASH = 92;
const LINE_END = 10;
const SPACE = 32;
const ARRAY = 91;
const ARRAY_END = 93;
const OBJECT = 123;
const OBJECT_END = 125;
/** The first letter of null. */
const NULL = 110;
const NULL_LENGTH = 4;
const NOT_ASCII = 128;

/** How to write a byte of a JSON string. */
const PLAIN = 0;
const NEEDS_QUOTES = 1;
const ENDS = 2;
const ESCAPES = 3;

const KIND_OF_BYTE = new Uint8Array(256);
KIND_OF_BYTE[COMMA] = NEEDS_QUOTES;
KIND_OF_BYTE[QUOTE] = ENDS;
KIND_OF_BYTE[BACKSLASH] = ESCAPES;

/** The character for each letter after a backslash; 0 for \u and invalid escapes. */
const ESCAPED = new Uint8Array(256);
for (const [letter, character] of ['""', '\\\\', '//', 'n\n', 't\t', 'r\r', 'b\b', 'f\f']) {
  ESCAPED[letter?.charCodeAt(0) ?? 0] = character?.charCodeAt(0) ?? 0;
}

/** First bytes of strings that may need protection from spreadsheets. */
const SUSPECT = new Uint8Array(256).fill(1, NOT_ASCII);
for (const character of `'=+-@ \\`) SUSPECT[character.charCodeAt(0)] = 1;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

interface Writer {
  columns: readonly string[];
  /** The names of members, with quotes and colon. */
  names: readonly Uint8Array[];
  escape: CsvEscape;
  out: Uint8Array;
  /** How many bytes of `out` are written. */
  at: number;
}

/**
 * @param columns of the snapshot, in the order of the file
 * @returns a function that converts a page; it throws when a row has an unknown column
 */
export function createCsvRows(columns: readonly string[], escape: CsvEscape): (page: RowPage) => Uint8Array {
  const names = columns.map((column) => encoder.encode(memberName(column)));
  const writer: Writer = { columns, names, escape, out: new Uint8Array(0), at: 0 };
  return ({ bytes, spans }) => {
    reserve(writer, bytes.length, spans.length / 2);
    for (let index = 0; index < spans.length; index += 2) {
      writeRow(writer, bytes, spans[index] ?? 0, spans[index + 1] ?? 0);
    }
    return writer.out.slice(0, writer.at);
  };
}

/** A cell grows to at most twice its bytes, plus two quotes and an apostrophe. */
function reserve(writer: Writer, bytes: number, rows: number): void {
  const size = 2 * bytes + rows * (4 * writer.columns.length + 4);
  if (writer.out.length < size) writer.out = new Uint8Array(size);
  writer.at = 0;
}

function writeRow(writer: Writer, bytes: Uint8Array, start: number, end: number): void {
  const begin = writer.at;
  if (!writeMembers(writer, bytes, start, end)) {
    writer.at = begin;
    writeText(writer, slowLine(writer, decoder.decode(bytes.subarray(start, end))));
    return;
  }
  if (writer.columns.length === 0) return;
  if (writer.columns.length === 1 && writer.at === begin) writeText(writer, '""');
  writer.out[writer.at++] = LINE_END;
}

/** Writes the cells of a row. @returns false unless its members are in column order; some may be missing */
function writeMembers(writer: Writer, bytes: Uint8Array, start: number, end: number): boolean {
  const { names, out } = writer;
  let at = start + 1;
  for (let column = 0; column < names.length; column++) {
    if (column > 0) out[writer.at++] = COMMA;
    const isFirst = at === start + 1;
    if (bytes[at] !== COMMA && !isFirst) continue;
    const name = names[column];
    const value = isFirst ? at : at + 1;
    if (name === undefined || !startsWith(bytes, value, name)) continue;
    at = writeValue(writer, bytes, value + name.length);
  }
  return at === end - 1 && bytes[at] === OBJECT_END;
}

function startsWith(bytes: Uint8Array, at: number, name: Uint8Array): boolean {
  for (let index = 0; index < name.length; index++) {
    if (bytes[at + index] !== name[index]) return false;
  }
  return true;
}

/** Writes the cell of a value. @returns where the value ends */
function writeValue(writer: Writer, bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return writeString(writer, bytes, at);
  if (first === NULL) return at + NULL_LENGTH;
  if (first === ARRAY || first === OBJECT) return writeSlowly(writer, bytes, at, endOfNested(bytes, at));
  return writePlain(writer, bytes, at);
}

/** Numbers, true and false. */
function writePlain(writer: Writer, bytes: Uint8Array, start: number): number {
  const { out } = writer;
  let at = start;
  for (
    let byte = bytes[at];
    byte !== COMMA && byte !== OBJECT_END && byte !== undefined;
    byte = bytes[++at]
  ) {
    out[writer.at++] = byte;
  }
  return at;
}

function writeString(writer: Writer, bytes: Uint8Array, start: number): number {
  const { out } = writer;
  const first = bytes[start + 1] ?? QUOTE;
  if (writer.escape === 'spreadsheet' && SUSPECT[first] === 1) {
    return writeSlowly(writer, bytes, start, endOfString(bytes, start));
  }
  let at = start + 1;
  let written = writer.at;
  let byte = first;
  while (KIND_OF_BYTE[byte] === PLAIN) {
    out[written++] = byte;
    byte = bytes[++at] ?? QUOTE;
  }
  if (KIND_OF_BYTE[byte] !== ENDS || first === SPACE || bytes[at - 1] === SPACE) {
    return writeQuoted(writer, bytes, start);
  }
  writer.at = written;
  return at + 1;
}

function writeQuoted(writer: Writer, bytes: Uint8Array, start: number): number {
  const { out } = writer;
  let at = start + 1;
  let written = writer.at;
  out[written++] = QUOTE;
  for (let byte = bytes[at] ?? QUOTE; byte !== QUOTE; byte = bytes[++at] ?? QUOTE) {
    if (byte === BACKSLASH) {
      byte = ESCAPED[bytes[++at] ?? 0] ?? 0;
      if (byte === 0) return writeSlowly(writer, bytes, start, endOfString(bytes, start));
      if (byte === QUOTE) out[written++] = QUOTE;
    }
    out[written++] = byte;
  }
  out[written++] = QUOTE;
  writer.at = written;
  return at + 1;
}

function writeSlowly(writer: Writer, bytes: Uint8Array, start: number, end: number): number {
  const token = decoder.decode(bytes.subarray(start, end));
  writeText(writer, csvCell(cellText(token), writer.escape));
  return end;
}

function writeText(writer: Writer, text: string): void {
  const { read, written } = encoder.encodeInto(text, writer.out.subarray(writer.at));
  if (read < text.length) throw new Error('A line is longer than expected');
  writer.at += written;
}

/** The offset after the closing quote. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** The offset after the closing bracket of an array or an object. */
function endOfNested(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at) - 1;
    else if (byte === ARRAY || byte === OBJECT) depth++;
    else if ((byte === ARRAY_END || byte === OBJECT_END) && --depth === 0) return at + 1;
  }
  return bytes.length;
}

/** @throws Error for an unknown column, so that no cell is lost silently */
function slowLine({ columns, escape }: Writer, data: string): string {
  const tokens = new Map(splitRowJson(data));
  const cells = columns.map((column) => {
    const token = tokens.get(column);
    tokens.delete(column);
    return csvCell(cellText(token), escape);
  });
  if (tokens.size > 0) throw new Error('A row has a column that its snapshot does not name');
  return csvLine(cells);
}
