// A notice as the body for an incoming webhook of Slack. All text of origins is in plain-text objects, which have no markup.
import { escapeWithin, type Notice } from './notice.ts';

/** Slack's limits, in characters. */
const LONGEST_HEADER = 150;
const LONGEST_SECTION = 3_000;

/** Slack reads these three in every text, for mentions and links. */
const NAMES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escape = (text: string): string =>
  text.replaceAll(/[&<>]/g, (character) => NAMES[character] ?? character);

/** Without `emoji`, `:name:` stays as it is. */
const plain = (text: string, most: number) => ({
  type: 'plain_text',
  text: escapeWithin(text, most, escape),
  emoji: false,
});

export function slackBody({ title, summary, lines, link }: Notice): string {
  return JSON.stringify({
    // For notifications and for readers without blocks.
    text: escapeWithin(`${title}. ${summary}`, LONGEST_SECTION, escape),
    mrkdwn: false,
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(title, LONGEST_HEADER) },
      ...lines.map((line) => ({ type: 'section', text: plain(line, LONGEST_SECTION) })),
      { type: 'section', text: { type: 'mrkdwn', text: `<${escape(link.url)}|${link.words}>` } },
    ],
  });
}
