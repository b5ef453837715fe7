// How operators tell records apart in the Temporal UI: a line in its lists, and search attributes.
import { fairnessHashOf } from './crypto/fairness-key.ts';
import { plainMarkdown } from './text/plain-markdown.ts';
import type { Tier } from './tiers.ts';

/** Temporal takes 200 bytes, unless it is told to take more. */
const LONGEST = 190;

/** Of the URL it holds the host alone: userinfo, query and path may each be a credential. */
export const recordSummary = ({ slug, url }: { slug: string; url: string }): string =>
  plainMarkdown(`${slug} at ${new URL(url).host}`).slice(0, LONGEST);

/** Search attributes of a record's workflow. */
export interface RecordAttributes {
  status: 'active' | 'paused' | 'failing';
  accountId: string;
  slug: string;
  originHost: string;
  consecutiveFailures: number;
  /** Of the last check, if it failed or is held; missing in histories of earlier versions. */
  errorCode?: string | null;
  /**
   * The fairness key of the record's activities, as a hash: its account's, or that of all anonymous records. Missing in earlier
   * histories.
   */
  share?: string;
}

export function attributesOf(record: {
  status: 'active' | 'paused';
  accountId: string;
  slug: string;
  url: string;
  consecutiveFailures: number;
  lastErrorCode: string | null;
  tier: Tier;
}): RecordAttributes {
  const { accountId, slug, consecutiveFailures, lastErrorCode: errorCode } = record;
  const status = record.status === 'active' && consecutiveFailures > 0 ? 'failing' : record.status;
  const originHost = new URL(record.url).host;
  const share = fairnessHashOf(record);
  return { status, accountId, slug, consecutiveFailures, errorCode, originHost, share };
}
