// A record as checks see it: under the rule that its rows are kept under, until the stored body has been read under the
// one asked for.
import { isHeaderInForce, isRekeyDue, startsOver } from '../../core/generation.ts';
import { ignoreTest } from '../../core/delta/ignored-fields.ts';
import type { DialectHints } from '../../core/delta/detect-dialect.ts';
import { type Dialect, headerRowOf } from '../../core/delta/model.ts';
import type { KeptRule } from '../../db/commit/commit-facts.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { FetchedBody } from '../../workflows/contract.ts';

export function underRuleInForce(record: TrackedRecord): TrackedRecord & { isRekeyDue?: boolean } {
  return isRekeyDue(record) ? { ...record, ...keptUnder(record), isRekeyDue: true } : record;
}

const keptUnder = ({ keySource, headKeyFields, headIgnoreFields, headHeaderRow }: TrackedRecord) => ({
  keyFields: keySource === 'given' ? headKeyFields : null,
  ignoreFields: headIgnoreFields,
  headerRow: headHeaderRow,
});

/** A body that is held: the facts of its fetch, and how it was read. */
export interface HeldFacts extends FetchedBody {
  dialect: unknown;
  /** Of the settings that the dialect was found out under. */
  dialectVersion: number;
  /** Held because the key that was chosen repeats. */
  isKeyRepeated?: true;
}

/** A record as its held body was read: what is asked for since, also to begin anew, counts for later bodies. */
export function asHeld(
  record: TrackedRecord,
  { dialect, dialectVersion }: Pick<HeldFacts, 'dialect' | 'dialectVersion'>,
): TrackedRecord {
  const read = { dialect, dialectVersion, headDialectVersion: dialectVersion };
  return { ...record, ...keptUnder(record), ...read, startsOverGeneration: null };
}

/**
 * A record as its rows are kept, for a body that is not the one to begin anew with: it was fetched from another URL, or
 * with other credentials, before that was asked for. What is due then is for the plan to say.
 */
export const asKept = (record: TrackedRecord): TrackedRecord & { isRekeyDue: boolean } => ({
  ...asHeld(record, { dialect: record.dialect, dialectVersion: record.headDialectVersion }),
  isRekeyDue: true,
});

/** Whether a body must be read although it is the accepted one: its rows are not those of the settings. */
export const isBodyUnread = (record: TrackedRecord): boolean =>
  record.snapshotId !== null && (startsOver(record) || !isDialectInForce(record));

/** Undefined when it is still to be found out, or anew. A table that never had rows says too little about it. */
export function knownDialect(record: TrackedRecord): Dialect | undefined {
  const isKnown = isDialectInForce(record) && !startsOver(record) && !hasNeverHadRows(record);
  return isKnown ? acceptedDialect(record) : undefined;
}

/** The accepted body, and what the origin said of it. */
export const acceptedBody = (record: TrackedRecord) => ({
  sha256: record.bodySha256 ?? '',
  sizeBytes: record.bodyBytes ?? 0,
  contentType: null,
  urlHash: record.validatedUrlHash ?? '',
  etag: record.etag,
  lastModified: record.lastModified,
});

/** How the accepted body is written. Written by checks, which store a Dialect. */
export const acceptedDialect = ({ dialect }: TrackedRecord): Dialect | undefined =>
  (dialect ?? undefined) as Dialect | undefined;

/**
 * How the accepted body is to be read again: as it was, unless another header is asked for; then the place of the table is
 * found out anew, and what else is asked for since counts too.
 */
export function rereadingHints(record: TrackedRecord): DialectHints & { charset?: string | undefined } {
  const dialect = acceptedDialect(record);
  if (dialect === undefined) return {};
  if (isHeaderInForce(record)) return { dialect: { ...dialect, headerRow: headerRowOf(dialect) } };
  const { charset } = dialect;
  const headerRow = record.headerRow ?? undefined;
  const { format, delimiter } = isDialectInForce(record) ? dialect : record;
  return { format: format ?? undefined, delimiter: delimiter ?? undefined, headerRow, charset };
}

/** Whether the rows that are stored were read so: else the same bytes may be other rows. */
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

const isDialectInForce = ({ dialectVersion, headDialectVersion }: TrackedRecord): boolean =>
  dialectVersion === headDialectVersion;

/** The key given, or the one found earlier; undefined when it is still to be found. */
export function knownKey(record: TrackedRecord): readonly string[] | undefined {
  const { keyFields, snapshotId, headKeyFields } = record;
  if (keyFields !== null) return keyFields;
  // A table that has lost its rows keeps its key, because the snapshots before are keyed by it.
  return snapshotId === null || startsOver(record) || hasNeverHadRows(record) ? undefined : headKeyFields;
}

/** The key of a generation that is to begin: one that was chosen stays while its fields do. */
export function keyToBe(record: TrackedRecord): readonly string[] | undefined {
  const { keyFields, keySource, headKeyFields, ignoreFields } = record;
  if (keyFields !== null) return keyFields;
  const isIgnored = ignoreTest(ignoreFields, acceptedDialect(record)?.format ?? 'csv');
  const mayStay = keySource === 'detected' && !headKeyFields.some(isIgnored) && isHeaderInForce(record);
  return mayStay ? knownKey(record) : undefined;
}

// Written by checks, which store a KeyEvidence, or null for a key that was given.
const hasNeverHadRows = ({ keyEvidence }: TrackedRecord): boolean =>
  (keyEvidence as { rule: string } | null)?.rule === 'no_rows';

export const ruleOf = (record: TrackedRecord): KeptRule => ({
  generation: record.generation,
  ignoreFields: record.ignoreFields,
  headerRow: record.headerRow,
  dialectVersion: record.dialectVersion,
});
