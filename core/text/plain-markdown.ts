// Escapes text for the Markdown in which the Temporal UI shows summaries and details of workflows.
import { safeText } from './safe-text.ts';

/** What has a meaning within a line. Line ends are shown as escapes, so a text begins no other line. */
const MARKED = /[\\`*_~[\]<>&!|]|:(?=\/\/)/g;

export const plainMarkdown = (text: string): string => safeText(text).replaceAll(MARKED, String.raw`\$&`);
