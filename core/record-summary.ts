// The line by which operators tell records apart in the lists of the Temporal UI.
import { plainMarkdown } from './text/plain-markdown.ts';

/** Temporal takes 200 bytes, unless it is told to take more. */
const LONGEST = 190;

/** Of the URL it holds the host alone: userinfo, query and path may each be a credential. */
export const recordSummary = ({ slug, url }: { slug: string; url: string }): string =>
  plainMarkdown(`${slug} at ${new URL(url).host}`).slice(0, LONGEST);
