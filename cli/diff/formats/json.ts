// A comparison as one JSON document. Its rows are written as in the API, each on a line.
import { deltaJsonLine } from '../../../core/export/delta-lines.ts';
import { differingRows, type DiffReport, rowsLeftOut } from '../report.ts';
import { safeText } from '../../../core/text/safe-text.ts';

export function* jsonLines(report: DiffReport): Generator<string> {
  const { names, counts, totals, columns, warnings, pairing, isSharpDrop, known } = report;
  const members = {
    before: names.before,
    now: names.now,
    differs: differingRows(report) > 0,
    counts,
    totals,
    key: { fields: known.key.fields, evidence: report.isKeyGiven ? null : known.key.evidence },
    columns,
    warnings,
    ...(pairing && { pairing }),
    isSharpDrop,
    rowsLeftOut: rowsLeftOut(report),
  };
  yield '{\n';
  for (const [name, value] of Object.entries(members))
    yield `  "${name}": ${safeText(JSON.stringify(value))},\n`;
  yield '  "rows": [';
  let isFirst = true;
  for (const line of report.lines) {
    yield `${isFirst ? '' : ','}\n    ${safeText(deltaJsonLine(line).trimEnd())}`;
    isFirst = false;
  }
  yield isFirst ? ']\n}\n' : '\n  ]\n}\n';
}
