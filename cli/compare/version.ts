// A body as the service reads it: the first one like a record's first check, each later one as what the record has become.
import { type Dialect, headerRowOf, quotingOf, ROW_LIMITS, type RowLimits } from '../../core/delta/model.ts';
import type { DialectHints } from '../../core/delta/detect-dialect.ts';
import type { Pairing } from '../../core/delta/pair-similar.ts';
import { scanForIndex } from '../../core/delta/raw/scan-body.ts';
import { openRows, type RowReader } from '../../core/delta/read-rows.ts';
import { CheckError } from '../../core/errors.ts';
import { type BodyFile, bodyOpener } from './body-file.ts';

/** How bodies are read and compared: the settings of a record. */
export interface Rule extends Omit<DialectHints, 'contentType' | 'dialect'> {
  /** Wins over the one that the origin names; a byte order mark wins over both. */
  charset?: string | undefined;
  /** Undefined: detect a key. Empty: a row's content is its key. */
  keyFields: readonly string[] | undefined;
  ignoreFields: readonly string[];
  /** How edited rows without a key are recognised; undefined: not at all. */
  pairing?: Pairing | undefined;
}

/** What is kept of a version that was read, to read the next one in the same way. */
export interface Known {
  dialect: Dialect;
  key: RowReader['key'];
}

export interface Version {
  body: BodyFile;
  reader: RowReader;
  known: Known;
}

type Named = Pick<BodyFile, 'name'>;

/** A fault of one of the two bodies. */
export class BodyFault extends Error {
  readonly body: Named;
  readonly fault: CheckError;

  constructor(body: Named, fault: CheckError) {
    super(fault.message, { cause: fault });
    this.body = body;
    this.fault = fault;
  }
}

/** Names the body that a fault is about. */
export const ofBody = <T>(body: Named, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof CheckError ? new BodyFault(body, error) : error;
  });

/** Keys of more rows do not fit into memory. */
const MAX_ROWS = 10_000_000;

export const LIMITS: RowLimits = { ...ROW_LIMITS, maxRows: MAX_ROWS };

/** Opens the first body, and detects its key by all of its rows. @throws BodyFault it is not valid */
export async function openFirst(body: BodyFile, rule: Rule): Promise<Version> {
  const reader = await read(body, { ...rule, contentType: body.contentType });
  return { body, reader, known: { dialect: reader.dialect, key: reader.key } };
}

/** Opens a body again that was read before, in the same way. @throws BodyFault */
export async function openAgain(body: BodyFile, known: Known, rule: Rule): Promise<Version> {
  const { dialect, key } = known;
  const charset = dialect.charset;
  return { body, reader: await read(body, { ...rule, dialect, charset, keyFields: key.fields }), known };
}

/** Opens the body that follows a version. @throws BodyFault it is not valid, or cannot belong to the same record */
export async function openNext(body: BodyFile, before: Known, rule: Rule): Promise<Version> {
  const { contentType } = body;
  // A table that never had rows shows neither its dialect nor its key.
  if (before.key.evidence?.rule === 'no_rows') return openFirst(body, rule);
  const { dialect, key } = before;
  const reader = await read(body, { ...rule, contentType, dialect, keyFields: key.fields });
  return { body, reader, known: { dialect: reader.dialect, key } };
}

type Reading = Rule & DialectHints;

function read(body: BodyFile, reading: Reading): Promise<RowReader> {
  if (body.sizeBytes === 0) throw new BodyFault(body, new CheckError('empty_body'));
  return ofBody(
    body,
    openRows(bodyOpener(body), { ...reading, limits: LIMITS, openScan: scanForIndex(body.sizeBytes) }),
  );
}

/** Whether both are read in the same way. Otherwise equal bytes may be different rows. */
export function isSameDialect(one: Dialect, other: Dialect): boolean {
  return (
    one.format === other.format &&
    one.delimiter === other.delimiter &&
    one.charset === other.charset &&
    one.rowsPath === other.rowsPath &&
    headerRowOf(one) === headerRowOf(other) &&
    quotingOf(one) === quotingOf(other)
  );
}
