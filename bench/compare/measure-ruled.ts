// Checks of a large record with all rules on one column, in turns with those of a record that ignores the column: when every row
// is written in another way there, and when some rows have changed. The same with a tolerance, when every number has moved within it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ColumnRules } from '../../core/delta/rules/column-rules.ts';
import type { LargeCost } from '../large/measure-large.ts';
import type { System } from '../system.ts';
import { costsInTurns } from './check-turns.ts';
import { startFileOrigin } from './file-origin.ts';
import { writeFeed } from './make-feed.ts';
import { watchRecord, type WatchSettings } from './watched-record.ts';

type Format = WatchSettings['format'];

interface Pair {
  ruled: LargeCost;
  ignored: LargeCost;
}

export interface RuledResult {
  rows: number;
  format: Format;
  /** Every row differs in the column: under rules in its spelling, and where it is ignored in its value. */
  everyRow: Pair;
  /** Every row differs in another column: under a tolerance by as much as that. */
  moved: Pair;
  /** 2 % of the rows are other ones. */
  changed: Pair;
}

const RULES: ColumnRules = {
  updated_at: { as: 'date', trim: true, ignoreCase: true, normalize: 'NFKC' },
};

const TOLERANCE: ColumnRules = { stock: { as: 'number', tolerance: '1' } };

export async function measureRuled(
  system: System,
  folder: string,
  { rows, format, rounds }: { rows: number; format: Format; rounds: number },
  report: (text: string) => void,
): Promise<RuledResult> {
  const feedFolder = join(folder, `ruled-${format}-${rows}`);
  mkdirSync(feedFolder, { recursive: true });
  const file = (name: string): string => join(feedFolder, `${name}.${format}`);
  report(`rules: writing ${rows} rows of ${format}`);
  await writeFeed(file('1'), { rows, format, version: 1 });
  await writeFeed(file('2'), { rows, format, version: 2 });
  await writeFeed(file('respelled'), { rows, format, version: 1, respellsAll: true });
  await writeFeed(file('touched'), { rows, format, version: 1, touchesAll: true });
  await writeFeed(file('moved'), { rows, format, version: 1, movesAll: true });
  const contentType = format === 'csv' ? 'text/csv' : 'application/jsonl';
  const origins = [await startFileOrigin(contentType), await startFileOrigin(contentType)] as const;
  const ruled = await watchRecord(system, origins[0], { format, rules: RULES });
  const ignored = await watchRecord(system, origins[1], { format, ignoreFields: ['updated_at'] });
  report('rules: first checks');
  for (const record of [ruled, ignored]) await record.check(file('1'));

  const inTurns = async (
    names: readonly [ruled: string, ignored: string],
    records = [ruled, ignored] as const,
  ): Promise<Pair> => {
    const sides = [
      { record: records[0], file: file(names[0]) },
      { record: records[1], file: file(names[1]) },
    ] as const;
    const [ofRuled, ofIgnored] = await costsInTurns(system, sides, file('1'), rounds);
    return { ruled: ofRuled, ignored: ofIgnored };
  };
  report('rules: every row differs in the column');
  const everyRow = await inTurns(['respelled', 'touched']);
  report('rules: some rows have changed');
  const changed = await inTurns(['2', '2']);
  for (const record of [ruled, ignored]) await record.remove();
  report('rules: every number moves within its tolerance');
  const tolerant = await watchRecord(system, origins[0], { format, rules: TOLERANCE });
  const without = await watchRecord(system, origins[1], { format, ignoreFields: ['stock'] });
  for (const record of [tolerant, without]) await record.check(file('1'));
  const moved = await inTurns(['moved', 'moved'], [tolerant, without]);
  for (const record of [tolerant, without]) await record.remove();
  for (const origin of origins) await origin.close();
  return { rows, format, everyRow, changed, moved };
}

/** @returns measured, result, target and remarks */
export const ruledRows = (results: readonly RuledResult[]): string[][] =>
  results.flatMap(({ rows, format, everyRow, changed, moved }) => {
    const row = (what: string, { ruled, ignored }: Pair): string[] => [
      `${rows.toLocaleString('en')} rows of ${format}: ${what}, to an ignored column, by CPU`,
      (ruled.cpuMs / ignored.cpuMs).toFixed(2),
      '<= 1.3',
      `${ruled.cpuMs.toFixed(0)} to ${ignored.cpuMs.toFixed(0)} ms of CPU; by time ${ruled.ms.toFixed(0)} to ${ignored.ms.toFixed(0)} ms`,
    ];
    return [
      row('every row respelled in a column with all rules', everyRow),
      row('2 % changed, all rules on a column', changed),
      row('every number moved within its tolerance', moved),
    ];
  });
