// What is chosen on a page stands in its address, so that reload, back and a link to a colleague keep it.
import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** Parameters to set; null takes one away, a list gives it once for each. */
export type UrlChanges = Readonly<Record<string, string | readonly string[] | null>>;

/** @returns the parameters, and what changes some of them in place of the current address */
export function useUrlState(): [URLSearchParams, (changes: UrlChanges) => void] {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (changes: UrlChanges) =>
      // The address itself: of two changes in a row, the second may come before the page has heard of the first.
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
