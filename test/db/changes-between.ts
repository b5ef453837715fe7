// The changes between two tables in the form of the API's lists of changed rows.
import { compareKeys } from '../../core/delta/compare-keys.ts';
import { compare, type Delta, type RowVersion } from '../../core/delta/compare.ts';
import type { ChangeType } from '../../db/rows/delta-rows.ts';

export interface Change {
  key: string;
  changeType: ChangeType;
  previousKey: string | null;
  before: string | null;
  after: string | null;
}

/** The changes by the specification, in the API's order of keys. */
export const changesBetween = (before: readonly RowVersion[], after: readonly RowVersion[]): Change[] =>
  changesOf(compare(before, after));

export function changesOf(delta: Delta): Change[] {
  const changes: Change[] = [
    ...delta.new.map(({ key, data }) => ({
      key,
      changeType: 'new' as const,
      previousKey: null,
      before: null,
      after: data,
    })),
    ...delta.changed.map(({ key, before, after }) => ({
      key,
      changeType: 'changed' as const,
      previousKey: null,
      before,
      after,
    })),
    ...delta.deleted.map(({ key, data }) => ({
      key,
      changeType: 'deleted' as const,
      previousKey: null,
      before: data,
      after: null,
    })),
  ];
  return changes.toSorted((left, right) => compareKeys(left.key, right.key));
}
