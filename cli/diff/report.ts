// What the formats of `diff` print: the comparison, and the rows that are shown.
import type { Comparison } from '../compare/compare-versions.ts';
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

/** Columns of the second version, then those that only the first one has. */
export const allColumns = ({ columns: { before, now } }: Pick<DiffReport, 'columns'>): string[] => [
  ...now,
  ...before.filter((column) => !now.includes(column)),
];
