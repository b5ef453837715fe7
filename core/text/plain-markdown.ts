// Text in Markdown, as the Temporal UI reads summaries and details of workflows: nothing in the text is markup.
import { safeText } from './safe-text.ts';

/** What has a meaning within a line. Line ends are shown as escapes, so a text begins no other line. */
const MARKED = /[\\`*_~[\]<>&!|]|:(?=\/\/)/g;

export const plainMarkdown = (text: string): string => safeText(text).replaceAll(MARKED, String.raw`\$&`);
