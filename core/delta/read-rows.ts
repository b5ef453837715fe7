// The way from a stored body to keyed rows: finds out how it is written and keyed, then reads it row by row.
import { decodeText, readHead } from './decode-text.ts';
import { charsetOf, detectDialect, type DialectHints } from './detect-dialect.ts';
import { detectRowsPath } from './detect-rows-path.ts';
import { detectKey, type KeyEvidence } from './detect-key.ts';
import { createIdentifier } from './identity.ts';
import { ignoreTest } from './ignored-fields.ts';
import type { Batch, Dialect, KeyedRow, RowLimits } from './model.ts';
import { parseRows } from './parse-rows.ts';
import { createWarnings, type Warning } from './warnings.ts';

/** Begins to read the body, already decompressed, from its start. */
export type OpenBody = () => AsyncIterable<Uint8Array>;

export interface ReadOptions extends DialectHints {
  /** Wins over the Content-Type's charset; a byte order mark wins over both. */
  charset?: string | undefined;
  /** Undefined: choose. Empty: a row's content is its key. */
  keyFields?: readonly string[] | undefined;
  /** Left out of data, hash and columns. In JSON `a` stands for all of `a.b` too. */
  ignoreFields: readonly string[];
  limits: RowLimits;
}

export interface ReadSummary {
  /** Stored columns, in the body's order. */
  columns: string[];
  /** Rows read, before those with the same key are taken together. */
  rowCount: number;
  warnings: Warning[];
}

export interface RowReader {
  dialect: Dialect;
  /** Evidence is null if the fields were given. */
  key: { fields: readonly string[]; evidence: KeyEvidence | null };
  /** Reads the body, once. Nothing counts before the end: an error may come after many rows. */
  batches(): AsyncGenerator<KeyedRow[], void, undefined>;
  /** @throws Error unless batches() has been read to its end */
  summary(): ReadSummary;
}

/**
 * Looks at the body's first 64 KiB, and at all of its rows once or twice if a key is to be chosen.
 * @throws CheckError, here or while reading: the body is not what the record needs
 */
export async function openRows(open: OpenBody, options: ReadOptions): Promise<RowReader> {
  const { limits, keyFields } = options;
  const named = options.charset ?? charsetOf(options.contentType) ?? options.dialect?.charset;
  const head = await readHead(open(), named);
  const detected = detectDialect(options, head);
  const { path: rowsPath, others } = needsRowsPath(detected, options, head.text)
    ? await detectRowsPath(decodeText(open(), detected.charset, open), limits)
    : { path: detected.rowsPath, others: [] };
  const dialect = { ...detected, rowsPath };
  const isIgnored = ignoreTest(options.ignoreFields, dialect.format);
  const parse = (warnings = createWarnings()): AsyncIterable<Batch> =>
    parseRows(decodeText(open(), dialect.charset, open), dialect, limits, warnings);
  const key =
    keyFields === undefined ? await detectKey(parse, isIgnored) : { fields: keyFields, evidence: null };

  let summary: ReadSummary | undefined;
  async function* batches(): AsyncGenerator<KeyedRow[], void, undefined> {
    const warnings = createWarnings();
    for (const { path, rowCount } of others) warnings.add('other_arrays', `${path} (${rowCount})`);
    const hasHeader = dialect.delimiter !== null;
    const identifier = createIdentifier({ keyFields: key.fields, isIgnored }, warnings);
    for await (const batch of parse(warnings)) {
      const rows = identifier.identify(batch);
      if (hasHeader) identifier.requireKeyFields();
      if (rows.length > 0) yield rows;
    }
    identifier.requireKeyFields();
    summary = {
      columns: identifier.storedColumns(),
      rowCount: identifier.rowCount(),
      warnings: warnings.list(),
    };
  }

  return {
    dialect,
    key,
    batches,
    summary() {
      if (summary === undefined) throw new Error('The rows have not been read to their end');
      return summary;
    },
  };
}

/** Whether it is still to be found where in a JSON document the rows are. An array at the root is them. */
function needsRowsPath({ format }: Dialect, { dialect, rowsPath }: DialectHints, head: string): boolean {
  return format === 'json' && dialect === undefined && rowsPath === undefined && /^\s*\{/.test(head);
}
