// Messages for people: their words, and that no text of an origin has a meaning in any channel.
import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { describe, expect, it } from 'vitest';
import { NOTICE_FORMATS, type NoticeFormat } from '../../../core/deliveries.ts';
import { exampleEvent } from '../../../core/example-event.ts';
import type { FoundRows } from '../../../core/delivery-rows.ts';
import { type RowTexts, rowText } from '../../../core/delta/row-texts.ts';
import { deltaNotice, newsNotice } from '../../../core/notices/event-words.ts';
import { noticeBody } from '../../../core/notices/notice-body.ts';
import type { NoticeMail } from '../../../core/notices/mail.ts';
import type { Notice } from '../../../core/notices/notice.ts';
import { ntfyServer, ntfyTopic } from '../../../core/notices/ntfy.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';

const head = { recordId: 'src_1', recordName: 'Jams', baseUrl: 'https://watch.example' };
const ALL = { changeTypes: null, columns: null };
const STOP = 'https://watch.example/notices/unsubscribe/token';
const TARGET = { url: 'https://ntfy.example/topic', stopUrl: STOP };
const EVENT_URL = 'https://watch.example/dashboard/records/src_1/changes/evt_1';

const rowOf = (key: string, before: object | null, after: object | null): RowTexts => ({
  key,
  changeType: before === null ? 'new' : after === null ? 'deleted' : 'changed',
  before: before && JSON.stringify(before),
  after: after && JSON.stringify(after),
});

const found = (rows: readonly RowTexts[], goesOnAfter: string | null = null): FoundRows => ({
  rows: rows.map((row) => ({ key: row.key, text: rowText(row) })),
  goesOnAfter,
});

const event = (newCount: number, changedCount: number, deletedCount: number) => ({
  deltaEventId: 'evt_1',
  newCount,
  changedCount,
  deletedCount,
});

describe('the words of a delta', () => {
  it('name the first rows in their order, and how many more there are', () => {
    const rows = [
      rowOf('Jam', { price: '3.20', name: 'Jam' }, { price: '3.50', name: 'Jam' }),
      rowOf('Kiwi', null, { price: '1' }),
      rowOf('Lemon', { price: '2' }, null),
    ];
    const notice = deltaNotice(head, event(1, 3, 1), found(rows, 'Lemon'), ALL);
    expect(notice).toEqual({
      title: 'Jams: 1 new, 3 changed and 1 deleted rows',
      summary: 'Jam: price 3.20 to 3.50, and 4 more',
      lines: ['Jam: price 3.20 to 3.50', 'Kiwi is new', 'Lemon is gone', 'and 2 more'],
      link: { url: EVENT_URL, words: 'See the changes' },
      isAlarm: false,
    });
  });

  it('count only rows that the webhook wants, and none that nobody has counted', () => {
    const rows = [rowOf('Jam', { price: 1 }, { price: 2 })];
    const wanted = { changeTypes: ['changed'], columns: null };
    expect(deltaNotice(head, event(7, 1, 0), found(rows), wanted)).toMatchObject({
      title: 'Jams: 1 changed row',
      summary: 'Jam: price 1 to 2',
      lines: ['Jam: price 1 to 2'],
    });
    const columns = { changeTypes: null, columns: ['price'] };
    expect(deltaNotice(head, event(0, 9, 0), found(rows, 'Jam'), columns)).toMatchObject({
      title: 'Jams: at least 1 changed row',
      summary: 'Jam: price 1 to 2, and perhaps more',
    });
    expect(deltaNotice(head, event(0, 9, 0), found([], 'Jam'), columns)).toMatchObject({
      title: 'Jams: changed rows',
      summary: 'changed rows',
      lines: [],
    });
  });

  it('regression: count no changed row that a filter of columns leaves out', () => {
    const columns = { changeTypes: null, columns: ['price'] };
    const rows = [rowOf('Jam', { price: 1 }, { price: 2 }), rowOf('Kiwi', null, { price: '1' })];
    expect(deltaNotice(head, event(1, 3, 0), found(rows), columns)).toMatchObject({
      title: 'Jams: 1 new and 1 changed rows',
      summary: 'Jam: price 1 to 2, and 1 more',
    });
    expect(deltaNotice(head, event(0, 3, 0), found(rows.slice(0, 1)), columns).title).toBe(
      'Jams: 1 changed row',
    );
    expect(deltaNotice(head, event(1, 3, 0), found(rows.slice(1)), columns).title).toBe('Jams: 1 new row');
    expect(deltaNotice(head, event(9, 3, 0), found(rows.slice(1), 'Kiwi'), columns).title).toBe(
      'Jams: 9 new and perhaps changed rows',
    );
  });

  it('keep the digits of numbers, and tell absent, empty and null apart', () => {
    const row: RowTexts = {
      key: 'a',
      changeType: 'changed',
      before: '{"n":1.10,"e":"","g":1}',
      after: '{"n":1.1,"e":null}',
    };
    const { lines } = deltaNotice(head, event(0, 1, 0), found([row]), ALL);
    expect(lines).toEqual(['a: n 1.10 to 1.1; e "" to null; g 1 to (none)']);
  });

  it('say that a row was paired with a similar one', () => {
    const row = { ...rowOf('sha256:00', { a: 'Ada', b: 1 }, { a: 'Ada', b: 2 }), previousKey: 'sha256:11' };
    expect(deltaNotice(head, event(0, 1, 0), found([row]), ALL).lines).toEqual([
      '(Ada, 2): b 1 to 2 (paired with a similar row)',
    ]);
  });

  it('do not show two long values that differ at their ends as equal', () => {
    const long = 'x'.repeat(100);
    const row = rowOf('a', { text: `${long}1` }, { text: `${long}2` });
    expect(deltaNotice(head, event(0, 1, 0), found([row]), ALL).lines).toEqual(['a: text changed']);
  });

  it('name a row without a key by its first values, and limit the columns', () => {
    const of = (value: number) => ({ a: value, b: value, c: value, d: value, e: value });
    const rows = [rowOf('sha256:00', null, { a: 'Ada', b: 1 }), rowOf('k', of(1), of(2))];
    expect(deltaNotice(head, event(1, 1, 0), found(rows), ALL).lines).toEqual([
      '(Ada, 1) is new',
      'k: a 1 to 2; b 1 to 2; c 1 to 2; and 2 more columns',
    ]);
  });

  it('show what would turn or end a line', () => {
    const row = rowOf('a\n\u202eb', null, {});
    expect(deltaNotice(head, event(1, 0, 0), found([row]), ALL).lines).toEqual([
      String.raw`a\u000a\u202eb is new`,
    ]);
  });
});

