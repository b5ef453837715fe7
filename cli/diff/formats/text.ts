// A comparison for people: a summary, then a line for each row.
import { cellText, changedFields, splitRowJson } from '../../../core/delta/keys/keyed-row.ts';
import { isKeyedBy } from '../../../core/delta/replay-events.ts';
import type { Warning } from '../../../core/delta/warnings.ts';
import type { DeltaLine } from '../../../core/export/delta-lines.ts';
import { brokenOff, isFewRows } from '../../../core/sharp-drop.ts';
import { type Paint, SIGNS } from '../paint.ts';
import { type DiffReport, pairingWords, rowsLeftOut, unchangedCells } from '../report.ts';
import { MISSING } from '../../../core/text/look-alikes.ts';
import { safeText } from '../../../core/text/safe-text.ts';

const LONGEST_VALUE = 60;
const LONGEST_KEY = 80;
/** Of a new or deleted row, so many values are shown. */
const MOST_VALUES = 6;

export function* textLines(report: DiffReport, paint: Paint): Generator<string> {
  yield* summaryLines(report, paint);
  if (report.lines.length > 0) yield '\n';
  for (const line of report.lines) yield `${rowLine(line, report, paint)}\n`;
  const left = rowsLeftOut(report);
  if (left > 0 && report.lines.length > 0)
    yield paint('faint', `… and ${left} more (--max-rows 0 shows all)\n`);
}

function* summaryLines(report: DiffReport, paint: Paint): Generator<string> {
  const { names, totals } = report;
  yield `${paint('strong', `${safeText(names.before)} → ${safeText(names.now)}`)}\n`;
  yield `${countWords(report, paint)} (${totals.before} rows before, ${totals.now} now)\n`;
  yield `${keyWords(report)}\n`;
  if (report.pairing !== undefined) yield `${pairingWords(report.pairing)}\n`;
  yield* columnLines(report);
  const { before, now } = report.warnings;
  for (const warning of before) yield paint('faint', `${warningWords(names.before, warning)}\n`);
  for (const warning of now) yield paint('faint', `${warningWords(names.now, warning)}\n`);
  if (report.isSharpDrop)
    yield paint(
      'changed',
      `${isFewRows(totals) ? FEW : `${brokenOff(totals, report.incompleteEnd)}.`} ${HELD}\n`,
    );
}

const FEW = 'Most rows are gone.';
const HELD = 'The service would hold this check until a second one confirms it.';

export function countWords({ counts }: Pick<DiffReport, 'counts'>, paint: Paint): string {
  const part = (type: 'new' | 'changed' | 'deleted'): string => {
    const words = `${counts[type]} ${type}`;
    return counts[type] === 0 ? words : paint(type, words);
  };
  return `${part('new')}, ${part('changed')}, ${part('deleted')}, ${counts.unchanged} unchanged`;
}

function keyWords({ known: { key }, isKeyGiven }: DiffReport): string {
  const names = key.fields.map(safeText).join(', ');
  if (isKeyGiven) return names === '' ? 'Key: the whole row (given)' : `Key: ${names} (given)`;
  const why = key.evidence === null ? '' : ` ${safeText(key.evidence.words)}`;
  return `Key: ${names === '' ? 'the whole row' : names}.${why}`;
}

function* columnLines({ columns: { before, now } }: DiffReport): Generator<string> {
  const added = now.filter((column) => !before.includes(column));
  const removed = before.filter((column) => !now.includes(column));
  if (before.length === 0) return;
  if (added.length > 0) yield `New columns: ${added.map(safeText).join(', ')}\n`;
  if (removed.length > 0) yield `Columns that are gone: ${removed.map(safeText).join(', ')}\n`;
}

export function warningWords(name: string, { code, count, samples }: Warning): string {
  const places = samples.length === 0 ? '' : ` (${samples.map(safeText).join(', ')})`;
  return `Warning about ${safeText(name)}: ${code}, ${count}${places}`;
}

/** The key of the rows, which is shown before their values. That of an older change may have been another. */
interface KeyedRows {
  known: { key: { fields: readonly string[] } };
}

export function rowLine(line: DeltaLine, { known }: KeyedRows, paint: Paint): string {
  const { changeType, key, previousKey = null, before, after } = line;
  const { fields } = known.key;
  const name = `${SIGNS[changeType]} ${shown(key, LONGEST_KEY)}`;
  const isContent = fields.length === 0 && key.startsWith('sha256:');
  const sign = paint(changeType, isContent ? SIGNS[changeType] : name);
  if (before !== null && after !== null) {
    const same = previousKey === null ? '' : `${valueWords(unchangedCells(before, after))}; `;
    return `${sign}  ${same}${changeWords(before, after)}`;
  }
  const values = splitRowJson(before ?? after ?? '{}');
  const inKey = isKeyedBy(fields, line) ? fields : [];
  return `${sign}  ${valueWords(values.filter(([column]) => !inKey.includes(column)))}`;
}

function changeWords(before: string, after: string): string {
  const [old, now] = [new Map(splitRowJson(before)), new Map(splitRowJson(after))];
  return changedFields(before, after)
    .map((field) => `${safeText(field)}: ${bothWords(old.get(field), now.get(field)).join(' → ')}`)
    .join(', ');
}

/** Values that would look the same are shown as JSON, from shortly before they begin to differ. */
function bothWords(before: string | undefined, after: string | undefined): [string, string] {
  const both: [string, string] = [wordsOf(before), wordsOf(after)];
  if (before === undefined || after === undefined || both[0] !== both[1]) return both;
  const start = Math.max(0, firstDifference(before, after) - SHOWN_BEFORE_DIFFERENCE);
  const part = (token: string): string =>
    `${start === 0 ? '' : '…'}${shown(token.slice(start).toWellFormed(), LONGEST_VALUE)}`;
  return [part(before), part(after)];
}

/** Only what is a value has quotes. */
function wordsOf(token: string | undefined): string {
  if (token === undefined) return MISSING;
  return token === 'null' ? token : `“${shown(cellText(token), LONGEST_VALUE)}”`;
}

const SHOWN_BEFORE_DIFFERENCE = 20;

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function valueWords(values: readonly [column: string, token: string][]): string {
  const words = values
    .slice(0, MOST_VALUES)
    .map(([column, token]) => `${safeText(column)} ${wordsOf(token)}`);
  return [...words, ...(values.length > MOST_VALUES ? ['…'] : [])].join(', ');
}

function shown(text: string, longest: number): string {
  const short = text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
  return safeText(short);
}
