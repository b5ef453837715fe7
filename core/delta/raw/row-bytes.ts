// Which bodies can be split into rows by bytes, without parsing them, and how their bytes become text.
import { NO_HEADER } from '../delimited/parse-delimited.ts';
import { type Dialect, ignoreTest, type Quoting, quotingOf } from '../model.ts';
import { type ColumnRule, type ColumnRules, rulesBeside } from '../rules/column-rules.ts';
import { isUtf8 } from 'node:buffer';
import { TextDecoder } from '@exodus/bytes/encoding.js';
import { decodeText } from '../decode-text.ts';
import { type ReadAt, readChunks } from './read-at.ts';
import { tolerantColumns, type TolerantColumn } from './tolerant-columns.ts';

/** How to split a body into rows, and which of their bytes to compare. */
export interface RowBytes {
  /** The ASCII code of the delimiter; `lines`: every line is a row; `elements`: every object of an array. */
  split: number | 'lines' | 'elements';
  /** Of delimited text. */
  quoting: Quoting;
  /** A charset in which rows can be split by bytes; UTF-8 for a body that is decoded first. */
  charset: string;
  /** The charset to decode the body from; undefined when it is read as it is. */
  decodedFrom: string | undefined;
  /** Dot path to the array. */
  rowsPath: string;
  /** The line of the header in delimited text, from 1. */
  headerRow: number;
  /** Columns that do not count in the comparison. */
  ignored: readonly string[];
  /** Columns in which values that are written in another way may be the same. */
  rules: ReadonlyMap<string, ColumnRule>;
  /** Those of them with a tolerance that the kernel knows. */
  tolerant: readonly TolerantColumn[];
}

export interface RowRule {
  dialect: Dialect;
  keyFields: readonly string[];
  ignoreFields: readonly string[];
  rules: ColumnRules;
}

/**
 * Charsets in which rows can be split by bytes: bytes below 128 are always ASCII characters, whatever precedes them.
 */
const BYTE_WISE =
  /^(?:utf-8|ibm866|iso-8859-\d+(?:-i)?|koi8-[ru]|macintosh|windows-(?:874|125\d)|x-mac-cyrillic)$/;

/**
 * How to split the rows of a body. Bodies in other charsets are decoded first, because in them the byte of a delimiter may be
 * part of another character, or a row cannot be decoded alone.
 * @returns undefined when the body cannot be split by bytes
 */
export function rowBytes(rule: RowRule): RowBytes | undefined {
  const { dialect, keyFields, ignoreFields } = rule;
  const { charset, rowsPath } = dialect;
  const headerRow = dialect.headerRow ?? 1;
  const split = splitOf(dialect);
  if (split === undefined) return undefined;
  const ignored = ignoreFields.filter((field) => !keyFields.includes(field));
  // Only members at the top level of an object can be left out.
  const isHidden = ignored.length < ignoreFields.length || ignored.some((field) => field.includes('.'));
  if (typeof split === 'string' && isHidden) return undefined;
  const rules = comparedRules(rule);
  const compared = { ignored, rules, tolerant: tolerantColumns(rules, keyFields) };
  const coding = BYTE_WISE.test(charset)
    ? { charset, decodedFrom: undefined }
    : { charset: 'utf-8', decodedFrom: charset };
  // The kernel finds the members of an object by the UTF-8 of their names, which are other characters in another charset.
  const isFound = [...ignored, ...compared.rules.keys()].every((name) => !/[^\0-\x7f]/.test(name));
  if (typeof split === 'string' && coding.charset !== 'utf-8' && !isFound) return undefined;
  return { split, quoting: quotingOf(dialect), ...coding, rowsPath, headerRow, ...compared };
}

/** Without the rules of nested members: their values are compared as they are written, and so are their rows read more often. */
function comparedRules({ dialect, keyFields, ignoreFields, rules }: RowRule): RowBytes['rules'] {
  const isIgnored = ignoreTest(ignoreFields, dialect.format);
  const isCompared = (column: string): boolean =>
    !isIgnored(column) && (dialect.delimiter !== null || !column.includes('.'));
  return new Map([...rulesBeside(rules, keyFields)].filter(([column]) => isCompared(column)));
}

function splitOf({ format, delimiter, headerRow }: Dialect): RowBytes['split'] | undefined {
  // Without a header, the columns depend on all rows.
  if (headerRow === NO_HEADER) return undefined;
  if (format === 'jsonl') return 'lines';
  if (format === 'json') return 'elements';
  const code = delimiter?.length === 1 ? delimiter.charCodeAt(0) : 128;
  return code < 128 ? code : undefined;
}

/** Ends a comparison by bytes. Not an error of the body: every row must be read to decide. */
export class NeedsExactPath extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'NeedsExactPath';
  }
}

/** Ends a comparison with a part of the previous rows in memory. With all of them it may succeed. */
export class OutOfOrder extends NeedsExactPath {}

/**
 * The text of whole rows. A byte order mark is kept as a character, because the one of the body is not part of a row.
 * @throws NeedsExactPath the bytes are not valid in this charset
 */
export function decodeRow(bytes: Uint8Array, charset: string): string {
  if (charset === 'utf-8') {
    if (!isUtf8(bytes)) throw new NeedsExactPath('A row is not UTF-8');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  }
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new NeedsExactPath(`A row is not ${charset}`, { cause });
  }
}

/** Reads a body in another charset as UTF-8 without a byte order mark. @throws CheckError encoding_invalid */
export const readDecoded = (chunks: AsyncIterable<Uint8Array>, { decodedFrom }: RowBytes): ReadAt =>
  readChunks(encode(decodeText(chunks, decodedFrom)));

async function* encode(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}
