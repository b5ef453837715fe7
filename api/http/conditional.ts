// Conditional requests (RFC 9110, 13.1.2): entity tags, and whether the client has the content already.
import { hash } from 'node:crypto';

/** A strong entity tag with its quotes: a hash of the content. */
export function entityTagOf(content: string): string {
  return `"${hash('sha256', content, 'base64url')}"`;
}

/** A tag is quoted and may contain commas. This comparison ignores W/. */
const LISTED_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Whether If-None-Match is `*`, which every content meets. */
export const isAnyTag = (ifNoneMatch: string | undefined): boolean => ifNoneMatch?.trim() === '*';

/**
 * Whether If-None-Match lists this entity tag, weak or strong, or is `*`.
 * @param ifNoneMatch the header as received
 * @param entityTag with its quotes
 */
export function isNotModified(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (isAnyTag(ifNoneMatch)) return true;
  const opaque = entityTag.replace(/^W\//, '');
  for (const [, tag] of ifNoneMatch.matchAll(LISTED_TAG)) if (tag === opaque) return true;
  return false;
}
