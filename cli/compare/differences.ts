// What two ways of comparing two bodies give: counts, and rows in the order of their keys.
import { compareKeys } from '../../core/delta/compare-keys.ts';
import type { ReadSummary } from '../../core/delta/read-rows.ts';
import type { DeltaLine } from '../../core/export/delta-lines.ts';

export interface DifferenceCounts {
  new: number;
  changed: number;
  deleted: number;
  unchanged: number;
}

export interface Differences {
  counts: DifferenceCounts;
  before: ReadSummary;
  now: ReadSummary;
  /** The first rows that differ, by key. */
  lines: (most: number) => Promise<DeltaLine[]>;
}

export type LineType = DeltaLine['changeType'];

/** Keys with what happened to their rows: the first ones, in order. */
export function firstByKey<T extends { key: string }>(items: T[], most: number): T[] {
  items.sort((left, right) => compareKeys(left.key, right.key));
  return items.length > most ? items.slice(0, most) : items;
}

/** A copy that keeps nothing else in memory: a text that was put together holds on to the texts that it is made of. */
export const flat = (text: string): string => Buffer.from(text).toString();
