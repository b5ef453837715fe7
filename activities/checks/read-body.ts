// Reads stored bodies: under which rule of the record, what makes one implausible, and which bodies a record keeps.
import {
  type Dialect,
  headerRowOf,
  ignoreTest,
  PARSER_VERSION,
  ROW_LIMITS,
  type RowLimits,
} from '../../core/delta/model.ts';
import type { DialectHints } from '../../core/delta/detect-dialect.ts';
import { inChunks } from '../../core/delta/raw/read-at.ts';
import {
  isBareBody,
  type OpenBody,
  openRows,
  type ReadSummary,
  type RowReader,
} from '../../core/delta/read-rows.ts';
import { CheckError } from '../../core/errors.ts';
import { isHeaderInForce, isRekeyDue, startsOver } from '../../core/generation.ts';
import { TIERS } from '../../core/tiers.ts';
import type { KeptRule, ReadBody } from '../../db/commit/commit-facts.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import { BlobNotFound } from '../blobs/blob-store.ts';
import type { ActivityDeps } from '../deps.ts';
import type { FetchedBody } from '../../workflows/contract.ts';
import { echoTestOf, withoutEchoes } from './commit-problem.ts';
import { forgetLooseBody, type LooseBody } from '../../db/upkeep/loose-bodies.ts';

export interface StoredBody {
  /** Hash of the URL and the credentials' version that it was fetched with. */
  urlHash: string;
  sha256: string;
  sizeBytes: number;
  contentType: string | null;
}

interface OpenedBody {
  /** Starts to read it from its start. */
  open: OpenBody;
  reader: RowReader;
  limits: RowLimits;
  /** Whether a text from the body may contain the credentials that the origin was shown. */
  isEcho: (text: string) => boolean;
}

/** Each chunk costs a turn of the event loop. */
const MAX_CHUNK_BYTES = 1024 * 1024;

/** Reading took longer than allowed. */
export class ReadTooSlow extends Error {}

interface Reading {
  /** Undefined: detect a key. */
  keyFields: readonly string[] | undefined;
  /** Whether it is the accepted body, whose dialect is known. */
  isAccepted?: boolean;
  /** When to give up, with ReadTooSlow: in milliseconds since the epoch. */
  untilMs?: number;
}

/** @throws CheckError the body is not valid for the record, or is no longer stored */
export async function openStoredBody(
  deps: ActivityDeps,
  record: TrackedRecord,
  body: StoredBody,
  { keyFields, isAccepted = false, untilMs = Infinity }: Reading = { keyFields: knownKey(record) },
): Promise<OpenedBody> {
  if (body.sizeBytes === 0) throw new CheckError('empty_body');
  const openBody = async function* (): AsyncGenerator<Uint8Array> {
    await using stored = await deps.blobs.open(record.id, body.sha256);
    for await (const chunk of inChunks(stored.read, Math.min(MAX_CHUNK_BYTES, body.sizeBytes + 1))) {
      if (Date.now() > untilMs) throw new ReadTooSlow('Reading the body took too long');
      yield chunk;
    }
  };
  const limits = { ...ROW_LIMITS, maxRows: TIERS[record.tier].maxRows };
  const reader = await openRows(openBody, {
    ...(isAccepted ? rereadingHints(record) : hintsOf(record)),
    contentType: body.contentType ?? undefined,
    keyFields,
    ignoreFields: record.ignoreFields,
    rules: record.rules,
    limits,
  }).catch((error: unknown) => {
    throw error instanceof BlobNotFound ? new CheckError('body_not_kept') : error;
  });
  return { open: openBody, reader, limits, isEcho: await echoTestOf(deps, record, body.urlHash) };
}

const hintsOf = (record: TrackedRecord): DialectHints => ({
  format: record.format ?? undefined,
  delimiter: record.delimiter ?? undefined,
  rowsPath: record.rowsPath ?? undefined,
  headerRow: record.headerRow ?? undefined,
  dialect: knownDialect(record),
});

