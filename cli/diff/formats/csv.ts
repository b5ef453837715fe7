// A comparison as CSV, as in the product's exports: the values before and after, each with a line.
import type { CsvEscape } from '../../../core/export/csv-cell.ts';
import { deltaCsvHeader, deltaCsvLines } from '../../../core/export/delta-lines.ts';
import { allColumns, type DiffReport } from '../report.ts';

export function* csvLines(report: DiffReport, escape: CsvEscape): Generator<string> {
  const file = { columns: allColumns(report), escape, hasPreviousKey: report.pairing !== undefined };
  yield deltaCsvHeader(file);
  for (const line of report.lines) yield deltaCsvLines(line, file);
}
