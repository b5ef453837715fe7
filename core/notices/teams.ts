// A notice as an Adaptive Card for a workflow of Microsoft Teams ("when a Teams webhook request is received"). All text of
// origins is in text runs, which have no Markdown.
import type { Notice } from './notice.ts';

/** Cards replace `{{DATE(…)}}` and the like. A word joiner between the braces is invisible, and ends that. */
const withoutMacros = (text: string): string => text.replaceAll(/\{(?=\{)/g, '{\u2060');

const run = (text: string, style: object = {}) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text: withoutMacros(text), ...style }],
});

export function teamsBody({ title, lines, link }: Notice): string {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [run(title, { weight: 'Bolder', size: 'Medium' }), ...lines.map((line) => run(line))],
    actions: [{ type: 'Action.OpenUrl', title: link.words, url: link.url }],
  };
  return JSON.stringify({
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  });
}
