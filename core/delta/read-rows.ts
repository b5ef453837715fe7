// Reads a stored body into keyed rows: detects its dialect and key, then parses it.
import { CheckError } from '../errors.ts';
import { type BodyPrefix, decodeText, isNameOf, readPrefix, UTF_8 } from './decode-text.ts';
import { charsetOf, detectDialect, type DialectHints } from './detect-dialect.ts';
import { keepsEndMark, withoutEndMark } from './end-mark.ts';
import { createErrorEnd, MOST_LINES } from './error-end.ts';
import { type Ending, type IncompleteEnd, incompleteEnd } from './incomplete-end.ts';
import { detectRowsPath } from './json/detect-rows-path.ts';
import type { BodyScan, OpenScan, ScannedRows } from './keys/body-scan.ts';
import { detectKey, type HasKey, type KeyEvidence } from './keys/detect-key.ts';
import { NO_HEADER, parseDelimited } from './delimited/parse-delimited.ts';
import { createIdentifier, type Identifier, type KeyedRow, type StoredRow } from './keys/keyed-row.ts';
import { type Overview, overviewed, surveyKeys } from './keys/row-survey.ts';
import { scannedRows, skipRows } from './keys/stored-rows.ts';
import { type Batch, type Dialect, ignoreTest, type IsIgnored, quotingOf, type RowLimits } from './model.ts';
import { type ColumnRules, NO_RULES, rulesBeside } from './rules/column-rules.ts';
import { createWarnings, shorten, type Warning, type Warnings } from './warnings.ts';
import { parseDocument, parseJsonl } from './json/parse-json.ts';

/** Starts to read the decompressed body from its start. */
export type OpenBody = () => AsyncIterable<Uint8Array>;

export interface ReadOptions extends DialectHints {
  /** Wins over the Content-Type's charset; a byte order mark wins over both. */
  charset?: string | undefined;
  /** Undefined: detect a key. Empty: a row's content is its key. */
  keyFields?: readonly string[] | undefined;
  /** Left out of data, hash and columns. In JSON, `a` includes `a.b`. */
  ignoreFields: readonly string[];
  /** When two values of a column are the same; missing: when their texts are. */
  rules?: ColumnRules;
  limits: RowLimits;
  /** Reads all rows for the key, for surveys and to store them, faster than parsing them. */
  openScan?: OpenScan | undefined;
}

export interface ReadSummary {
  /** Stored columns, in the body's order. */
  columns: string[];
  /** Rows read, with repeated keys. */
  rowCount: number;
  warnings: Warning[];
  /** Undefined too for a body that was compared by bytes: a row with a warning is not. */
  incompleteEnd?: IncompleteEnd | undefined;
}

/** All rows at a glance. Every row has a complete key, and no key repeats. */
export interface RowSurvey extends ReadSummary {
  hasKey: HasKey;
  /** The rows, if a scan has read them. */
  scanned: ScannedRows | undefined;
}

export interface RowReader {
  dialect: Dialect;
  /** The evidence is null when the fields were given. */
  key: { fields: readonly string[]; evidence: KeyEvidence | null };
  /** Warnings about the body as a whole. */
  remarks: readonly Warning[];
  /** Reads the body once. Rows count only when all were read, because an error may come after many of them. */
  batches(): AsyncGenerator<KeyedRow[], void, undefined>;
  /** Reads the same rows to store them, faster where they can be read by their bytes. Most bodies are then read once. */
  storedBatches(): AsyncGenerator<StoredRow[], void, undefined>;
  /** @throws Error unless either has been read to its end */
  summary(): ReadSummary;
  /**
   * Reads the body once, unless its key was detected, and faster than batches(). Undefined when every row must be identified
   * to know more: rows without a key, incomplete or repeated keys.
   */
  survey(): Promise<RowSurvey | undefined>;
}

/**
 * Reads the first 64 KiB of the body, and all rows up to three times when a key must be detected.
 * @throws CheckError, here or while reading: the body is not valid for the record
 */
