// Decides what a changed row stores in columns with a rule: the value that was reported last, while the rule says that it is
// still the same. So a stored row differs from the one before only in the columns that changed.
import { splitRowJson, memberName } from './keys/keyed-row.ts';
import { type ColumnRules, rulesBeside } from './rules/column-rules.ts';
import { sameValueBy } from './rules/same-value.ts';

/** @returns the data of `after`, in the order of its columns, with the cells of `before` that are still the same */
export type CarryOver = (before: string, after: string) => string;

/** @returns undefined when no rule applies to rows with this key */
export function carryOverBy(rules: ColumnRules, keyFields: readonly string[]): CarryOver | undefined {
  const tests = [...rulesBeside(rules, keyFields)].map(
    ([column, rule]) => [column, sameValueBy(rule)] as const,
  );
  if (tests.length === 0) return undefined;
  return (before, after) => {
    const old = new Map(splitRowJson(before));
    const cells = new Map(splitRowJson(after));
    for (const [column, isSame] of tests) {
      const [was, is] = [old.get(column), cells.get(column)];
      if (was !== undefined && is !== undefined && isSame(was, is)) cells.set(column, was);
    }
    return `{${[...cells].map(([column, token]) => memberName(column) + token).join(',')}}`;
  };
}
