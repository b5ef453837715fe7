// A record in words.
import type { WatchedRecord } from '../../../clients/typescript/src/models.ts';
import { facts, shownTime } from '../output/answers.ts';
import { labelsText, stateOf } from './state.ts';

export function recordWords(record: WatchedRecord): string {
  const { slug, id, name, url, keyFields, keySource, ignoreFields, lastError } = record;
  return facts({
    Record: slug,
    Name: name,
    Id: id,
    URL: url,
    State: stateOf(record),
    Error: lastError === null ? null : `${lastError.detail} (${lastError.code})`,
    'Held check': record.heldCheckId,
    Rows: record.totalRows,
    Format: record.format,
    Key: keyFields === null ? null : `${keyFields.join(', ') || 'the whole row'} (${keySource})`,
    Ignored: ignoreFields.join(', '),
    Labels: labelsText(record.labels),
    Tier: record.tier,
    'Checked every': intervalWords(record.checkIntervalMinutes),
    'Last check': shownTime(record.lastCheckedAt),
    'Next check': shownTime(record.nextCheckAt),
    'Last change': shownTime(record.lastChangeAt),
    Created: shownTime(record.createdAt),
  });
}

const intervalWords = (minutes: number): string =>
  minutes < 1 ? `${Number((minutes * 60).toPrecision(6))} s` : `${Number(minutes.toPrecision(6))} min`;