export async function openRows(open: OpenBody, options: ReadOptions): Promise<RowReader> {
  const { limits, rules = NO_RULES } = options;
  const prefix = await readPrefix(open(), await charsetToRead(open, options));
  const detected = detectDialect(options, prefix);
  const rowsPath = needsRowsPath(detected, options, prefix.text)
    ? await detectRowsPath(decodeText(open(), detected.charset, open), limits)
    : detected.rowsPath;
  const dialect = { ...detected, rowsPath };
  const isIgnored = ignoreTest(options.ignoreFields, dialect.format);
  const parse = (warnings = createWarnings()): AsyncIterable<Batch> =>
    parseRows(decodeText(open(), dialect.charset, open), dialect, limits, warnings);
  const scan = options.openScan?.(open, dialect, options.ignoreFields, limits);
  const { key, survey } = await findKey(parse, options, isIgnored, scan);

  let summary: ReadSummary | undefined;
  async function* batches(): AsyncGenerator<KeyedRow[], void, undefined> {
    const warnings = createBodyWarnings(options);
    const errorEnd = dialect.delimiter === null ? undefined : createErrorEnd(warnings, dialect.delimiter);
    const identifier = createIdentifier({ keyFields: key.fields, isIgnored, rules }, warnings, true);
    let lastRows: Ending[] = [];
    for await (const batch of parse(warnings)) {
      errorEnd?.look(batch);
      if (identifier.needsEarlier(batch)) await rememberEarlier(parse(), identifier);
      const rows = identifier.identify(batch);
      if (hasHeader(dialect)) identifier.requireKeyFields();
      lastRows = [...lastRows, ...rows.slice(-MOST_LINES)].slice(-MOST_LINES).map(endingOf);
      if (rows.length > 0) yield rows;
    }
    identifier.requireKeyFields();
    const read = {
      columns: identifier.storedColumns(),
      rowCount: identifier.rowCount(),
      warnings: warnings.list(),
    };
    const end = { isLastKeyless: identifier.isLastKeyless(), errorLines: errorEnd?.lineCount(), lastRows };
    summary = { ...read, incompleteEnd: incompleteEnd(dialect, read, end) };
  }

  async function* storedBatches(): AsyncGenerator<StoredRow[], void, undefined> {
    const warnings = createBodyWarnings(options);
    const fast = rulesBeside(rules, key.fields).size > 0 ? undefined : scan;
    const { rowCount, areAll, columns } = yield* scannedRows(fast, parse(warnings), key.fields, limits);
    const stored = columns.filter((column) => !isIgnored(column));
    if (areAll) summary = { columns: stored, rowCount, warnings: warnings.list() };
    else yield* skipRows(batches(), rowCount);
  }

  return {
    dialect,
    key,
    remarks: remarksOn(options, prefix),
    batches,
    storedBatches,
    summary() {
      if (summary === undefined) throw new Error('The rows have not been read to their end');
      return summary;
    },
    survey,
  };
}

/** Reads the rows so far again, for their keys. @param batches of the body, from its start */
async function rememberEarlier(batches: AsyncIterable<Batch>, identifier: Identifier): Promise<void> {
  let left = identifier.rowCount();
  for await (const { columns, rows } of batches) {
    identifier.remember({ columns, rows: rows.slice(0, left) });
    left -= rows.length;
    if (left <= 0) return;
  }
  if (left > 0) throw new Error('The body has changed while it was read');
}

/** Whether a line names the columns. Then a body without this line has been refused. */
const hasHeader = ({ delimiter, headerRow }: Pick<Dialect, 'delimiter' | 'headerRow'>): boolean =>
  delimiter !== null && headerRow !== NO_HEADER;

/** Whether there are neither rows nor columns. A header is there also when all of its columns are ignored. */
export const isBareBody = (
  dialect: Pick<Dialect, 'delimiter' | 'headerRow'>,
  { rowCount, columns }: Pick<ReadSummary, 'rowCount' | 'columns'>,
): boolean => rowCount === 0 && columns.length === 0 && !hasHeader(dialect);

/** Without the data, so that large rows are not kept. */
const endingOf = ({ key, isRepeat }: Ending): Ending => ({ key, isRepeat });

/** The key, given or detected, and what reading the rows for it found out about all of them. */
async function findKey(
  parse: (warnings?: Warnings) => AsyncIterable<Batch>,
  options: ReadOptions,
  isIgnored: IsIgnored,
  scan: BodyScan | undefined,
): Promise<Pick<RowReader, 'key' | 'survey'>> {
  const { keyFields } = options;
  const warnings = createBodyWarnings(options);
  const overview: Overview = { columns: [], rowCount: 0 };
  let isFirst = true;
  const parseNext = (): AsyncIterable<Batch> => {
    const batches = isFirst ? overviewed(parse(warnings), overview) : parse();
    isFirst = false;
    return batches;
  };
  const found = keyFields === undefined ? await detectKey(parseNext, isIgnored, { scan }) : undefined;
  const fields = found?.fields ?? keyFields ?? [];
  return {
    key: { fields, evidence: found?.evidence ?? null },
    async survey() {
      const mustRead = isFirst && fields.length > 0;
      const { hasKey, scanned } = (mustRead ? await surveyKeys(parseNext(), fields, scan) : found) ?? {};
      const columns = overview.columns.filter((column) => !isIgnored(column));
      const rowCount = scanned?.rowCount ?? overview.rowCount;
      return hasKey && { columns, rowCount, warnings: warnings.list(), hasKey, scanned };
    },
  };
}

