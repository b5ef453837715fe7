// Changed checks of a record without a key that pairs similar rows, in turns with those of one that does not.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rawRows } from '../../db/driver/knex.ts';
import type { LargeCost } from '../large/measure-large.ts';
import type { System } from '../system.ts';
import { costsInTurns } from './check-turns.ts';
import { startFileOrigin } from './file-origin.ts';
import { expectedCounts, writeFeed } from './make-feed.ts';
import { type WatchedRecord, watchRecord, type WatchSettings } from './watched-record.ts';

export interface PairedResult {
  rows: number;
  format: WatchSettings['format'];
  /** Pairs of each changed check. */
  pairs: number;
  paired: LargeCost;
  unpaired: LargeCost;
}

export async function measurePaired(
  system: System,
  folder: string,
  { rows, format, rounds }: Pick<PairedResult, 'rows' | 'format'> & { rounds: number },
  report: (text: string) => void,
): Promise<PairedResult> {
  const feedFolder = join(folder, `paired-${format}-${rows}`);
  mkdirSync(feedFolder, { recursive: true });
  const [first, second] = [join(feedFolder, `1.${format}`), join(feedFolder, `2.${format}`)];
  report(`pairing: writing ${rows} rows of ${format}`);
  await writeFeed(first, { rows, format, version: 1 });
  await writeFeed(second, { rows, format, version: 2 });
  const contentType = format === 'csv' ? 'text/csv' : 'application/jsonl';
  const origins = [await startFileOrigin(contentType), await startFileOrigin(contentType)] as const;
  const paired = await watchRecord(system, origins[0], { format, isKeyless: true, pairing: 'similarity' });
  const unpaired = await watchRecord(system, origins[1], { format, isKeyless: true });
  report('pairing: first checks');
  for (const record of [paired, unpaired]) await record.check(first);
  report('pairing: 2 % of the rows have changed');
  const [ofPaired, ofUnpaired] = await costsInTurns(
    system,
    [
      { record: paired, file: second },
      { record: unpaired, file: second },
    ],
    first,
    rounds,
  );
  const pairs = await latestChanges(system, paired);
  // Otherwise the figure would say nothing.
  if (pairs !== expectedCounts(rows).changed) throw new Error(`${pairs} rows were paired`);
  if ((await latestChanges(system, unpaired)) !== 0) throw new Error('Rows were paired without the setting');
  for (const record of [paired, unpaired]) await record.remove();
  for (const origin of origins) await origin.close();
  return { rows, format, pairs, paired: ofPaired, unpaired: ofUnpaired };
}

async function latestChanges({ db }: System, { id }: WatchedRecord): Promise<number> {
  const [event] = await rawRows<{ count: number }>(
    db,
    'select changed_count as count from delta_events where record_id = ? order by number desc limit 1',
    [id],
  );
  return event?.count ?? 0;
}

/** @returns measured, result, target and remarks */
export const pairedRows = (results: readonly PairedResult[]): string[][] =>
  results.map(({ rows, format, pairs, paired, unpaired }) => [
    `${rows.toLocaleString('en')} rows of ${format} without a key: 2 % changed, ${pairs.toLocaleString('en')} pairs, to no pairing, by CPU`,
    (paired.cpuMs / unpaired.cpuMs).toFixed(2),
    '',
    `${paired.cpuMs.toFixed(0)} to ${unpaired.cpuMs.toFixed(0)} ms of CPU; by time ${paired.ms.toFixed(0)} to ${unpaired.ms.toFixed(0)} ms`,
  ]);
