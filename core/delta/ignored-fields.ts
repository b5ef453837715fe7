// Which columns a record does not watch.
import type { BodyFormat } from './model.ts';

export type IsIgnored = (column: string) => boolean;

/** In JSON, where columns are paths into nested objects, ignoring `a` ignores `a.b` too. */
export function ignoreTest(ignoreFields: readonly string[], format: BodyFormat): IsIgnored {
  const hasPaths = format === 'json' || format === 'jsonl';
  return (column) =>
    ignoreFields.some((field) => column === field || (hasPaths && column.startsWith(`${field}.`)));
}
