// A notice as a mail: its subject, and its text as plain text and as HTML, which reads the same in a text-only reader.
import { escapeHtml } from '../text/escape-html.ts';
import type { Notice } from './notice.ts';

/** What the body of a delivery by mail has, as JSON. */
export interface NoticeMail {
  subject: string;
  text: string;
  html: string;
}

const WHY = 'You get this mail because a webhook sends its events to your address.';
const STOP = 'Stop these mails';

/** @param stopUrl of the page on which the person ends these mails, without signing in */
export const mailBody = (notice: Notice, stopUrl: string): string =>
  JSON.stringify(mailOf(notice, { why: WHY, stopUrl }));

/** @param foot why the person gets the mail, and where they end such mails */
export function mailOf(
  { title, lines, link }: Pick<Notice, 'title' | 'lines' | 'link'>,
  { why, stopUrl }: { why: string; stopUrl?: string },
): NoticeMail {
  return {
    subject: title,
    text: [
      title,
      '',
      ...lines.map((line) => `- ${line}`),
      '',
      `${link.words}: ${link.url}`,
      '',
      // Readers cut or fold what follows this line.
      '-- ',
      why,
      ...(stopUrl === undefined ? [] : [`${STOP}: ${stopUrl}`]),
      '',
    ].join('\n'),
    html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<p><strong>${escapeHtml(title)}</strong></p>
${lines.length === 0 ? '' : `<ul>\n${lines.map((line) => `<li>${escapeHtml(line)}</li>\n`).join('')}</ul>\n`}<p>${anchor(link.url, link.words)}</p>
<hr>
<p><small>${why}${stopUrl === undefined ? '' : `<br>\n${anchor(stopUrl, STOP)}`}</small></p>
</html>
`,
  };
}

const anchor = (url: string, words: string): string => `<a href="${escapeHtml(url)}">${words}</a>`;
