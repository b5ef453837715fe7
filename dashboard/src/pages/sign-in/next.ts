// Where to go after signing in: only ever a page of this dashboard, whatever an address says.
import { readStored } from '../../client/stored.ts';

/** Unless somebody wanted to go elsewhere. */
export const RECORDS = '/records';
const ITEM = 'recordwatch.next';

/** @param given `next` of an address: a path within the dashboard; anything else comes to the records */
export function safeNext(given: string | null | undefined): string {
  if (!given?.startsWith('/') || !URL.canParse(given, location.origin)) return RECORDS;
  const { origin, pathname, search, hash } = new URL(given, location.origin);
  // Resolved, a path may begin with two slashes, and would then name another host.
  if (origin !== location.origin || pathname.startsWith('//')) return RECORDS;
  return pathname + search + hash;
}

/** A link to another of these pages that goes on to the same place. */
export const withNext = (path: string, search: URLSearchParams): string => {
  const next = search.get('next');
  return next === null ? path : `${path}?${new URLSearchParams({ next })}`;
};

/** Until the link of a mail is opened, in this browser. */
export const rememberNext = (email: string, next: string | null): void =>
  localStorage.setItem(ITEM, JSON.stringify({ email: email.toLowerCase(), next: safeNext(next) }));

/** What was remembered for this person, once. */
export function takeNext(email: string | undefined): string {
  const remembered = readStored<{ email: string; next: string }>(ITEM);
  localStorage.removeItem(ITEM);
  const isTheirs = email !== undefined && remembered?.email === email.toLowerCase();
  return isTheirs ? safeNext(remembered.next) : RECORDS;
}
