// What a digest says.
import { expect, it } from 'vitest';
import { NOTICE_FORMATS } from '../../../core/deliveries.ts';
import {
  type DigestData,
  type DigestSection,
  digestNotice,
  happenedWords,
  hasAlarm,
  MOST_SECTIONS,
} from '../../../core/notices/digest-words.ts';
import { noticeBody } from '../../../core/notices/notice-body.ts';

const BASE = 'https://watch.example';
const NONE = { newCount: 0, changedCount: 0, deletedCount: 0, mayBeMoreChanged: false };

const section = (at: number, changes: Partial<DigestSection> = {}): DigestSection => ({
  recordId: `src_${at}`,
  recordName: `Jams ${at}`,
  events: 2,
  words: '2 changed rows in 2 events',
  newest: { summary: 'Jam: price 1 to 2', lines: ['Jam: price 1 to 2'] },
  isAlarm: false,
  ...changes,
});

const noticeOf = (data: DigestData) => digestNotice(BASE, JSON.stringify(data));

it('adds up what happened in a record', () => {
  const delta = { ...NONE, eventType: 'delta', events: 3, newCount: 5, changedCount: 1, deletedCount: 1_200 };
  const failed = { ...NONE, eventType: 'check.failed', events: 1 };
  const recovered = { ...NONE, eventType: 'check.recovered', events: 2 };
  expect(happenedWords([delta])).toBe('5 new, 1 changed and 1,200 deleted rows in 3 events');
  expect(happenedWords([{ ...delta, events: 1, newCount: 0, deletedCount: 0 }])).toBe('1 changed row');
  expect(happenedWords([failed, { ...delta, changedCount: 0, deletedCount: 0 }, recovered])).toBe(
    'checks fail, 5 new rows in 3 events and checks work again (2 times)',
  );
});

it('regression: counts no changed rows that a filter of columns may not want', () => {
  const delta = { ...NONE, eventType: 'delta', events: 3, mayBeMoreChanged: true };
  expect(happenedWords([delta])).toBe('changed rows in 3 events');
  expect(happenedWords([{ ...delta, newCount: 2 }])).toBe('2 new and perhaps changed rows in 3 events');
  expect(happenedWords([{ ...delta, changedCount: 9 }])).toBe('at least 9 changed rows in 3 events');
});

it.each([
  [['check.failed'], true],
  [['check.failed', 'check.recovered'], false],
  [['check.recovered', 'check.failed'], true],
  [['check.failed', 'delta'], false],
  [['delta', 'check.failed'], true],
  [['check.held', 'delta', 'schema.changed'], false],
  [['check.failed', 'check.held'], true],
  [['record.quiet', 'check.failed', 'check.recovered'], true],
  [['record.quiet', 'delta'], false],
  [['webhook.disabled', 'delta'], true],
  [['delta', 'schema.changed', 'later.event'], false],
])('regression: after %j the alarm is %s', (eventTypes, expected) => {
  expect(hasAlarm(eventTypes)).toBe(expected);
});

it('shows the first rows of the newest event of a single record', () => {
  expect(noticeOf({ events: 2, records: 1, sections: [section(1)] })).toEqual({
    title: 'Jams 1: 2 changed rows in 2 events',
    summary: 'Jam: price 1 to 2',
    lines: ['Jam: price 1 to 2'],
    link: { url: `${BASE}/dashboard/records/src_1`, words: 'See the record' },
    isAlarm: false,
  });
});

it('has a line for each of several records, and says how many more there are', () => {
  const sections = Array.from({ length: MOST_SECTIONS }, (_, at) => section(at, { isAlarm: at === 3 }));
  const notice = noticeOf({ events: 1_030, records: MOST_SECTIONS + 1, sections });
  expect(notice).toMatchObject({
    title: '1,030 events of 9 records',
    summary: 'Jams 0: 2 changed rows in 2 events. Jam: price 1 to 2',
    link: { url: `${BASE}/dashboard` },
    isAlarm: true,
  });
  expect(notice.lines).toHaveLength(MOST_SECTIONS + 1);
  expect(notice.lines.at(-1)).toBe('and 1 more record');
});

it('keeps texts of origins within one line and the limits of each channel', () => {
  const hostile = '\u202e@everyone <!channel>\n'.repeat(400);
  const sections = Array.from({ length: MOST_SECTIONS }, (_, at) =>
    section(at, { recordName: hostile, newest: { summary: hostile, lines: [hostile] } }),
  );
  const notice = noticeOf({ events: 20, records: 30, sections });
  for (const line of notice.lines) {
    expect(line.length).toBeLessThanOrEqual(240);
    expect(line).not.toMatch(/[\n\u202e]/);
  }
  for (const format of NOTICE_FORMATS) {
    const body = noticeBody(format, notice, { url: 'https://ntfy.example/topic', stopUrl: BASE });
    expect(body.length).toBeLessThan(16_000);
  }
});
