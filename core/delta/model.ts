// The words of the delta core: what a body is read as, and what leaves it as rows.

export const BODY_FORMATS = ['csv', 'tsv', 'jsonl', 'json'] as const;
export type BodyFormat = (typeof BODY_FORMATS)[number];

/** How a body is written. Fixed after a record's first good check. */
export interface Dialect {
  format: BodyFormat;
  /** One character for csv and tsv, null for JSON formats. */
  delimiter: string | null;
  /** Name of the character encoding, as TextDecoder gives it back. */
  charset: string;
  /** Dot path to the array of rows in a json body; empty: the root. */
  rowsPath: string;
  /**
   * The line of the header in csv and tsv, from 1 as a text editor counts; 0: there is none. Null for JSON formats.
   * Undefined for what versions found that left out cells beyond the header, which was always on the first line.
   */
  headerRow?: number | null;
}

/** The line of the header; null where the format has none. */
export const headerRowOf = ({
  delimiter,
  headerRow,
}: Pick<Dialect, 'delimiter' | 'headerRow'>): number | null => (delimiter === null ? null : (headerRow ?? 1));

/**
 * A value as the text of one JSON token: a cell of delimited text is always a JSON string, a JSON value keeps
 * its number text. Undefined means that the row lacks the column, which is neither null nor empty.
 */
export type Cell = string | undefined;

/** Rows in the order of the body. A row shorter than `columns` lacks the later ones. */
export interface Batch {
  /** All columns known so far; it only ever grows, and one array is shared by all batches of a body. */
  columns: readonly string[];
  rows: Cell[][];
}

/** Lengths are in UTF-16 code units, which for most text is characters. */
export interface RowLimits {
  maxRows: number;
  maxColumns: number;
  /** Of a column, with the path that leads to it. */
  maxNameLength: number;
  /** Of all columns together: every snapshot carries them. */
  maxNamesLength: number;
  maxRowLength: number;
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

/** A row with its identity. */
export interface KeyedRow {
  /** See identity.ts for how it is made. */
  key: string;
  /** 16 bytes over the canonical form: equal for equal rows whatever the order of their columns. */
  hash: Buffer;
  /** JSON object text, members in column order, ignored fields left out. */
  data: string;
  /** Position among the body's rows, from 1. Of rows with the same key the one with the highest counts. */
  ordinal: number;
  /** Whether a row before it has the same key. Once in a long while one is said to that has none before it. */
  isRepeat: boolean;
}
