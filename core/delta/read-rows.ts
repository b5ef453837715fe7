// The way from a stored body to keyed rows: finds out how it is written and keyed, then reads it row by row.
import { CheckError } from '../errors.ts';
import { type BodyHead, decodeText, isNameOf, readHead, UTF_8 } from './decode-text.ts';
import { charsetOf, detectDialect, type DialectHints } from './detect-dialect.ts';
import { detectRowsPath } from './json/detect-rows-path.ts';
import { detectKey, type KeyEvidence } from './keys/detect-key.ts';
import { NO_HEADER } from './delimited/header-row.ts';
import { createIdentifier } from './keys/identity.ts';
import { ignoreTest } from './ignored-fields.ts';
import type { Batch, Dialect, KeyedRow, RowLimits } from './model.ts';
import { parseRows } from './parse-rows.ts';
import { createWarnings, shorten, type Warning } from './warnings.ts';

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
  /** What is told of the body as a whole, besides the warnings that its rows give rise to. */
  remarks: readonly Warning[];
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
  const head = await readHead(open(), await charsetToRead(open, options));
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
    const hasHeader = dialect.delimiter !== null && dialect.headerRow !== NO_HEADER;
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
    remarks: remarksOn(options, head),
    batches,
    summary() {
      if (summary === undefined) throw new Error('The rows have not been read to their end');
      return summary;
    },
  };
}

/** Encodings whose bytes are, or may be, those of ASCII: what is written in them fits UTF-8 as well. */
const FIT_UTF_8_ANYWAY = ['utf-16le', 'utf-16be', 'iso-2022-jp'];

/**
 * Label of the charset that a body without a byte order mark is read in. A name that the origin gives now wins over what
 * is known, but not over UTF-8 that the whole body still fits. A body without a name is what the one before was, unless
 * it is plainly UTF-8.
 */
export async function charsetToRead(
  open: OpenBody,
  { charset, contentType, dialect }: Pick<ReadOptions, 'charset' | 'contentType' | 'dialect'>,
): Promise<string | undefined> {
  const known = dialect?.charset;
  const named = charset ?? charsetOf(contentType);
  if (known === undefined || known === named) return named;
  if (named === undefined) {
    return known !== UTF_8 && isPlainlyUtf8(await surveyUtf8(open), known) ? UTF_8 : known;
  }
  const mayStay = known === UTF_8 && ![UTF_8, ...FIT_UTF_8_ANYWAY].some((name) => isNameOf(named, name));
  return mayStay && (await surveyUtf8(open)) !== undefined ? UTF_8 : named;
}

interface Utf8Survey {
  isAscii: boolean;
  hasNul: boolean;
}

/** ASCII alone says nothing, unless the known charset would read it as something else. */
const isPlainlyUtf8 = (survey: Utf8Survey | undefined, known: string): boolean =>
  survey !== undefined && !survey.hasNul && (!survey.isAscii || known.startsWith('utf-16'));

/** Undefined for a body that does not fit UTF-8. */
async function surveyUtf8(open: OpenBody): Promise<Utf8Survey | undefined> {
  const survey = { isAscii: true, hasNul: false };
  try {
    for await (const text of decodeText(open(), UTF_8)) {
      survey.isAscii &&= Buffer.byteLength(text) === text.length;
      survey.hasNul ||= text.includes('\0');
    }
    return survey;
  } catch (error) {
    if (error instanceof CheckError) return undefined;
    throw error;
  }
}

function remarksOn({ contentType, dialect }: ReadOptions, { charset, hasMark }: BodyHead): Warning[] {
  if (dialect === undefined || hasMark) return [];
  const named = charsetOf(contentType);
  const isKept = charset === dialect.charset;
  if (isKept && (charset !== UTF_8 || named === undefined || isNameOf(named, charset))) return [];
  const sample = `named ${shorten(named ?? 'by nothing')}, read as ${charset}`;
  return [{ code: 'charset_changed', count: 1, samples: [sample] }];
}

/** Whether it is still to be found where in a JSON document the rows are. An array at the root is them. */
function needsRowsPath({ format }: Dialect, { dialect, rowsPath }: DialectHints, head: string): boolean {
  return format === 'json' && dialect === undefined && rowsPath === undefined && /^\s*\{/.test(head);
}