describe('the words of other events', () => {
  const wordsOf = (type: string, data: object): Notice => newsNotice(head, type, JSON.stringify(data));

  it('say what happened', () => {
    const failed = wordsOf('check.failed', { checkId: 'chk_1', error: { code: 'x', detail: 'It was 503.' } });
    expect(failed).toEqual({
      title: 'Jams: checks fail',
      summary: 'It was 503.',
      lines: ['It was 503.'],
      link: { url: 'https://watch.example/dashboard/records/src_1/checks/chk_1', words: 'See the record' },
      isAlarm: true,
    });
    const schemaChange = { added: ['a', 'b'], removed: [], renamed: [{ from: 'c', to: 'd' }] };
    expect(wordsOf('schema.changed', { schemaChange }).lines).toEqual(['Added: a, b', 'Renamed: c to d']);
    expect(wordsOf('check.recovered', { failingSince: 'Monday' }).lines).toEqual([
      'They had failed since Monday.',
    ]);
    expect(wordsOf('check.held', { error: { detail: 'Far fewer rows.' } })).toMatchObject({
      title: 'Jams: a check is held',
      lines: ['Far fewer rows.'],
    });
    expect(wordsOf('record.quiet', { unchangedSince: 'Monday' })).toMatchObject({
      title: 'Jams: no change for a time',
      lines: ['Nothing has changed since Monday.'],
    });
    expect(wordsOf('webhook.disabled', { disabledReason: 'Gone.' }).lines).toEqual(['Gone.']);
  });

  it('name an event that has no words yet', () => {
    expect(wordsOf('later.event', {})).toMatchObject({ title: 'Jams: later.event', lines: [] });
  });

  it('mark an example, which links to nothing that does not exist', () => {
    const example = exampleEvent('delta', {
      recordId: 'src_1',
      include: 'rows',
      baseUrl: head.baseUrl,
      nowMs: 0,
      newId: (kind) => `${kind}_x`,
    });
    expect(wordsOf('delta', example)).toMatchObject({
      title: 'Test of Jams: 1 new, 2 changed and 1 deleted rows',
      summary: 'example-1 is new, and 3 more',
      link: { url: 'https://watch.example/dashboard/records/src_1/changes' },
    });
  });
});

