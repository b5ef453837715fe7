// Whether a value is still the one that was reported last, under the rule of its column.
import type { Cell } from '../model.ts';
import { canonicalBy, numberBy } from './canonical-cell.ts';
import type { ColumnRule } from './column-rules.ts';
import { withinTolerance } from './tolerance.ts';

export type IsSameValue = (was: Cell, is: Cell) => boolean;

export function sameValueBy(rule: ColumnRule): IsSameValue {
  const canonical = canonicalBy(rule);
  const { tolerance } = rule;
  if (tolerance === undefined || rule.as !== 'number') return (was, is) => canonical(was) === canonical(is);
  const numberOf = numberBy(rule);
  const isWithin = withinTolerance(tolerance);
  return (was, is) => {
    if (canonical(was) === canonical(is)) return true;
    const [before, now] = [numberOf(was), numberOf(is)];
    return before !== undefined && now !== undefined && isWithin(before, now);
  };
}
