// Conditional reads (RFC 9110, 13.1.2): names of contents, and whether a caller has the content already.
import { hash } from 'node:crypto';

/** A strong entity tag: equal for equal bytes, whoever asks and whenever. With its quotes. */
export function entityTagOf(content: string): string {
  return `"${hash('sha256', content, 'base64url')}"`;
}

/** A tag is quoted and may hold commas; W/ makes no difference to this comparison. */
const LISTED_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * Whether If-None-Match names this entity tag: in a list, weak or strong, or as `*`.
 * @param ifNoneMatch the header as it came
 * @param entityTag with its quotes
 */
export function isNotModified(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = entityTag.replace(/^W\//, '');
  for (const [, tag] of ifNoneMatch.matchAll(LISTED_TAG)) if (tag === opaque) return true;
  return false;
}