describe('a topic of ntfy', () => {
  it('is in the path, and JSON goes to the root with the query', () => {
    expect(ntfyTopic('https://ntfy.sh/my-topic?auth=x')).toBe('my-topic');
    expect(ntfyServer('https://ntfy.sh/my-topic?auth=x')).toBe('https://ntfy.sh/?auth=x');
    for (const url of ['https://ntfy.sh/', 'https://ntfy.sh/a/b', 'https://ntfy.sh/a%20b'])
      expect(ntfyTopic(url)).toBeUndefined();
  });

  it('gets the summary where all lines would be longer than a message', () => {
    const wide = '字'.repeat(80);
    const rows = Array.from({ length: 8 }, () =>
      rowOf(wide, { [wide]: wide, b: wide }, { [wide]: '1', b: '1' }),
    );
    const notice = deltaNotice(head, event(0, 8, 0), found(rows), ALL);
    expect(Buffer.byteLength(notice.lines.join('\n'))).toBeGreaterThan(4_096);
    expect(JSON.parse(noticeBody('ntfy', notice, TARGET))).toMatchObject({ message: notice.summary });
  });
});

/** Texts that have a meaning somewhere. */
const MEANINGFUL = [
  '<!channel>',
  '<@U1>',
  '@everyone',
  '<@&1>',
  '[a](https://e.vil)',
  'https://e.vil',
  '*b*',
  '`c`',
  '<script>',
  '</li>',
  '"><img src=x>',
  '\r\nBcc: a@e.vil',
  '\r\n\r\n--',
  '{{DATE(1,SHORT)}}',
  '{{{',
  '<at>A</at>',
  '\u202e',
  '&lt;',
  '=?utf-8?q?x?=',
  '\n.\n',
  ':smile:',
  '||s||',
  '<t:1>',
  '# h',
];

/** The same, in between others. */
const hostile = fc
  .array(fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom(...MEANINGFUL)), {
    maxLength: 12,
  })
  .map((parts) => parts.join('').replaceAll('\u0000', '').toWellFormed());
const hostileText = fc.oneof(
  hostile,
  hostile.map((text) => text.repeat(40).slice(0, 5_000)),
);
const hostileRow = fc
  .tuple(hostileText, hostileText, hostileText, hostileText, fc.constantFrom('new', 'changed', 'deleted'))
  .map(([key, column, before, after, type]) =>
    rowOf(
      key,
      type === 'new' ? null : { [column]: before, '': 1 },
      type === 'deleted' ? null : { [column]: after },
    ),
  );
const hostileNotice: fc.Arbitrary<Notice> = fc.oneof(
  fc
    .tuple(hostileText, fc.array(hostileRow, { minLength: 1, maxLength: 12 }))
    .map(([recordName, rows]) =>
      deltaNotice({ ...head, recordName }, event(rows.length, 0, 0), found(rows), ALL),
    ),
  fc
    .tuple(hostileText, hostileText)
    .map(([recordName, detail]) =>
      newsNotice(
        { ...head, recordName },
        'check.failed',
        JSON.stringify({ checkId: 'chk_1', error: { detail } }),
      ),
    ),
);

const holds = (check: (notice: Notice) => void | Promise<void>) =>
  fc.assert(
    fc.asyncProperty(hostileNotice, async (notice) => check(notice)),
    propertyRuns(300),
  );

const jsonOf = (format: NoticeFormat, notice: Notice): Record<string, never> =>
  JSON.parse(noticeBody(format, notice, TARGET)) as Record<string, never>;

/** All texts in a JSON value, with the member that each is in. */
function textsIn(value: unknown, name = ''): [name: string, text: string][] {
  if (typeof value === 'string') return [[name, value]];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, item]) => textsIn(item, member));
}

