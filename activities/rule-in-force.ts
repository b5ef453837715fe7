// A record as checks see it: under the rule that its rows are kept under, until the stored body has been read under the
// one asked for.
import { isRekeyDue, startsOver } from '../core/generation.ts';
import { ignoreTest } from '../core/delta/ignored-fields.ts';
import type { Dialect } from '../core/delta/model.ts';
import type { KeptRule } from '../db/commit-delta.ts';
import type { TrackedRecord } from '../db/records.ts';

export function underRuleInForce(record: TrackedRecord): TrackedRecord & { isRekeyDue?: boolean } {
  if (!isRekeyDue(record)) return record;
  const { keySource, headKeyFields, headIgnoreFields } = record;
  return {
    ...record,
    keyFields: keySource === 'given' ? headKeyFields : null,
    ignoreFields: headIgnoreFields,
    isRekeyDue: true,
  };
}

/** Whether a body must be read although it is the accepted one: its rows are not those of the settings. */
export const isBodyUnread = (record: TrackedRecord): boolean =>
  record.snapshotId !== null && (startsOver(record) || !isDialectInForce(record));

/** Undefined when it is still to be found out, or anew. A table that never had rows says too little about it. */
export function knownDialect(record: TrackedRecord): Dialect | undefined {
  const isKnown = isDialectInForce(record) && !startsOver(record) && !hasNeverHadRows(record);
  // Written by checks, which store a Dialect; null before the first good one.
  return isKnown ? ((record.dialect ?? undefined) as Dialect | undefined) : undefined;
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
  const { keyFields, keySource, headKeyFields, ignoreFields, dialect } = record;
  if (keyFields !== null) return keyFields;
  // Written by checks, which store a Dialect.
  const isIgnored = ignoreTest(ignoreFields, (dialect as Dialect | null)?.format ?? 'csv');
  const mayStay = keySource === 'detected' && !headKeyFields.some(isIgnored);
  return mayStay ? knownKey(record) : undefined;
}

// Written by checks, which store a KeyEvidence, or null for a key that was given.
const hasNeverHadRows = ({ keyEvidence }: TrackedRecord): boolean =>
  (keyEvidence as { rule: string } | null)?.rule === 'no_rows';

export const ruleOf = ({ generation, ignoreFields, dialectVersion }: TrackedRecord): KeptRule => ({
  generation,
  ignoreFields,
  dialectVersion,
});
