// Detects how a body is written (format, delimiter, header, charset) from settings, response headers and content.
import { CheckError } from '../errors.ts';
import type { BodyPrefix } from './decode-text.ts';
import { trimEndMark } from './end-mark.ts';
import { detectTable } from './delimited/detect-table.ts';
import { refuseMixedDelimiters } from './delimited/mixed-delimiters.ts';
import { PARSER_VERSION, ROW_LIMITS, type DataFormat, type Dialect, type Quoting } from './model.ts';
import { JsonScanError, scanJson } from './json/scan-json.ts';
import { createDocumentWalk } from './json/walk-document.ts';

export interface DialectHints {
  format?: DataFormat | undefined;
  contentType?: string | undefined;
  delimiter?: string | undefined;
  rowsPath?: string | undefined;
  /** The line of the header, from 1; 0: no header. */
  headerRow?: number | undefined;
  /** Missing: `double`. */
  quoting?: Quoting | undefined;
  /** The dialect of an earlier good check. Only the charset is detected then. */
  dialect?: Dialect | undefined;
}

/**
 * @throws CheckError unexpected_content (a web page or XML), malformed_body (a JSON document where delimited text
 * was expected, or the rows have another delimiter than the header), header_unclear
 */
export function detectDialect(hints: DialectHints, start: BodyPrefix): Dialect {
  const prefix = start.isWhole ? { ...start, text: trimEndMark(start.text) } : start;
  if (isMarkup(prefix.text, hints)) throw new CheckError('unexpected_content');
  const format = hints.dialect?.format ?? chooseFormat(hints, prefix);
  const isText = format === 'csv' || format === 'tsv';
  if (isText && (prefix.isWhole ? isJsonDocument : beginsJsonDocument)(prefix.text)) {
    throw new CheckError('malformed_body', 'It is a JSON document, not delimited text.');
  }
  const dialect = hints.dialect ?? chooseDialect(format, hints, prefix);
  refuseMixedDelimiters(prefix.text, prefix.isWhole, dialect);
  return { ...dialect, charset: prefix.charset };
}

const chooseFormat = ({ format, contentType, rowsPath = '' }: DialectHints, prefix: BodyPrefix): DataFormat =>
  detectFormat({ setting: format, contentType, rowsPath, prefix: prefix.text, isWhole: prefix.isWhole });

function chooseDialect(
  format: DataFormat,
  { format: setting, delimiter: given, headerRow: givenRow, quoting, rowsPath = '' }: DialectHints,
  { text, charset, isWhole }: BodyPrefix,
): Dialect {
  if (format === 'json' || format === 'jsonl') {
    return { format, delimiter: null, charset, rowsPath, headerRow: null };
  }
  const { delimiter, headerRow } = detectTable(text, isWhole, {
    delimiter: given ?? (format === 'tsv' ? '\t' : undefined),
    headerRow: givenRow,
    quoting,
  });
  const isTsv = setting === undefined && delimiter === '\t';
  return {
    format: isTsv ? 'tsv' : format,
    delimiter,
    charset,
    rowsPath,
    headerRow,
    ...(quoting === 'none' && { quoting }),
    reading: PARSER_VERSION,
  };
}

/** The format from the record's setting, else from the media type, else from the start of the body. */
export function detectFormat({
  setting,
  contentType,
  rowsPath = '',
  prefix,
  isWhole = true,
}: {
  setting?: DataFormat | undefined;
  contentType?: string | undefined;
  rowsPath?: string;
  prefix: string;
  isWhole?: boolean;
}): DataFormat {
  if (setting !== undefined) return setting;
  const named = formatOfMediaType(contentType ?? '');
  if (named !== undefined && named !== 'json') return named;
  const isNamed = named === 'json';
  if (!/^\s*[[{]/.test(prefix)) return isNamed ? 'json' : 'csv';
  // JSONL is often served as application/json, so the content decides.
  return rowsPath === '' && isLines({ prefix, isWhole, isNamed }) ? 'jsonl' : 'json';
}

/** The charset parameter of a Content-Type. */
export function charsetOf(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1];
}

/** The format that a Content-Type names; undefined when it is not supported. */
export function formatOfMediaType(contentType: string): DataFormat | undefined {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^(?:text|application)\/(?:x-)?(?:csv|comma-separated-values)$/.test(type)) return 'csv';
  if (/^(?:text|application)\/(?:x-)?(?:tsv|tab-separated-values)$/.test(type)) return 'tsv';
  if (/^(?:text|application)\/(?:x-)?(?:jsonl|ndjson|jsonlines|json-lines|jsonl\+json)$/.test(type))
    return 'jsonl';
  if (/^(?:text|application)\/(?:[\w.-]+\+)?json$/.test(type)) return 'json';
  return undefined;
}

/**
 * Whether each line has one object. A body with a single line counts as JSONL only if its media type is not JSON and it has
 * no array of objects.
 */
function isLines({
  prefix,
  isWhole,
  isNamed,
}: {
  prefix: string;
  isWhole: boolean;
  isNamed: boolean;
}): boolean {
  const text = prefix.trimStart();
  if (text.startsWith('[')) return false;
  const [line = '', ...others] = text.split('\n');
  const isOnlyLine = isWhole && others.every((other) => other.trim() === '');
  if (others.length > 0 && !isOnlyLine) return isJsonDocument(line);
  return !isNamed && !holdsTable(text);
}

function isJsonDocument(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    scanJson(text, ROW_LIMITS.maxDepth);
    return true;
  } catch (error) {
    // The text is JSON, but breaks a limit for rows, which the parser will report.
    return error instanceof JsonScanError && error.fault !== 'syntax';
  }
}

/** Whether an array of objects begins in the text, which may be only a part of a document. */
const holdsTable = (text: string): boolean => walkStart(text).holdsObjects;

/** Whether the text is the first part of a JSON document, as far as it goes. */
const beginsJsonDocument = (text: string): boolean => /^\s*[[{]/.test(text) && walkStart(text).isSound;

function walkStart(text: string): { holdsObjects: boolean; isSound: boolean } {
  let holdsObjects = false;
  const { walk } = createDocumentWalk({
    takeArray: () => (element) => {
      holdsObjects ||= element.startsWith('{');
    },
    nameElement: () => 'an element',
    limits: ROW_LIMITS,
  });
  try {
    walk(text, false);
    return { holdsObjects, isSound: true };
  } catch (error) {
    // The parser reports the error.
    if (!(error instanceof CheckError)) throw error;
    return { holdsObjects, isSound: false };
  }
}

/**
 * Whether the text is HTML or XML. While the format is unknown, anything that begins with a tag counts, as failing scripts
 * may send only a part of a page, unless the tag is the first name of a header (`<TICKER>,<DATE>`).
 */
function isMarkup(prefix: string, { dialect, format }: DialectHints): boolean {
  if (/^\s*<(?:!doctype html|html|head|body|!--|\?xml)/i.test(prefix)) return true;
  const isGuessed = dialect === undefined && format === undefined;
  return isGuessed && /^\s*<[a-z!?/]/i.test(prefix) && !/^\s*<[^<>\n]*>\s*[,;\t|]/.test(prefix);
}
