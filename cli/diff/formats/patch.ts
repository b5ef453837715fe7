// A comparison in the style of a unified diff, which pagers and reviews colour: a hunk for each row, a line for each value.
import { changedFields, splitRowJson } from '../../../core/delta/keys/keyed-row.ts';
import type { DeltaLine } from '../../../core/export/delta-lines.ts';
import type { Paint } from '../paint.ts';
import { type DiffReport, pairingWords, rowsLeftOut, unchangedCells } from '../report.ts';
import { safeText } from '../../../core/text/safe-text.ts';

export function* patchLines(report: DiffReport, paint: Paint): Generator<string> {
  const { names, lines, pairing } = report;
  if (lines.length === 0) return;
  yield `${paint('strong', `--- ${safeText(names.before)}`)}\n`;
  yield `${paint('strong', `+++ ${safeText(names.now)}`)}\n`;
  if (pairing !== undefined) yield `# ${pairingWords(pairing)}\n`;
  for (const line of lines) yield* hunk(line, paint);
  const left = rowsLeftOut(report);
  if (left > 0) yield `# ${left} more rows differ\n`;
}

function* hunk(line: DeltaLine, paint: Paint): Generator<string> {
  const { key, changeType, previousKey = null, before, after } = line;
  const pair = previousKey === null ? '' : `, similar to ${safeText(JSON.stringify(previousKey))}`;
  yield `${paint('faint', `@@ ${changeType} ${safeText(JSON.stringify(key))}${pair} @@`)}\n`;
  if (previousKey !== null) yield* sameValues(line);
  const changed = before === null || after === null ? undefined : new Set(changedFields(before, after));
  const valuesOf = (data: string | null): [string, string][] =>
    (data === null ? [] : splitRowJson(data)).filter(([column]) => changed?.has(column) !== false);
  for (const [column, token] of valuesOf(before)) yield `${paint('deleted', `-${value(column, token)}`)}\n`;
  for (const [column, token] of valuesOf(after)) yield `${paint('new', `+${value(column, token)}`)}\n`;
}

/** What tells which row a pair is: its key is a hash. */
function* sameValues({ before, after }: DeltaLine): Generator<string> {
  for (const [column, token] of unchangedCells(before, after)) yield ` ${value(column, token)}\n`;
}

/** Names that would be read as something else are quoted. Values are JSON, so each is one line. */
function value(column: string, token: string): string {
  const name = /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(column) ? column : JSON.stringify(column);
  return safeText(`${name}: ${token.replaceAll(/[\r\n]/g, ' ')}`);
}
