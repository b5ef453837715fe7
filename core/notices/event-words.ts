// Describes an event in a message to a person.
import type { DeliveredEvent } from '../delivery-payload.ts';
import type { SelectedRows, RowChoice } from '../delivery-rows.ts';
import { LONGEST_LINE, listWords, LONGEST_NAME, MOST_CHANGES, type Notice, shortLine } from './notice.ts';
import { rowWords } from './row-words.ts';

export interface NoticeRecord {
  recordId: string;
  recordName: string;
  /** Of the dashboard and the API. */
  baseUrl: string;
}

export type Counts = Pick<DeliveredEvent, 'newCount' | 'changedCount' | 'deletedCount'>;

/** @param found the first rows that the webhook wants */
export function deltaNotice(
  record: NoticeRecord,
  event: Counts & { deltaEventId: string | null },
  found: SelectedRows,
  choice: RowChoice,
): Notice {
  const counts = wantedCounts(event, choice, found);
  const shown = found.rows.slice(0, MOST_CHANGES).map(({ text }) => rowWords(text));
  const total = totalOf(counts, found);
  const [first] = shown;
  const path = event.deltaEventId === null ? 'changes' : `changes/${event.deltaEventId}`;
  return {
    title: titleOf(record, countWords(counts)),
    // Without a row: a filter of columns found none among the rows that it looked at.
    summary:
      first === undefined ? countWords(counts) : `${first}${total === 1 ? '' : `, ${restWords(total, 1)}`}`,
    lines: first === undefined || total === shown.length ? shown : [...shown, restWords(total, shown.length)],
    link: linkTo(record, path, 'See the changes'),
    isAlarm: false,
  };
}

const UNDECIDED = 'Not all rows could be looked at for the condition.';

/** The same for an event of which nobody knows whether it meets the webhook's condition. Says so first, where nothing cuts it off. */
export const undecidedNotice = (notice: Notice): Notice => ({
  ...notice,
  summary: `${UNDECIDED} ${notice.summary}`,
  lines: [UNDECIDED, ...notice.lines],
});

/** How many rows of one kind a webhook wants. */
export interface WantedCount {
  kind: string;
  /** Null where nobody has counted them. */
  count: number | null;
  mayBeMore: boolean;
}

/** @param found the first rows that the webhook wants */
function wantedCounts(
  event: Counts,
  { changeTypes, columns }: RowChoice,
  found: SelectedRows,
): WantedCount[] {
  const counts: [string, number][] = [
    ['new', event.newCount],
    ['changed', event.changedCount],
    ['deleted', event.deletedCount],
  ];
  return counts
    .filter(([kind, count]) => count > 0 && (changeTypes === null || changeTypes.includes(kind)))
    .map(([kind, count]) =>
      kind === 'changed' && columns !== null ? countFound(kind, found) : { kind, count, mayBeMore: false },
    )
    .filter(({ count }) => count !== 0);
}

/** Of the changed rows, a filter of columns wants some. An event does not know how many. */
function countFound(kind: string, found: SelectedRows): WantedCount {
  const isOfKind = (text: string): boolean =>
    (JSON.parse(text) as { changeType: string }).changeType === kind;
  const count = found.rows.filter(({ text }) => isOfKind(text)).length;
  const mayBeMore = found.goesOnAfter !== null;
  return { kind, count: count === 0 && mayBeMore ? null : count, mayBeMore };
}

export function countWords(counts: readonly WantedCount[]): string {
  const isOne = counts.length === 1 && counts[0]?.count === 1;
  return `${listWords(counts.map((each) => quantity(each, counts.length === 1)))} ${isOne ? 'row' : 'rows'}`;
}

/** @param isOnly whether the webhook got the event because of these rows, so there are some */
function quantity({ kind, count, mayBeMore }: WantedCount, isOnly: boolean): string {
  if (count === null) return isOnly ? kind : `perhaps ${kind}`;
  return `${mayBeMore ? 'at least ' : ''}${count.toLocaleString('en')} ${kind}`;
}

/** How many rows the webhook wants; null where a filter of columns would have to read all of them. */
function totalOf(counts: readonly WantedCount[], { rows, goesOnAfter }: SelectedRows): number | null {
  if (goesOnAfter === null) return rows.length;
  if (counts.some(({ mayBeMore }) => mayBeMore)) return null;
  return counts.reduce((sum, { count }) => sum + (count ?? 0), 0);
}

const restWords = (total: number | null, shown: number): string =>
  total === null ? 'and perhaps more' : `and ${(total - shown).toLocaleString('en')} more`;

