// The state of a page, kept in its address, so that reload, back and a link restore it.
import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** Parameters to set; null removes one, a list repeats it. */
export type UrlChanges = Readonly<Record<string, string | readonly string[] | null>>;

/** @returns the parameters, and a function that changes some of them and replaces the current address */
export function useUrlState(): [URLSearchParams, (changes: UrlChanges) => void] {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (changes: UrlChanges) =>
      // Reads the address itself: a second change may come before the page has rendered the first.
      setParams(() => withChanges(new URLSearchParams(location.search), changes), {
        replace: true,
        preventScrollReset: true,
      }),
    [setParams],
  );
  return [params, change];
}

export function withChanges(current: URLSearchParams, changes: UrlChanges): URLSearchParams {
  const next = new URLSearchParams(current);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const each of value === null ? [] : [value].flat()) next.append(name, each);
  }
  return next;
}
