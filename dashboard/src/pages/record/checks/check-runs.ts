// Groups checks that found nothing, so that the others stand out.
import type { Check } from './check-words.ts';

/** Fewer are not worth a click. */
const SHORTEST_RUN = 3;

/** A single check, or several in a row that found nothing. */
export type CheckLine = readonly [Check, ...Check[]];

/** @param checks in their order, which stays */
export function linesOf(checks: readonly Check[]): CheckLine[] {
  const lines: [Check, ...Check[]][] = [];
  for (const check of checks) {
    const last = lines.at(-1);
    if (last !== undefined && saysNothing(last[0]) && saysNothing(check)) last.push(check);
    else lines.push([check]);
  }
  return lines.flatMap((line) =>
    line.length < SHORTEST_RUN ? line.map((check): CheckLine => [check]) : [line],
  );
}

const saysNothing = ({ outcome, isBaseline, warnings }: Check): boolean =>
  outcome === 'unchanged' && !isBaseline && warnings.length === 0;