/** Members of the bodies of other events. An event may have none of them. */
interface NewsData {
  isTest?: boolean;
  checkId?: string;
  failingSince?: string;
  error?: { detail?: string };
  schemaChange?: { added?: string[]; removed?: string[]; renamed?: { from?: string; to?: string }[] };
  disabledReason?: string;
  unchangedSince?: string;
  /** Of the example of a delta. */
  summary?: Counts;
  rows?: unknown[];
}

interface NewsWords {
  title: string;
  lines: (data: NewsData) => readonly (string | undefined)[];
  isAlarm: boolean;
  /** The types of events after which an alarm is over. */
  endedBy?: readonly string[];
}

const WORKING = ['delta', 'check.recovered', 'schema.changed'] as const;

const NEWS: Readonly<Record<string, NewsWords>> = {
  'check.failed': {
    title: 'checks fail',
    lines: ({ error }) => [error?.detail],
    isAlarm: true,
    endedBy: WORKING,
  },
  'check.recovered': {
    title: 'checks work again',
    lines: ({ failingSince }) => [failingSince && `They had failed since ${failingSince}.`],
    isAlarm: false,
  },
  'check.held': {
    title: 'a check is held',
    lines: ({ error }) => [error?.detail],
    isAlarm: true,
    endedBy: WORKING,
  },
  'record.quiet': {
    title: 'no change for a time',
    lines: ({ unchangedSince }) => [unchangedSince && `Nothing has changed since ${unchangedSince}.`],
    isAlarm: true,
    endedBy: ['delta'],
  },
  'schema.changed': { title: 'columns changed', lines: columnLines, isAlarm: false },
  'webhook.disabled': {
    title: 'a webhook was disabled',
    lines: ({ disabledReason }) => [disabledReason],
    isAlarm: true,
  },
};

/** An event without words of its own is named by its type. */
export const wordsOf = (eventType: string): NewsWords =>
  NEWS[eventType] ?? { title: eventType, lines: ({ error }) => [error?.detail], isAlarm: false };

/** The notice of an event that is not a delta event, or of an example. @param eventData as in the body */
export function newsNotice(record: NoticeRecord, eventType: string, eventData: string): Notice {
  // The statements that create deliveries write an object.
  const data = JSON.parse(eventData) as NewsData;
  const notice = eventType === 'delta' ? exampleNotice(record, data) : noticeOfNews(record, eventType, data);
  return data.isTest === true ? { ...notice, title: `Test of ${notice.title}` } : notice;
}

function noticeOfNews(record: NoticeRecord, eventType: string, data: NewsData): Notice {
  const { title, lines, isAlarm } = wordsOf(eventType);
  const shown = lines(data).flatMap((line) =>
    line === undefined || line === '' ? [] : [shortLine(line, LONGEST_LINE)],
  );
  const path = data.isTest === true || data.checkId === undefined ? '' : `checks/${data.checkId}`;
  return {
    title: titleOf(record, title),
    summary: shown[0] ?? titleOf(record, title),
    lines: shown,
    link: linkTo(record, path, 'See the record'),
    isAlarm,
  };
}

function columnLines({ schemaChange = {} }: NewsData): (string | undefined)[] {
  const { added = [], removed = [], renamed = [] } = schemaChange;
  const of = (words: string, columns: readonly string[]): string | undefined =>
    columns.length === 0
      ? undefined
      : `${words}: ${columns.slice(0, MOST_CHANGES).join(', ')}${moreOf(columns)}`;
  return [
    of('Added', added),
    of('Removed', removed),
    of(
      'Renamed',
      renamed.map(({ from = '', to = '' }) => `${from} to ${to}`),
    ),
  ];
}

const moreOf = ({ length }: readonly string[]): string =>
  length > MOST_CHANGES ? `, and ${length - MOST_CHANGES} more` : '';

const NONE: Counts = { newCount: 0, changedCount: 0, deletedCount: 0 };

function exampleNotice(record: NoticeRecord, { summary = NONE, rows = [] }: NewsData): Notice {
  const found = { rows: rows.map((row) => ({ key: '', text: JSON.stringify(row) })), goesOnAfter: null };
  return deltaNotice(record, { ...summary, deltaEventId: null }, found, { changeTypes: null, columns: null });
}

const titleOf = ({ recordName }: NoticeRecord, words: string): string =>
  `${shortLine(recordName, LONGEST_NAME)}: ${words}`;

export const linkTo = (
  { baseUrl, recordId }: Pick<NoticeRecord, 'baseUrl' | 'recordId'>,
  path: string,
  words: string,
): Notice['link'] => ({
  url: `${baseUrl}/dashboard/records/${recordId}${path === '' ? '' : `/${path}`}`,
  words,
});