/** What a commit needs to know about a body that was read. @throws CheckError the rows cannot belong to the record */
export function describeBody(
  record: TrackedRecord,
  { reader, isEcho }: Pick<OpenedBody, 'reader' | 'isEcho'>,
  { columns, rowCount, warnings, incompleteEnd }: ReadSummary,
  body: StoredBody,
): ReadBody {
  const { key, dialect, remarks } = reader;
  const isIgnored = ignoreTest(record.ignoreFields, dialect.format);
  const isBare = refuseNothing(dialect, { rowCount, columns });
  if (!isBare && !startsOver(record) && isHeaderInForce(record)) refuseForeignTable(record, columns);
  return {
    sha256: body.sha256,
    bytes: body.sizeBytes,
    rows: rowCount,
    // An empty JSON array has no columns. The record keeps those that it had.
    columns: isBare && !startsOver(record) ? record.columns.filter((column) => !isIgnored(column)) : columns,
    key: {
      fields: [...key.fields],
      source: record.keyFields === null ? 'detected' : 'given',
      evidence: record.keyFields === null ? (key.evidence ?? record.keyEvidence) : null,
    },
    dialect,
    warnings: withoutEchoes([...remarks, ...warnings], isEcho),
    incompleteEnd,
  };
}

/**
 * Without a header, text without rows looks the same as a response that lost its body.
 * @returns whether there are neither rows nor columns
 * @throws CheckError empty_body
 */
export function refuseNothing(dialect: Dialect, read: Pick<ReadSummary, 'rowCount' | 'columns'>): boolean {
  const isBare = isBareBody(dialect, read);
  if (isBare && dialect.format !== 'json') throw new CheckError('empty_body');
  return isBare;
}

/**
 * Refuses a table that shares no column with the record's rows, such as an error in plain text or a body with another
 * delimiter. Without this, all rows of a record without key fields would be reported as deleted.
 */
function refuseForeignTable({ totalRows, columns: known }: TrackedRecord, columns: readonly string[]): void {
  if (totalRows === 0 || known.length === 0 || columns.some((column) => known.includes(column))) return;
  throw new CheckError('malformed_body', 'None of the columns that the record had is there.');
}

/** A record under the rule of its stored rows, until the stored body has been read under the rule that was asked for. */
export function withRuleInForce(record: TrackedRecord): TrackedRecord & { isRekeyDue?: boolean } {
  return isRekeyDue(record) ? { ...record, ...storedRule(record), isRekeyDue: true } : record;
}

const storedRule = (record: TrackedRecord) => ({
  keyFields: record.keySource === 'given' ? record.headKeyFields : null,
  ignoreFields: record.headIgnoreFields,
  rules: record.headRules,
  headerRow: record.headHeaderRow,
});

/** What is stored about a held body: the facts of its fetch, and how it was read. */
export interface HeldFacts extends FetchedBody {
  dialect: unknown;
  /** Version of the settings that the dialect was detected under. */
  dialectVersion: number;
  /** Set when the body is held because the detected key repeats. */
  isKeyRepeated?: true;
}

/** A record under the rule that its held body was read under. Later requests, also to start over, apply to later bodies. */
export function withHeldRule(
  record: TrackedRecord,
  { dialect, dialectVersion }: Pick<HeldFacts, 'dialect' | 'dialectVersion'>,
): TrackedRecord {
  const held = likeStoredRows(record, dialect as Dialect | null); // checks write it
  const read = { dialect: held, dialectVersion, headDialectVersion: dialectVersion };
  return { ...record, ...storedRule(record), ...read, startsOverGeneration: null };
}

/** The dialect with the reading of the stored rows, with which its rows are compared: an earlier version may have read either. */
function likeStoredRows(record: TrackedRecord, dialect: Dialect | null): Dialect | null {
  const stored = acceptedDialect(record);
  const hasCells = dialect?.delimiter !== null && stored?.delimiter !== null;
  if (dialect === null || stored === undefined || !hasCells) return dialect;
  const like = { ...dialect };
  if (stored.reading === undefined) delete like.reading;
  else like.reading = stored.reading;
  return like;
}

/**
 * A record under the rule of its stored rows, for a body that cannot fulfil the user's request to start over: it was
 * fetched before the request, from another URL or with other credentials.
 */
export const withStoredRule = (record: TrackedRecord): TrackedRecord & { isRekeyDue: boolean } => ({
  ...withHeldRule(record, { dialect: record.dialect, dialectVersion: record.headDialectVersion }),
  isRekeyDue: true,
});

/** Whether the accepted body must be read again, because its rows were read under other settings. */
export const isBodyUnread = (record: TrackedRecord): boolean =>
  record.snapshotId !== null && (startsOver(record) || !isDialectInForce(record));

/** The dialect of earlier bodies. Undefined when it must be detected; a table that never had rows does not show it. */
function knownDialect(record: TrackedRecord): Dialect | undefined {
  const isKnown = isDialectInForce(record) && !startsOver(record) && !hasNeverHadRows(record);
  return isKnown ? acceptedDialect(record) : undefined;
}

