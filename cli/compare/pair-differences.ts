// Shows edited rows without a key as changed, with the pairs that a record with `pairing` would have.
import { pairSimilar, PAIRING_LIMITS } from '../../core/delta/pair-similar.ts';
import { NO_RULES } from '../../core/delta/rules/column-rules.ts';
import { unpairedRows, type Warning } from '../../core/delta/warnings.ts';
import type { DeltaLine } from '../../core/export/delta-lines.ts';
import { type Differences, firstByKey } from './differences.ts';

/** What became of the wish to pair rows. */
export interface PairingResult {
  pairs: number;
  /** Why no row could pair: rows have a key, or there are too many deleted and new ones. */
  obstacle: 'key' | 'limit' | null;
}

export interface PairedDifferences {
  found: Differences;
  pairing: PairingResult;
  /** When there are too many rows to pair. */
  warnings: Warning[];
}

/** @param keyFields empty: a row's content is its key */
export async function pairDifferences(
  found: Differences,
  keyFields: readonly string[],
): Promise<PairedDifferences> {
  const { new: added, deleted } = found.counts;
  if (keyFields.length > 0) return { found, pairing: { pairs: 0, obstacle: 'key' }, warnings: [] };
  if (added === 0 || deleted === 0) return { found, pairing: { pairs: 0, obstacle: null }, warnings: [] };
  const lines = Math.max(added, deleted) > PAIRING_LIMITS.rows ? undefined : await pairLines(found);
  if (lines === undefined)
    return { found, pairing: { pairs: 0, obstacle: 'limit' }, warnings: [unpairedRows(found.counts)] };
  const pairs = added + deleted - lines.length;
  const counts = {
    ...found.counts,
    new: added - pairs,
    changed: found.counts.changed + pairs,
    deleted: deleted - pairs,
  };
  return {
    found: { ...found, counts, lines: (most) => Promise.resolve(firstByKey(lines, most)) },
    pairing: { pairs, obstacle: null },
    warnings: [],
  };
}

/** Reads all rows that differ. @returns undefined when they exceed a limit */
async function pairLines(found: Differences): Promise<DeltaLine[] | undefined> {
  const lines = await found.lines(Infinity);
  const deleted = lines.flatMap(({ key, before, after }) =>
    before !== null && after === null ? [{ key, data: before }] : [],
  );
  const added = lines.flatMap(({ key, before, after }) =>
    after !== null && before === null ? [{ key, data: after }] : [],
  );
  const sizeBytes = [...deleted, ...added].reduce((sum, { data }) => sum + Buffer.byteLength(data), 0);
  if (sizeBytes > PAIRING_LIMITS.bytes) return undefined;
  const pairs = pairSimilar(deleted, added, NO_RULES);
  if (pairs === undefined) return undefined;
  const previousKeys = new Map(pairs.map(({ before, after }) => [after, before]));
  const gone = new Map(pairs.map(({ before }) => [before, '']));
  for (const { key, data } of deleted) if (gone.has(key)) gone.set(key, data);
  return lines
    .filter(({ key, changeType }) => changeType !== 'deleted' || !gone.has(key))
    .map((line): DeltaLine => {
      const previousKey = line.changeType === 'new' ? previousKeys.get(line.key) : undefined;
      if (previousKey === undefined) return line;
      return { ...line, changeType: 'changed', previousKey, before: gone.get(previousKey) ?? null };
    });
}
