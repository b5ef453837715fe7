// A condition means what JSONLogic says it means: json-logic-js decides the same, on whole numbers, which it calculates exactly.
import fc from 'fast-check';
import jsonLogic from 'json-logic-js';
import { expect, it } from 'vitest';
import { readCondition } from '../../../core/conditions/condition.ts';
import { beginDecision } from '../../../core/conditions/decision.ts';
import { RowValues } from '../../../core/conditions/row-values.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';

interface PlainRow {
  changeType: string;
  before: Record<string, number> | null;
  after: Record<string, number> | null;
}

// The four operators that are ours, in the words of the documentation.
const value = (side: 'before' | 'after') =>
  function read(this: PlainRow, column: string) {
    return this[side]?.[column] ?? Number.NaN;
  };
jsonLogic.add_operation('before', value('before'));
jsonLogic.add_operation('after', value('after'));
jsonLogic.add_operation('change', function change(this: PlainRow, column: string) {
  return value('after').call(this, column) - value('before').call(this, column);
});
jsonLogic.add_operation('percent', function percent(this: PlainRow, column: string) {
  const was = value('before').call(this, column);
  // 1/3 of 100 is compared with whole numbers, which rounding does not reach.
  return was === 0 ? Number.NaN : (100 * (value('after').call(this, column) - was)) / Math.abs(was);
});

const columns = ['price', 'stock'];
const side = fc.record({
  price: fc.integer({ min: -30, max: 120 }),
  stock: fc.integer({ min: 0, max: 3 }),
});
const row: fc.Arbitrary<PlainRow> = fc.oneof(
  fc.record({ changeType: fc.constant('changed'), before: side, after: side }),
  fc.record({ changeType: fc.constant('new'), before: fc.constant(null), after: side }),
  fc.record({ changeType: fc.constant('deleted'), before: side, after: fc.constant(null) }),
);

const number = fc.integer({ min: -60, max: 120 });
const operand = fc
  .tuple(fc.constantFrom('before', 'after', 'change', 'percent'), fc.constantFrom(...columns))
  .map(([operator, column]) => ({ [operator]: column }));
/** `!=` is left out: to JavaScript, NaN differs from everything. What it means for missing values has tests of its own. */
const order = fc.constantFrom('==', '<', '<=', '>', '>=');
const rowComparison = fc
  .tuple(order, operand, fc.oneof(number, operand))
  .map(([operator, left, right]) => ({ [operator]: [left, right] }));
const typeTest = fc
  .tuple(fc.constantFrom('==', '!='), fc.constantFrom('new', 'changed', 'deleted'))
  .map(([operator, type]) => ({ [operator]: [{ var: 'changeType' }, type] }));
const countTest = fc
  .tuple(fc.constantFrom('==', '!=', '<', '>='), fc.constantFrom('newCount', 'deletedCount'), fc.nat(4))
  .map(([operator, count, least]) => ({ [operator]: [{ var: count }, least] }));

const several = (each: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 2, arbitrary: each },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('and', 'or'), fc.array(each, { minLength: 1, maxLength: 3 }))
        .map(([operator, list]) => ({ [operator]: list })),
    },
  );
const quantifier = fc
  .tuple(fc.constantFrom('some', 'all'), several(fc.oneof(rowComparison, typeTest)))
  .map(([kind, test]) => ({ [kind]: [{ var: 'rows' }, test] }));
const condition = several(several(fc.oneof(quantifier, countTest)));

const countOf = (rows: readonly PlainRow[], type: string): number =>
  rows.filter(({ changeType }) => changeType === type).length;

it('decides as json-logic-js, and never otherwise before all rows were read', PROPERTY_TIMEOUT, () => {
  const answers = { met: 0, unmet: 0 };
  fc.assert(
    fc.property(condition, fc.array(row, { maxLength: 6 }), (given, rows) => {
      const counts = {
        newCount: countOf(rows, 'new'),
        changedCount: countOf(rows, 'changed'),
        deletedCount: countOf(rows, 'deleted'),
        unchangedCount: 0,
        totalCount: rows.length,
      };
      const read = readCondition(given);
      fc.pre('condition' in read);
      const decision = beginDecision(read.condition, counts);
      const expected = jsonLogic.apply(given, { rows, ...counts }) === true ? 'met' : 'unmet';
      expect([expected, 'undecided']).toContain(decision.outcome(false));
      for (const { changeType, before, after } of rows) {
        const text = (cells: object | null) => cells && JSON.stringify(cells);
        decision.add(new RowValues({ changeType, before: text(before), after: text(after) }));
        expect([expected, 'undecided']).toContain(decision.outcome(false));
      }
      expect(decision.outcome(true)).toBe(expected);
      answers[expected] += 1;
    }),
    propertyRuns(2_000),
  );
  expect(Math.min(answers.met, answers.unmet)).toBeGreaterThan(100);
});
