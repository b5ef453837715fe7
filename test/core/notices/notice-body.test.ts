// The form of a message in each channel: no text of an origin has a meaning there.
import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { describe, expect, it } from 'vitest';
import { NOTICE_FORMATS, type NoticeFormat } from '../../../core/deliveries.ts';
import { deltaNotice, newsNotice } from '../../../core/notices/event-words.ts';
import { noticeBody } from '../../../core/notices/notice-body.ts';
import type { NoticeMail } from '../../../core/notices/mail.ts';
import type { Notice } from '../../../core/notices/notice.ts';
import { ntfyServer, ntfyTopic } from '../../../core/notices/ntfy.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';
import { ALL, event, found, record, rowOf } from './example-rows.ts';

const STOP = 'https://watch.example/notices/unsubscribe/token';
const TARGET = { url: 'https://ntfy.example/topic', stopUrl: STOP };

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
    const notice = deltaNotice(record, event(0, 8, 0), found(rows), ALL);
    expect(Buffer.byteLength(notice.lines.join('\n'))).toBeGreaterThan(4_096);
    expect(JSON.parse(noticeBody('ntfy', notice, TARGET))).toMatchObject({ message: notice.summary });
  });
});

it('regression: a mail does not say that the webhook is of one record, because it may be of an account', () => {
  const { text, html } = JSON.parse(
    noticeBody('mail', deltaNotice(record, event(0, 0, 0), found([]), ALL), TARGET),
  ) as NoticeMail;
  for (const part of [text, html])
    expect(part).toContain('You get this mail because a webhook sends its events to your address.');
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
      deltaNotice({ ...record, recordName }, event(rows.length, 0, 0), found(rows), ALL),
    ),
  fc
    .tuple(hostileText, hostileText)
    .map(([recordName, detail]) =>
      newsNotice(
        { ...record, recordName },
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
