// The types of the delta core: how a body is written, and the rows that are read from it.

export const DATA_FORMATS = ['csv', 'tsv', 'jsonl', 'json'] as const;
export type DataFormat = (typeof DATA_FORMATS)[number];

/**
 * Whether quotes mean anything in delimited text. `double`: a cell may be in double quotes, and a quote in it is doubled (RFC 4180).
 * `none`: a quote is an ordinary character, as with `quoteChar: null` in CSVW (https://www.w3.org/TR/tabular-metadata/#dialect-quoteChar).
 * Python's csv module and pandas call the setting `quoting`, and this value QUOTE_NONE.
 */
export const QUOTINGS = ['double', 'none'] as const;
export type Quoting = (typeof QUOTINGS)[number];

/** How a body is written. Fixed after a record's first good check. */
export interface Dialect {
  format: DataFormat;
  /** One character for csv and tsv, null for JSON formats. */
  delimiter: string | null;
  /** Name of the character encoding, as TextDecoder gives it back. */
  charset: string;
  /** Dot path to the array of rows in a json body; empty: the root. */
  rowsPath: string;
  /**
   * The line of the header in csv and tsv, from 1 as a text editor counts; 0: no header. Null for JSON formats.
   * Undefined when an earlier version stored the dialect: it dropped cells beyond the header, which was on line 1.
   */
  headerRow?: number | null;
  /** Never detected. Missing for `double`, as in dialects of earlier versions, and for JSON formats. */
  quoting?: 'none';
  /** The PARSER_VERSION of the version that read the stored rows. */
  reading?: number;
}

/**
 * The rules by which delimited text is read as cells. Raise it when the same text may give other cells. The accepted body is
 * then read again before the next one is compared (activities/checks/begin-generation.ts). Rows of an earlier reading:
 * undefined: literal cells lack one of two quotes, and cells beyond the header may be missing. 1: the last cell may have the mark
 * of DOS (end-mark.ts), or be nothing but that mark.
 */
export const PARSER_VERSION = 2;

/** The line of the header; null for formats without one. */
export const headerRowOf = ({
  delimiter,
  headerRow,
}: Pick<Dialect, 'delimiter' | 'headerRow'>): number | null => (delimiter === null ? null : (headerRow ?? 1));

export const quotingOf = ({ quoting }: Pick<Dialect, 'quoting'>): Quoting => quoting ?? 'double';

/**
 * A value as the text of one JSON token: a cell of delimited text is always a JSON string, a JSON value keeps
 * its number text. Undefined means that the row lacks the column, which is neither null nor empty.
 */
export type Cell = string | undefined;

/** Rows in the order of the body. A row that is shorter than `columns` lacks the last ones. */
export interface Batch {
  /** All columns known so far. It only grows, and all batches of a body share one array. */
  columns: readonly string[];
  rows: Cell[][];
}

/** Lengths are in UTF-16 code units, which for most text is characters. */
export interface RowLimits {
  maxRows: number;
  maxColumns: number;
  /** For the name of a column, which in JSON is a path. */
  maxNameLength: number;
  /** For the names of all columns together, which every snapshot stores. */
  maxNamesLength: number;
  maxRowLength: number;
  /** For a value. The quotes and escapes of a text do not count. */
  maxFieldLength: number;
  maxDepth: number;
}

/** The limits of every tier, except for the number of rows. */
export const ROW_LIMITS = {
  maxColumns: 1_000,
  maxNameLength: 4_096,
  maxNamesLength: 128 * 1024,
  maxRowLength: 4 * 1024 * 1024,
  maxFieldLength: 1024 * 1024,
  maxDepth: 64,
} as const satisfies Omit<RowLimits, 'maxRows'>;

export type IsIgnored = (column: string) => boolean;

/** A test for columns that the record ignores. In JSON, where columns are paths, ignoring `a` ignores `a.b` too. */
export function ignoreTest(ignoreFields: readonly string[], format: DataFormat): IsIgnored {
  const ignored = new Set(ignoreFields);
  if (format !== 'json' && format !== 'jsonl') return (column) => ignored.has(column);
  const longest = Math.max(0, ...ignoreFields.map(({ length }) => length));
  return (column) => {
    if (ignored.has(column)) return true;
    let dot = ignored.size === 0 ? -1 : column.indexOf('.');
    while (dot !== -1 && dot <= longest) {
      if (ignored.has(column.slice(0, dot))) return true;
      dot = column.indexOf('.', dot + 1);
    }
    return false;
  };
}