/** Collects warnings. An owner who gave the path to the rows needs no warning about other arrays. */
export const createBodyWarnings = ({ rowsPath }: Pick<DialectHints, 'rowsPath'>): Warnings =>
  createWarnings(rowsPath === undefined ? [] : ['other_arrays']);

/** Encodings whose text may be valid UTF-8, because its bytes are or may be ASCII. */
const FIT_UTF_8_ANYWAY = ['utf-16le', 'utf-16be', 'iso-2022-jp'];

/** Whether a body that fits UTF-8, and was read so before, is read so again under this charset. */
const staysUtf8 = (named: string): boolean => !FIT_UTF_8_ANYWAY.some((name) => isNameOf(named, name));

/** Whether a body without a byte order mark that was read as UTF-8 is read so again, without looking at it. */
export const isReadAsUtf8Again = (contentType: string | undefined): boolean =>
  staysUtf8(charsetOf(contentType) ?? UTF_8);

/**
 * The charset for a body without a byte order mark. A charset in the Content-Type wins over the previous one, except when
 * that was UTF-8 and the body is still valid UTF-8. Without a Content-Type charset the previous one stays, unless the body
 * is clearly UTF-8.
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
  const mayStay = known === UTF_8 && !isNameOf(named, UTF_8) && staysUtf8(named);
  return mayStay && (await surveyUtf8(open)) !== undefined ? UTF_8 : named;
}

interface Utf8Survey {
  isAscii: boolean;
  hasNul: boolean;
}

/** ASCII alone is no evidence, unless the previous charset would read it as something else. */
const isPlainlyUtf8 = (survey: Utf8Survey | undefined, known: string): boolean =>
  survey !== undefined && !survey.hasNul && (!survey.isAscii || known.startsWith('utf-16'));

/** Undefined for a body that is not valid UTF-8. */
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

function remarksOn({ contentType, dialect }: ReadOptions, { charset, hasMark }: BodyPrefix): Warning[] {
  if (dialect === undefined || hasMark) return [];
  const named = charsetOf(contentType);
  const isKept = charset === dialect.charset;
  if (isKept && (charset !== UTF_8 || named === undefined || isNameOf(named, charset))) return [];
  const sample = `named ${shorten(named ?? 'by nothing')}, read as ${charset}`;
  return [{ code: 'charset_changed', count: 1, samples: [sample] }];
}

/** Whether the path to the rows of a JSON document must be detected. An array at the root needs no path. */
function needsRowsPath({ format }: Dialect, { dialect, rowsPath }: DialectHints, prefix: string): boolean {
  return format === 'json' && dialect === undefined && rowsPath === undefined && /^\s*\{/.test(prefix);
}

/**
 * Parses text in any dialect. Yields a batch for each chunk, possibly without rows. The first batch of delimited text has
 * its columns, even without rows.
 * @param texts chunks that never end within a surrogate pair
 * @param isPart whether these are some rows of a body, without its end
 * @throws CheckError, possibly after many batches
 */
export async function* parseRows(
  texts: AsyncIterable<string>,
  dialect: Dialect,
  limits: RowLimits,
  warnings: Warnings,
  isPart = false,
): AsyncGenerator<Batch, void, undefined> {
  let rowCount = 0;
  for await (const batch of parserOf(texts, dialect, limits, warnings, isPart)) {
    rowCount += batch.rows.length;
    if (rowCount > limits.maxRows) throw new CheckError('too_many_rows', `The limit is ${limits.maxRows}.`);
    yield batch;
  }
}

function parserOf(
  texts: AsyncIterable<string>,
  dialect: Dialect,
  limits: RowLimits,
  warnings: Warnings,
  isPart: boolean,
): AsyncGenerator<Batch, void, undefined> {
  const { format, delimiter, rowsPath, headerRow } = dialect;
  if (format === 'json') return parseDocument(texts, rowsPath, limits, warnings);
  if (format === 'jsonl') return parseJsonl(isPart ? texts : withoutEndMark(texts), limits, warnings);
  const layout = {
    delimiter: delimiter ?? (format === 'tsv' ? '\t' : ','),
    quoting: quotingOf(dialect),
    headerRow: headerRow ?? undefined,
  };
  const table = isPart || keepsEndMark(dialect) ? texts : withoutEndMark(texts);
  return parseDelimited(table, layout, limits, warnings);
}
