// What `watch` prints: a line for each check that found something, as `npm start` shows its demonstration, and its rows.
import { deltaJsonLine } from '../../core/export/delta-lines.ts';
import type { PairingResult } from '../compare/pair-differences.ts';
import { countWords, rowLine } from '../diff/formats/text.ts';
import type { Paint } from '../diff/paint.ts';
import { type DiffReport, pairingWords, rowsLeftOut } from '../diff/report.ts';
import { safeText } from '../../core/text/safe-text.ts';

export const WATCH_FORMATS = ['text', 'json'] as const;
export type WatchFormat = (typeof WATCH_FORMATS)[number];

/** Something that a check found, in words or in numbers. */
export interface WatchedCheck {
  check: number;
  at: Date;
  outcome: 'begun' | 'changed' | 'held' | 'failed' | 'recovered';
  words: string;
  report?: DiffReport;
}

export const findingText = (finding: WatchedCheck, format: WatchFormat, paint: Paint): string =>
  format === 'json' ? asJson(finding) : asText(finding, paint);

function asText({ check, at, words, report }: WatchedCheck, paint: Paint): string {
  const time = at.toLocaleTimeString('en-GB');
  if (report === undefined) return `${time}  check ${check}: ${safeText(words)}\n`;
  const rows = report.lines.map((line) => `          ${rowLine(line, report, paint)}\n`);
  const pairs = pairingOf(report).map((pairing) => paint('faint', `          ${pairingWords(pairing)}\n`));
  const left = rowsLeftOut(report);
  const rest = left > 0 ? [paint('faint', `          … and ${left} more\n`)] : [];
  return [`${time}  check ${check}: ${countWords(report, paint)}\n`, ...pairs, ...rows, ...rest].join('');
}

const pairingOf = ({ pairing }: DiffReport): PairingResult[] =>
  pairing === undefined || (pairing.pairs === 0 && pairing.obstacle === null) ? [] : [pairing];

function asJson({ check, at, outcome, words, report }: WatchedCheck): string {
  const common = { check, at: at.toISOString(), outcome, words };
  if (report === undefined) return `${safeText(JSON.stringify(common))}\n`;
  const { counts, totals, lines } = report;
  const { pairing } = report;
  const facts = { ...common, counts, totals, ...(pairing && { pairing }), rowsLeftOut: rowsLeftOut(report) };
  const rows = lines.map((line) => deltaJsonLine(line).trimEnd()).join(',');
  return `${safeText(`${JSON.stringify(facts).slice(0, -1)},"rows":[${rows}]}`)}\n`;
}
