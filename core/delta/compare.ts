// Defines what a change is. Every faster comparison is tested against this specification.
import { compareKeys } from './compare-keys.ts';
import type { CarryOver } from './carry-over.ts';
import { changedFields, type KeyedRow } from './keys/keyed-row.ts';

export type RowVersion = Pick<KeyedRow, 'key' | 'data'>;

interface ChangedRow {
  key: string;
  before: string;
  after: string;
  changedFields: string[];
}

/** Each list is ordered by key. */
export interface Delta {
  new: RowVersion[];
  changed: ChangedRow[];
  deleted: RowVersion[];
  unchanged: number;
}

/**
 * Compares two versions of a table. Of rows with the same key the last one counts; the order of rows does not matter.
 * @param carryOver when columns have rules: a value that its rule takes for the same stays as it was reported
 */
export function compare(
  before: readonly RowVersion[],
  after: readonly RowVersion[],
  carryOver?: CarryOver,
): Delta {
  const old = byKey(before);
  const current = byKey(after);
  const delta: Delta = { new: [], changed: [], deleted: [], unchanged: 0 };
  for (const [key, incoming] of current) {
    const oldData = old.get(key);
    if (oldData === undefined) {
      delta.new.push({ key, data: incoming });
      continue;
    }
    const data = carryOver?.(oldData, incoming) ?? incoming;
    const fields = changedFields(oldData, data);
    if (fields.length === 0) delta.unchanged++;
    else delta.changed.push({ key, before: oldData, after: data, changedFields: fields });
  }
  for (const [key, data] of old) if (!current.has(key)) delta.deleted.push({ key, data });
  return delta;
}

/** Applies a delta to a version. The result is ordered by key; unchanged rows keep the order of their members. */
export function apply(before: readonly RowVersion[], delta: Delta): RowVersion[] {
  const rows = byKey(before);
  for (const { key } of delta.deleted) rows.delete(key);
  for (const { key, data } of delta.new) rows.set(key, data);
  for (const { key, after } of delta.changed) rows.set(key, after);
  return [...rows]
    .map(([key, data]) => ({ key, data }))
    .sort((left, right) => compareKeys(left.key, right.key));
}

function byKey(rows: readonly RowVersion[]): Map<string, string> {
  const last = new Map(rows.map(({ key, data }) => [key, data]));
  return new Map([...last].sort(([left], [right]) => compareKeys(left, right)));
}
