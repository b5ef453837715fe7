// Which bodies can be split into rows by their bytes, and how.
import { NO_HEADER } from '../delimited/header-row.ts';
import type { Dialect } from '../model.ts';

/** How rows are told apart, and what of their bytes counts. */
export interface RowBytes {
  /** The ASCII code of a delimiter; or every line is a row, or every object in an array. */
  split: number | 'lines' | 'elements';
  /** One of those whose bytes tell rows apart; UTF-8 for a body that is to be decoded first. */
  charset: string;
  /** What the body is to be decoded from; undefined if it is read as it is. */
  decodedFrom: string | undefined;
  /** Dot path to the array. */
  rowsPath: string;
  /** The line of the header in delimited text, from 1. */
  headerRow: number;
  /** Columns that need not be the same. */
  ignored: readonly string[];
}

export interface RowRule {
  dialect: Dialect;
  keyFields: readonly string[];
  ignoreFields: readonly string[];
}

/**
 * Charsets in which a byte is a character whatever stands before it, and the first 128 are those of ASCII where rows,
 * cells and members are told by them; in UTF-8 bytes of other characters are greater than that.
 */
const BYTE_WISE =
  /^(?:utf-8|ibm866|iso-8859-\d+(?:-i)?|koi8-[ru]|macintosh|windows-(?:874|125\d)|x-mac-cyrillic)$/;

/**
 * Other charsets are decoded on the way: the bytes of a delimiter may be part of a character in them, or rows could not be
 * decoded alone.
 * @returns undefined for what cannot be split so
 */
export function rowBytes({ dialect, keyFields, ignoreFields }: RowRule): RowBytes | undefined {
  const { charset, rowsPath } = dialect;
  const headerRow = dialect.headerRow ?? 1;
  const split = splitOf(dialect);
  if (split === undefined) return undefined;
  const ignored = ignoreFields.filter((field) => !keyFields.includes(field));
  // Of an object's members only those at the top are looked for.
  const isHidden = ignored.length < ignoreFields.length || ignored.some((field) => field.includes('.'));
  if (typeof split === 'string' && isHidden) return undefined;
  const coding = BYTE_WISE.test(charset)
    ? { charset, decodedFrom: undefined }
    : { charset: 'utf-8', decodedFrom: charset };
  return { split, ...coding, rowsPath, headerRow, ignored };
}

function splitOf({ format, delimiter, headerRow }: Dialect): RowBytes['split'] | undefined {
  // Without a header the columns follow from all rows.
  if (headerRow === NO_HEADER) return undefined;
  if (format === 'jsonl') return 'lines';
  if (format === 'json') return 'elements';
  const code = delimiter?.length === 1 ? delimiter.charCodeAt(0) : 128;
  return code < 128 ? code : undefined;
}
