// What a change is: the specification that every faster way of comparing is held to.
import { compareKeys } from './compare-keys.ts';
import type { KeyedRow } from './model.ts';
import { changedFields } from './json/row-json.ts';

export type StoredRow = Pick<KeyedRow, 'key' | 'data'>;

interface ChangedRow {
  key: string;
  before: string;
  after: string;
  changedFields: string[];
}

/** Each list is in the order of its keys. */
export interface Delta {
  new: StoredRow[];
  changed: ChangedRow[];
  deleted: StoredRow[];
  unchanged: number;
}

/** Compares two versions of a record. Of rows with the same key the last one counts; order means nothing. */
export function compare(before: readonly StoredRow[], after: readonly StoredRow[]): Delta {
  const old = byKey(before);
  const current = byKey(after);
  const delta: Delta = { new: [], changed: [], deleted: [], unchanged: 0 };
  for (const [key, data] of current) {
    const oldData = old.get(key);
    if (oldData === undefined) {
      delta.new.push({ key, data });
      continue;
    }
    const fields = changedFields(oldData, data);
    if (fields.length === 0) delta.unchanged++;
    else delta.changed.push({ key, before: oldData, after: data, changedFields: fields });
  }
  for (const [key, data] of old) if (!current.has(key)) delta.deleted.push({ key, data });
  return delta;
}

/** The version that a delta leads to, in the order of keys. Unchanged rows keep the order of their members. */
export function apply(before: readonly StoredRow[], delta: Delta): StoredRow[] {
  const rows = byKey(before);
  for (const { key } of delta.deleted) rows.delete(key);
  for (const { key, data } of delta.new) rows.set(key, data);
  for (const { key, after } of delta.changed) rows.set(key, after);
  return [...rows]
    .map(([key, data]) => ({ key, data }))
    .sort((left, right) => compareKeys(left.key, right.key));
}

function byKey(rows: readonly StoredRow[]): Map<string, string> {
  const last = new Map(rows.map(({ key, data }) => [key, data]));
  return new Map([...last].sort(([left], [right]) => compareKeys(left, right)));
}
