// A notice as the body for a webhook of Discord.
import { escapeWithin, type Notice } from './notice.ts';

/** Discord's limits, in characters. */
const LONGEST_CONTENT = 2_000;
const LONGEST_DESCRIPTION = 4_096;

/** Discord's markup characters. Each is escaped with a backslash, also in URLs, so that no text becomes a link. */
const MARKED = /[\\*_~`|<>()#+\-!@&:/[\]]/g;
const escape = (text: string): string => text.replaceAll(MARKED, String.raw`\$&`);

export function discordBody({ title, lines, link }: Notice): string {
  const perLine = Math.floor(LONGEST_DESCRIPTION / Math.max(1, lines.length)) - 1;
  return JSON.stringify({
    content: escapeWithin(title, LONGEST_CONTENT, escape),
    // Nobody is called, whatever a row says.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: link.words,
        url: link.url,
        description: lines.map((line) => escapeWithin(line, perLine, escape)).join('\n'),
      },
    ],
  });
}
