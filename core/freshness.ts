// How long an answer says that it stays fresh (RFC 9111): a hint about when asking again is worth the trouble.

export interface FreshnessHeaders {
  cacheControl: string | undefined;
  expires: string | undefined;
  /** When the origin answered, by its own clock. */
  date: string | undefined;
  /** Seconds that the answer has spent in caches on its way. */
  age: string | undefined;
}

/** @returns milliseconds from now; undefined when the answer says nothing, or that it may be stale at any time */
export function freshForMs({ cacheControl = '', expires, date, age }: FreshnessHeaders): number | undefined {
  const directives = cacheControl
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim());
  // What it says for shared caches (s-maxage) is not for us, and what may be served stale is stale all the same.
  if (directives.some((directive) => /^no-(store|cache)\b/.test(directive))) return undefined;
  const maxAges = directives.flatMap((directive) => /^max-age="?(\d{1,9})"?$/.exec(directive)?.[1] ?? []);
  const lifetimeMs =
    maxAges.length > 0 ? Math.min(...maxAges.map(Number)) * 1_000 : untilExpiry(expires, date);
  const ageMs = /^\d{1,9}$/.test(age?.trim() ?? '') ? Number(age) * 1_000 : 0;
  return lifetimeMs > ageMs ? lifetimeMs - ageMs : undefined;
}

/** By the origin's clock alone: ours may be another. NaN where either is missing or makes no sense. */
function untilExpiry(expires: string | undefined, date: string | undefined): number {
  return Date.parse(expires ?? '') - Date.parse(date ?? '');
}
