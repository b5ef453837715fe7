// Where to go after signing in: always a page of this dashboard, whatever the address says.
import { readStored } from '../../client/stored.ts';

/** The default. */
export const RECORDS = '/records';
const ITEM = 'recordwatch.next';

/** @param given `next` of the address: a path within the dashboard; anything else becomes the list of records */
export function safeNext(given: string | null | undefined): string {
  if (!given?.startsWith('/') || !URL.canParse(given, location.origin)) return RECORDS;
  const { origin, pathname, search, hash } = new URL(given, location.origin);
  // After resolving, a path may begin with two slashes, which would name another host.
  if (origin !== location.origin || pathname.startsWith('//')) return RECORDS;
  return pathname + search + hash;
}

/** A link to another of these pages that keeps the target. */
export const withNext = (path: string, search: URLSearchParams): string => {
  const next = search.get('next');
  return next === null ? path : `${path}?${new URLSearchParams({ next })}`;
};

/** Stored in this browser until the mail's link is opened. */
export const rememberNext = (email: string, next: string | null): void =>
  localStorage.setItem(ITEM, JSON.stringify({ email: email.toLowerCase(), next: safeNext(next) }));

/** Returns the stored target, and removes it. */
export function takeNext(email: string | undefined): string {
  const remembered = readStored<{ email: string; next: string }>(ITEM);
  localStorage.removeItem(ITEM);
  const isTheirs = email !== undefined && remembered?.email === email.toLowerCase();
  return isTheirs ? safeNext(remembered.next) : RECORDS;
}
