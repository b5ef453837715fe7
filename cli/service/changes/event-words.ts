// An event of the feed in words: when, which record, what happened, and the first rows that changed.
import type { DeltaRow, FeedEvent } from '../../../clients/typescript/src/models.ts';
import type { DeltaLine } from '../../../core/export/delta-lines.ts';
import { countWords, rowLine } from '../../diff/formats/text.ts';
import type { Paint } from '../../diff/paint.ts';
import { safeText } from '../../../core/text/safe-text.ts';

/** The first rows of a change. */
export interface ShownRows {
  rows: readonly DeltaRow[];
  /** How many rows the change has. */
  total: number;
  keyFields: readonly string[];
}

const INDENT = ' '.repeat(10);

/** With the date, unless it is today. */
function timeWords(timestamp: string): string {
  const time = new Date(timestamp);
  const isToday = time.toDateString() === new Date().toDateString();
  return isToday ? time.toLocaleTimeString('en-GB') : time.toLocaleString('sv-SE');
}

const localTime = (timestamp = ''): string => new Date(timestamp).toLocaleString('sv-SE');

/** One line without rows. */
export function eventLine(event: FeedEvent, paint: Paint): string {
  const { timestamp, sourceSlug } = event;
  return `${timeWords(timestamp)}  ${paint('strong', safeText(sourceSlug))}  ${happened(event, paint)}`;
}

function happened(event: FeedEvent, paint: Paint): string {
  const { type, summary, condition, error, failingSince, unchangedSince } = event;
  if (summary !== undefined) {
    const { newCount, changedCount, deletedCount, unchangedCount } = summary;
    // A service that sends other values could command the terminal.
    const [created = 0, changed = 0, deleted = 0, unchanged = 0] = [
      newCount,
      changedCount,
      deletedCount,
      unchangedCount,
    ].map(Number);
    const counts = { new: created, changed, deleted, unchanged };
    const unsure = condition === 'undecided' ? ', condition undecided' : '';
    return countWords({ counts }, paint) + unsure;
  }
  const why = error === undefined ? '' : `: ${safeText(error.detail)} (${safeText(error.code)})`;
  const since = failingSince === undefined ? '' : ` ${localTime(failingSince)}`;
  if (type === 'check.failed') return paint('deleted', `checks fail since${since}${why}`);
  if (type === 'check.held') return paint('changed', `a check is held${why}`);
  if (type === 'check.recovered') return paint('new', `checks succeed again; they failed since${since}`);
  if (type === 'record.quiet') return paint('changed', `no change since ${localTime(unchangedSince)}`);
  return safeText(type);
}

export function rowLines({ rows, total, keyFields }: ShownRows, paint: Paint): string[] {
  const known = { key: { fields: keyFields } };
  const lines = rows.map((row) => `${INDENT}${rowLine(asLine(row), { known }, paint)}`);
  const left = total - rows.length;
  return left > 0 ? [...lines, paint('faint', `${INDENT}… and ${left} more`)] : lines;
}

const asLine = ({ key, changeType, previousKey, before, after }: DeltaRow): DeltaLine => ({
  key,
  changeType,
  ...(previousKey !== undefined && { previousKey }),
  before: before && JSON.stringify(before),
  after: after && JSON.stringify(after),
});
