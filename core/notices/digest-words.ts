// What a digest says: what happened in each record since the last one, and the first rows of the newest change.
import {
  countWords,
  type Counts,
  linkTo,
  type NoticeRecord,
  type WantedCount,
  wordsOf,
} from './event-words.ts';
import { LONGEST_LINE, listWords, LONGEST_NAME, type Notice, shortLine } from './notice.ts';

/** The events of a record. Its texts are written when the digest is made, so that all attempts send the same. */
export interface DigestSection {
  recordId: string;
  recordName: string;
  events: number;
  /** `5 new and 1 changed rows in 3 events, checks fail`. */
  words: string;
  /** Of the newest change; of the newest event where there is none. */
  newest: Pick<Notice, 'summary' | 'lines'>;
  isAlarm: boolean;
}

/** What is stored of a digest. */
export interface DigestData {
  /** Its position in the line of an ordered webhook. Null for a digest about several records, or about no check. */
  position?: number | null;
  events: number;
  records: number;
  /** At most MOST_SECTIONS: of the records whose alarm is open, then of those with the newest events. */
  sections: readonly DigestSection[];
}

export const MOST_SECTIONS = 8;

/** How often something happened, with the counts of deltas together: of each the rows that its delivery was to show. */
export interface Happened extends Counts {
  eventType: string;
  events: number;
  /** Whether there may be changed rows that are not counted. */
  mayBeMoreChanged: boolean;
}

/** @param happened oldest first */
export function happenedWords(happened: readonly Happened[]): string {
  return listWords(
    happened.map((one) =>
      one.eventType === 'delta' ? deltaWords(one) : newsWords(one.eventType, one.events),
    ),
  );
}

function deltaWords({ events, mayBeMoreChanged, newCount, changedCount, deletedCount }: Happened): string {
  const counts: WantedCount[] = [
    { kind: 'new', count: newCount, mayBeMore: false },
    {
      kind: 'changed',
      count: mayBeMoreChanged && changedCount === 0 ? null : changedCount,
      mayBeMore: mayBeMoreChanged,
    },
    { kind: 'deleted', count: deletedCount, mayBeMore: false },
  ];
  const words = countWords(counts.filter(({ count }) => count !== 0));
  return events === 1 ? words : `${words} in ${events.toLocaleString('en')} events`;
}

const newsWords = (eventType: string, events: number): string =>
  `${wordsOf(eventType).title}${events === 1 ? '' : ` (${events.toLocaleString('en')} times)`}`;

/**
 * Whether an alarm is not over.
 * @param eventTypes of a record, by the newest event of each, oldest first
 */
export const hasAlarm = (eventTypes: readonly string[]): boolean =>
  eventTypes.some((eventType, at) => {
    const { isAlarm, endedBy = [] } = wordsOf(eventType);
    return isAlarm && !eventTypes.slice(at + 1).some((later) => endedBy.includes(later));
  });

/** @param eventData as JSON */
export function digestNotice(baseUrl: NoticeRecord['baseUrl'], eventData: string): Notice {
  // Written by db/webhooks/digests.ts.
  const { events, records, sections } = JSON.parse(eventData) as DigestData;
  const [first] = sections;
  const alarm = sections.some((section) => section.isAlarm);
  if (first !== undefined && records === 1) return noticeOfOne(baseUrl, first, alarm);
  const lines = sections.map(lineOf);
  const rest = records - sections.length;
  return {
    title: `${counted(events, 'event')} of ${counted(records, 'record')}`,
    summary: lines[0] ?? '',
    lines: rest > 0 ? [...lines, `and ${counted(rest, 'more record')}`] : lines,
    link: { url: `${baseUrl}/dashboard`, words: 'See the records' },
    isAlarm: alarm,
  };
}

function noticeOfOne(baseUrl: string, { newest, ...section }: DigestSection, alarm: boolean): Notice {
  return {
    title: titleOf(section),
    summary: newest.summary,
    lines: newest.lines,
    link: linkTo({ ...section, baseUrl }, '', 'See the record'),
    isAlarm: alarm,
  };
}

const titleOf = ({ recordName, words }: Pick<DigestSection, 'recordName' | 'words'>): string =>
  `${shortLine(recordName, LONGEST_NAME)}: ${words}`;

const lineOf = (section: DigestSection): string =>
  shortLine(`${titleOf(section)}. ${section.newest.summary}`, LONGEST_LINE);

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
