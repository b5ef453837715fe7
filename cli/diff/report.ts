// What the formats of `diff` print: the comparison, and the rows that are shown.
import type { Comparison } from '../compare/compare-versions.ts';
import { changedFields, splitRowJson } from '../../core/delta/keys/keyed-row.ts';
import type { PairingResult } from '../compare/pair-differences.ts';
import type { DeltaLine } from '../../core/export/delta-lines.ts';

export interface DiffReport extends Omit<Comparison, 'lines'> {
  /** As they are shown to people. */
  names: { before: string; now: string };
  isKeyGiven: boolean;
  /** The first rows that differ, in the order of their keys. */
  lines: readonly DeltaLine[];
}

export const DIFF_FORMATS = ['text', 'json', 'csv', 'patch', 'html'] as const;
export type DiffFormat = (typeof DIFF_FORMATS)[number];

export const differingRows = ({ counts }: Pick<DiffReport, 'counts'>): number =>
  counts.new + counts.changed + counts.deleted;

/** How many rows differ and are not shown. */
export const rowsLeftOut = (report: DiffReport): number => differingRows(report) - report.lines.length;

/** Says what became of the wish to pair rows. */
export function pairingWords({ pairs, obstacle }: PairingResult): string {
  if (obstacle === 'key')
    return 'No rows pair: they have a key. --pair is for rows without one (--key "": the whole row).';
  if (obstacle === 'limit') return 'No rows pair: too many are deleted and new.';
  return pairs === 1 ? '1 row pairs with a similar one.' : `${pairs} rows pair with similar ones.`;
}

/** The cells of a changed row that are the same in both versions, in the order of the second one. */
export function unchangedCells(
  before: string | null,
  after: string | null,
): [column: string, token: string][] {
  if (before === null || after === null) return [];
  const changed = new Set(changedFields(before, after));
  return splitRowJson(after).filter(([column]) => !changed.has(column));
}

/** Columns of the second version, then those that only the first one has. */
export const allColumns = ({ columns: { before, now } }: Pick<DiffReport, 'columns'>): string[] => [
  ...now,
  ...before.filter((column) => !now.includes(column)),
];
