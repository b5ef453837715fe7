// Decides whether an event meets a condition, row by row, so that it never holds all rows in memory.
import type { Condition, EventCounts, Quantifier } from './condition.ts';
import type { RowValues } from './row-values.ts';

/** `undecided`: that depends on rows that were not read. */
export type ConditionOutcome = 'met' | 'unmet' | 'undecided';

export interface Decision {
  add: (row: RowValues) => void;
  /** What is known after the rows so far. @param isWhole whether they are all rows of the event */
  outcome: (isWhole: boolean) => ConditionOutcome;
}

/**
 * Conditions have no negation, so they are monotonic in their quantifiers. The outcome is `met` if the condition holds when only
 * the certain quantifiers are true, and `unmet` if it fails when all possible ones are.
 */
export function beginDecision({ quantifiers, holds }: Condition, counts: EventCounts): Decision {
  let rows = 0;
  /** For `some` whether a row has passed, for `all` whether one has not. Neither is taken back. */
  const settled = quantifiers.map(() => false);
  const answers = (isWhole: boolean, ifOpen: boolean): boolean[] =>
    quantifiers.map(({ kind }, index) =>
      answer(kind, settled[index] === true, isWhole ? endOf(kind, rows) : ifOpen),
    );
  return {
    add(row) {
      rows += 1;
      for (const [index, { kind, test }] of quantifiers.entries()) {
        if (settled[index] !== true) settled[index] = test(row) === (kind === 'some');
      }
    },
    outcome(isWhole) {
      if (holds(counts, answers(isWhole, false))) return 'met';
      return holds(counts, answers(isWhole, true)) ? 'undecided' : 'unmet';
    },
  };
}

const answer = (kind: Quantifier['kind'], isSettled: boolean, open: boolean): boolean =>
  isSettled ? kind === 'some' : open;

/** As in JSONLogic, `all` of no rows is false. */
const endOf = (kind: Quantifier['kind'], rows: number): boolean => kind === 'all' && rows > 0;