/** The accepted body and its validators. */
export const acceptedBody = (record: TrackedRecord) => ({
  sha256: record.bodySha256 ?? '',
  sizeBytes: record.bodyBytes ?? 0,
  contentType: null,
  urlHash: record.validatedUrlHash ?? '',
  etag: record.etag,
  lastModified: record.lastModified,
});

/** The dialect of the accepted body. The column is JSON; checks store a Dialect in it. */
export const acceptedDialect = ({ dialect }: TrackedRecord): Dialect | undefined =>
  (dialect ?? undefined) as Dialect | undefined;

/**
 * Hints for reading the accepted body again: the same dialect as before. When the user asked for another header row, the
 * header is detected again, under the current settings.
 */
function rereadingHints(record: TrackedRecord): DialectHints & { charset?: string | undefined } {
  const dialect = acceptedDialect(record);
  if (dialect === undefined) return {};
  // The same bytes in another charset are another text. What the origin said of its charset is not kept.
  const { charset } = dialect;
  if (isHeaderInForce(record)) return { dialect: withCurrentParser(dialect), charset };
  const headerRow = record.headerRow ?? undefined;
  const { format, delimiter } = isDialectInForce(record) ? dialect : record;
  return { format: format ?? undefined, delimiter: delimiter ?? undefined, headerRow, charset };
}

/** The dialect of rows that this version read from delimited text; JSON has had one reading. */
export const withCurrentParser = (dialect: Dialect): Dialect =>
  dialect.delimiter === null
    ? dialect
    : { ...dialect, headerRow: headerRowOf(dialect), reading: PARSER_VERSION };

/** Whether the stored rows were read in this dialect. In another one the same bytes may be other rows. */
export function isAcceptedDialect(record: TrackedRecord, dialect: Dialect): boolean {
  const accepted = acceptedDialect(record);
  return (
    accepted?.format === dialect.format &&
    accepted.delimiter === dialect.delimiter &&
    accepted.charset === dialect.charset &&
    accepted.rowsPath === dialect.rowsPath &&
    headerRowOf(accepted) === headerRowOf(dialect)
  );
}

export const isDialectInForce = ({ dialectVersion, headDialectVersion }: TrackedRecord): boolean =>
  dialectVersion === headDialectVersion;

/** The key fields that the user gave, or that an earlier check detected; undefined when they must be detected. */
export function knownKey(record: TrackedRecord): readonly string[] | undefined {
  const { keyFields, snapshotId, headKeyFields } = record;
  if (keyFields !== null) return keyFields;
  // A table that lost its rows keeps its key, because earlier snapshots use it.
  return snapshotId === null || startsOver(record) || hasNeverHadRows(record) ? undefined : headKeyFields;
}

/** The key fields of the next generation. A detected key stays as long as none of its fields is ignored. */
export function keyToBe(record: TrackedRecord): readonly string[] | undefined {
  const { keyFields, keySource, headKeyFields, ignoreFields } = record;
  if (keyFields !== null) return keyFields;
  const isIgnored = ignoreTest(ignoreFields, acceptedDialect(record)?.format ?? 'csv');
  const mayStay = keySource === 'detected' && !headKeyFields.some(isIgnored) && isHeaderInForce(record);
  return mayStay ? knownKey(record) : undefined;
}

// The column is JSON; checks store a KeyEvidence in it, or null for given key fields.
const hasNeverHadRows = ({ keyEvidence }: TrackedRecord): boolean =>
  (keyEvidence as { rule: string } | null)?.rule === 'no_rows';

export const ruleOf = (record: TrackedRecord): KeptRule => ({
  generation: record.generation,
  ignoreFields: record.ignoreFields,
  rules: record.rules,
  headerRow: record.headerRow,
  dialectVersion: record.dialectVersion,
});

/** Removes the bodies that were accepted or held before the check, except for the given ones. */
export async function forgetBodies(
  deps: ActivityDeps,
  { id, bodySha256, heldSha256 }: TrackedRecord,
  kept: readonly (string | null)[],
): Promise<void> {
  for (const sha256 of [bodySha256, heldSha256]) {
    if (sha256 !== null && !kept.includes(sha256)) await removeBody(deps, { recordId: id, sha256 });
  }
}

export async function removeBody({ blobs, db }: ActivityDeps, body: LooseBody): Promise<void> {
  await blobs.remove(body.recordId, body.sha256);
  await forgetLooseBody(db, body);
}