describe('no text of an origin', PROPERTY_TIMEOUT, () => {
  it('obeys or breaks a line, in any channel', () =>
    holds((notice) => {
      for (const format of NOTICE_FORMATS) {
        for (const [name, text] of textsIn(jsonOf(format, notice))) {
          const isWhole = ['text', 'html', 'message', 'description'].includes(name);
          // Line feeds there are ours.
          expect(text.replaceAll('\n', isWhole ? '' : '\n')).not.toMatch(
            // oxlint-disable-next-line no-control-regex
            /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u,
          );
          expect(text.isWellFormed()).toBe(true);
        }
      }
    }));

  it('is markup, a mention or a link in Slack', () =>
    holds((notice) => {
      const body = jsonOf('slack', notice) as unknown as {
        text: string;
        blocks: { type: string; text: { type: string; text: string; emoji?: boolean } }[];
      };
      const link = body.blocks.at(-1)?.text;
      expect(link).toEqual({ type: 'mrkdwn', text: `<${notice.link.url}|${notice.link.words}>` });
      for (const { type, text } of body.blocks.slice(0, -1)) {
        expect(text).toMatchObject({ type: 'plain_text', emoji: false });
        expect(text.text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
        expect(text.text.length).toBeGreaterThan(0);
        expect(text.text.length).toBeLessThanOrEqual(type === 'header' ? 150 : 3_000);
      }
      expect(body).toMatchObject({ mrkdwn: false, parse: 'none', link_names: false });
      expect(body.text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
      expect(body.text.length).toBeLessThanOrEqual(3_000);
      expect(body.blocks.length).toBeLessThanOrEqual(50);
    }));

  it('is Markdown, a mention or a macro in Teams', () =>
    holds((notice) => {
      const body = noticeBody('teams', notice, TARGET);
      expect(Buffer.byteLength(body)).toBeLessThan(28 * 1024);
      const card = (JSON.parse(body) as { attachments: [{ content: Record<string, unknown> }] })
        .attachments[0].content;
      expect(Object.keys(card)).toEqual(['$schema', 'type', 'version', 'body', 'actions']);
      expect(card['actions']).toEqual([
        { type: 'Action.OpenUrl', title: notice.link.words, url: notice.link.url },
      ]);
      for (const block of card['body'] as { type: string; inlines: { type: string; text: string }[] }[]) {
        expect(block.type).toBe('RichTextBlock');
        expect(block.inlines.map(({ type }) => type)).toEqual(['TextRun']);
        expect(block.inlines[0]?.text).not.toContain('{{');
      }
    }));

  it('is Markdown, a mention or a link in Discord', () =>
    holds((notice) => {
      const body = jsonOf('discord', notice) as unknown as {
        content: string;
        allowed_mentions: object;
        embeds: [{ title: string; url: string; description: string }];
      };
      const [{ title, url, description }] = body.embeds;
      expect(body.allowed_mentions).toEqual({ parse: [] });
      expect({ title, url }).toEqual({ title: notice.link.words, url: notice.link.url });
      // Whatever is left after the escapes has no marked character.
      for (const text of [body.content, description])
        expect(text.replaceAll(/\\[\\*_~`|<>()#+\-!@&:/[\]]/g, '')).not.toMatch(/[\\*_~`|<>()#+\-!@&:/[\]]/);
      expect(body.content.length).toBeLessThanOrEqual(2_000);
      expect(description.length).toBeLessThanOrEqual(4_096);
      expect(description.split('\n')).toHaveLength(Math.max(1, notice.lines.length));
    }));

  it('is more than text for ntfy', () =>
    holds((notice) => {
      const { message, title, ...rest } = jsonOf('ntfy', notice) as unknown as Record<string, string>;
      expect(rest).toEqual({ topic: 'topic', click: notice.link.url, priority: notice.isAlarm ? 4 : 3 });
      expect(title).toBe(notice.title);
      expect(Buffer.byteLength(message ?? '')).toBeLessThanOrEqual(4_096);
    }));

  it('is markup in the HTML of a mail', () =>
    holds((notice) => {
      const { html } = jsonOf('mail', notice) as unknown as NoticeMail;
      const tags = [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
      const items = notice.lines.map(() => '<li></li>').join('');
      expect(tags.join('')).toBe(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title></title><p><strong></strong></p>' +
          (items === '' ? '' : `<ul>${items}</ul>`) +
          `<p><a href="${notice.link.url}"></a></p><hr><p><small><br><a href="${STOP}"></a></small></p></html>`,
      );
      expect(html.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[<>"']|&(?!#\d+;)/);
    }));

  it('is a header or a part of a mail', () =>
    holds(async (notice) => {
      const { subject, text, html } = jsonOf('mail', notice) as unknown as NoticeMail;
      const mail = { from: 'a@watch.example', to: 'ada@example.com', subject, text, html };
      const raw = (await new MailComposer(mail).compile().build()).toString();
      const [headers = '', ...rest] = raw.split('\r\n\r\n');
      const names = headers.replaceAll(/\r\n[ \t]/g, ' ').split('\r\n');
      expect(names.map((line) => line.slice(0, line.indexOf(':'))).toSorted()).toEqual(
        ['Content-Type', 'Date', 'From', 'MIME-Version', 'Message-ID', 'Subject', 'To'].toSorted(),
      );
      const boundary = /boundary="([^"]+)"/.exec(headers)?.[1] ?? 'none';
      const parts = rest.join('\r\n\r\n').split(`--${boundary}`);
      expect(parts.slice(1, -1).map((part) => /Content-Type: ([\w/]+)/.exec(part)?.[1])).toEqual([
        'text/plain',
        'text/html',
      ]);
    }));
});
