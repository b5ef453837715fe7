// A comparison as a page without scripts, which needs no other file.
import { cellText, changedFields, splitRowJson } from '../../../core/delta/keys/keyed-row.ts';
import type { DeltaLine } from '../../../core/export/delta-lines.ts';
import { MISSING } from '../../../core/text/look-alikes.ts';
import { allColumns, type DiffReport, pairingWords, rowsLeftOut } from '../report.ts';

const STYLE = `
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
body { margin: 2rem; }
table { border-collapse: collapse; }
th, td { border: 1px solid #8886; padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; white-space: pre-wrap; }
tr.new td:first-child, ins { background: #2da44e40; text-decoration: none; }
tr.deleted td:first-child, del { background: #cf222e40; text-decoration: none; }
tr.changed td:first-child { background: #bf870040; }
td i { opacity: 0.7; }
del + ins { margin-left: 0.5em; }`;

export function* htmlLines(report: DiffReport): Generator<string> {
  const { names, counts, totals, pairing } = report;
  const title = `${names.before} → ${names.now}`;
  const columns = allColumns(report);
  yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n';
  // Nothing is loaded and nothing runs, whatever a value holds.
  yield `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">\n`;
  yield `<title>${escapeHtml(title)}</title>\n<style>${STYLE}\n</style>\n</head>\n<body>\n`;
  yield `<h1>${escapeHtml(title)}</h1>\n`;
  yield `<p>${counts.new} new, ${counts.changed} changed, ${counts.deleted} deleted, ${counts.unchanged} unchanged`;
  yield ` (${totals.before} rows before, ${totals.now} now)</p>\n`;
  if (pairing !== undefined) yield `<p>${escapeHtml(pairingWords(pairing))}</p>\n`;
  if (report.lines.length > 0) {
    yield `<table>\n<thead><tr><th></th>${columns.map((name) => `<th>${escapeHtml(name)}</th>`).join('')}</tr></thead>\n<tbody>\n`;
    for (const line of report.lines) yield rowHtml(line, columns);
    yield '</tbody>\n</table>\n';
  }
  const left = rowsLeftOut(report);
  if (left > 0) yield `<p>${left} more rows differ.</p>\n`;
  yield '</body>\n</html>\n';
}

function rowHtml(
  { changeType, previousKey = null, before, after }: DeltaLine,
  columns: readonly string[],
): string {
  const [old, now] = [before, after].map((data) => new Map(data === null ? [] : splitRowJson(data)));
  const changed = new Set(before === null || after === null ? [] : changedFields(before, after));
  const cells = columns.map((column) => {
    if (changed.has(column)) return changedCell(old?.get(column), now?.get(column));
    return `<td>${valueHtml(now?.get(column) ?? old?.get(column))}</td>`;
  });
  const paired =
    previousKey === null
      ? ''
      : `<br><small title="${escapeHtml(previousKey)}">paired with a similar row</small>`;
  return `<tr class="${changeType}"><td>${changeType}${paired}</td>${cells.join('')}</tr>\n`;
}

/** Values that would look the same, such as 1 and "1", are shown as JSON. */
function changedCell(before: string | undefined, after: string | undefined): string {
  const show =
    wordsOf(before) === wordsOf(after) ? (token = MISSING): string => escapeHtml(token) : valueHtml;
  return `<td><del>${show(before)}</del><ins>${show(after)}</ins></td>`;
}

function wordsOf(token: string | undefined): string {
  if (token === undefined) return MISSING;
  return token === 'null' ? token : cellText(token);
}

/** In italics what is no value. */
function valueHtml(token: string | undefined): string {
  const words = escapeHtml(wordsOf(token));
  return token === undefined || token === 'null' ? `<i>${words}</i>` : words;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters are not allowed in HTML; they are shown as the replacement character. */
const escapeHtml = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replaceAll(/(?![\t\n\r])\p{Cc}/gu, '\ufffd');
