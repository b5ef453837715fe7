// Under which rule a record's bodies are read: the dialect, key and columns of its stored rows, or those that newer settings ask for.
import { type Dialect, headerRowOf, ignoreTest, PARSER_VERSION, quotingOf } from '../../core/delta/model.ts';
import type { DialectHints } from '../../core/delta/detect-dialect.ts';
import { isTableInForce, isRekeyDue, startsOver, tableInForce } from '../../core/generation.ts';
import type { KeptRule } from '../../db/commit/commit-facts.ts';
import type { OpenEndedRun } from '../../core/sharp-drop.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { FetchedBody } from '../../workflows/contract.ts';

/** Hints for reading a new body. */
export const hintsOf = (record: TrackedRecord): DialectHints => ({
  format: record.format ?? undefined,
  delimiter: record.delimiter ?? undefined,
  rowsPath: record.rowsPath ?? undefined,
  headerRow: record.headerRow ?? undefined,
  quoting: record.quoting,
  dialect: knownDialect(record),
});

/** A record under the rule of its stored rows, until the stored body has been read under the rule that was asked for. */
export function withRuleInForce(record: TrackedRecord): TrackedRecord & { isRekeyDue?: boolean } {
  return isRekeyDue(record) ? { ...record, ...storedRule(record), isRekeyDue: true } : record;
}

const storedRule = (record: TrackedRecord) => ({
  keyFields: record.keySource === 'given' ? record.headKeyFields : null,
  ignoreFields: record.headIgnoreFields,
  rules: record.headRules,
  ...tableInForce(record),
});

/** What is stored about a held body: the facts of its fetch, and how it was read. */
export interface HeldFacts extends FetchedBody {
  dialect: unknown;
  /** Version of the settings that the dialect was detected under. */
  dialectVersion: number;
  /** Set when the body is held because the detected key repeats. */
  isKeyRepeated?: true;
  /** When a body with about as many rows was first held, by the database's clock. Missing if the key repeats. */
  rowsSinceMs?: number;
  /** Set when it has lost the line end of the table. */
  openEndedRun?: OpenEndedRun;
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
 * Hints for reading the accepted body again: the same dialect as before. When the user asked for another header row or
 * quoting, the header is detected again, under the current settings.
 */
export function rereadingHints(record: TrackedRecord): DialectHints & { charset?: string | undefined } {
  const dialect = acceptedDialect(record);
  if (dialect === undefined) return {};
  // The same bytes in another charset are another text. What the origin said of its charset is not kept.
  const { charset } = dialect;
  if (isTableInForce(record)) return { dialect: withCurrentParser(dialect), charset };
  const headerRow = record.headerRow ?? undefined;
  const { format, delimiter } = isDialectInForce(record) ? dialect : record;
  return {
    format: format ?? undefined,
    delimiter: delimiter ?? undefined,
    headerRow,
    quoting: record.quoting,
    charset,
  };
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
    headerRowOf(accepted) === headerRowOf(dialect) &&
    quotingOf(accepted) === quotingOf(dialect)
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
  const mayStay = keySource === 'detected' && !headKeyFields.some(isIgnored) && isTableInForce(record);
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
  quoting: record.quoting,
  putAsideVersion: record.putAsideVersion,
  dialectVersion: record.dialectVersion,
});
