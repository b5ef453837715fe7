// Conditions: what is valid, what each operator means, and what is decided before all rows were read.
import { describe, expect, it } from 'vitest';
import { CONDITION_LIMITS, readCondition } from '../../../core/conditions/condition.ts';
import { beginDecision } from '../../../core/conditions/decision.ts';
import { RowValues } from '../../../core/conditions/row-values.ts';

const ROWS = { var: 'rows' };
const some = (test: unknown) => ({ some: [ROWS, test] });
const all = (test: unknown) => ({ all: [ROWS, test] });
const before = { before: 'price' };
const after = { after: 'price' };

type Side = Record<string, unknown> | string | null;
const textOf = (side: Side): string | null =>
  side === null || typeof side === 'string' ? side : JSON.stringify(side);

const row = (was: Side, is: Side): RowValues =>
  new RowValues({
    changeType: was === null ? 'new' : is === null ? 'deleted' : 'changed',
    before: textOf(was),
    after: textOf(is),
  });

const changed = (was: unknown, is: unknown): RowValues => row({ price: was }, { price: is });

const NONE = { newCount: 0, changedCount: 0, deletedCount: 0, unchangedCount: 0, totalCount: 0 };

function decide(given: unknown, rows: readonly RowValues[], isWhole = true, counts = {}): string {
  const read = readCondition(given);
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  const decision = beginDecision(read.condition, { ...NONE, ...counts });
  for (const each of rows) decision.add(each);
  return decision.outcome(isWhole);
}

const fires = (test: unknown, ...rows: RowValues[]): boolean => decide(some(test), rows) === 'met';

describe('a number', () => {
  const fell5 = { '<': [{ percent: 'price' }, -5] };
  it.each([
    ['100', '95', false],
    ['100', '94.99999999999999999999', true],
    ['0.3', '0.285', false],
    ['0.3', '0.2849999999999999999999', true],
    ['-10', '-20', true],
    ['-10', '-9', false],
    ['3', '2.85', false],
    ['0', '-1', false],
    ['1e150', '1e-49', true],
    ['1e999', '1', false],
    ['100', 'n/a', false],
    ['n/a', '1', false],
    ['1,000', '1', false],
    ['100', '', false],
    ['100', ' 1', false],
    [100, 94, true],
    [100, null, false],
    [100, true, false],
  ])('from %j to %j fell by more than 5 %%: %s', (was, is, expected) => {
    expect(fires(fell5, changed(was, is))).toBe(expected);
  });

  it('is compared digit by digit', () => {
    expect(fires({ '==': [{ change: 'price' }, 0.2] }, changed('0.1', '0.3'))).toBe(true);
    expect(fires({ '>': [after, 100] }, changed('1', '100.0'))).toBe(false);
    expect(fires({ '>': [after, 100] }, changed('1', '100.00000000000000000001'))).toBe(true);
    expect(fires({ '>': [after, '9007199254740993'] }, changed('1', '9007199254740992'))).toBe(false);
    expect(fires({ '>=': [after, '9007199254740993'] }, changed('1', '9007199254740993.0'))).toBe(true);
    expect(fires({ '>': [after, '-1e21'] }, changed('1', '-999999999999999999999'))).toBe(true);
    expect(fires({ '<': [after, 0] }, changed('1', '-0.00'))).toBe(false);
    expect(fires({ '==': [after, 0] }, changed('1', '-0.00'))).toBe(true);
    const precise = row('{"price":12345678901234567890.1}', '{"price":12345678901234567890.2}');
    expect(fires({ '==': [{ change: 'price' }, 0.1] }, precise)).toBe(true);
  });

  it.each([Number('10000000000000000999'), -1e21, 0.1234567890123456, 9007199254740992])(
    'in a condition has no more digits than reading JSON keeps: %d',
    (number) => {
      const given = some({ '==': [after, number] });
      expect(readCondition(given)).toEqual({
        faults: [{ pointer: '/some/1/==/1', detail: expect.stringContaining('write it as a text') }],
      });
      expect(readCondition(given, { isStored: true })).toHaveProperty('condition');
      expect(readCondition(some({ '==': [after, String(number)] }))).toHaveProperty('condition');
    },
  );

  it.each([0, -0.5, 123456789012.345, 0.000001234567890123, 1e-20, 9007199254740991])(
    'may be %d',
    (number) => {
      expect(readCondition(some({ '<': [after, number] }))).toHaveProperty('condition');
    },
  );

  it('of one column is compared with that of another', () => {
    const dearer = { '>': [{ percent: 'price' }, { percent: 'cost' }] };
    expect(fires(dearer, row({ price: '3', cost: '3' }, { price: '4', cost: '3.999' }))).toBe(true);
    expect(fires(dearer, row({ price: '3', cost: '6' }, { price: '4', cost: '8' }))).toBe(false);
  });
});

describe('a missing value', () => {
  const gone = [changed('1', ''), changed('1', null), row({ price: '1' }, {}), row({ price: '1' }, null)];
  it.each(['==', '!=', '<', '<=', '>', '>='])('makes every comparison false: %s', (operator) => {
    for (const each of gone) {
      expect(fires({ [operator]: [after, 1] }, each)).toBe(false);
      expect(fires({ [operator]: [before, after] }, each)).toBe(false);
      expect(fires({ [operator]: [{ change: 'price' }, 1] }, each)).toBe(false);
    }
  });

  it('equals null', () => {
    for (const each of gone) {
      expect(fires({ '==': [after, null] }, each)).toBe(true);
      expect(fires({ '!=': [null, after] }, each)).toBe(false);
      expect(fires({ '!=': [before, null] }, each)).toBe(true);
    }
  });
});

describe('a text', () => {
  it('is equal to the same characters alone, and a number also to the same number', () => {
    expect(fires({ '==': [after, 'sold out'] }, changed('1', 'sold out'))).toBe(true);
    expect(fires({ '==': [after, 'sold out'] }, changed('1', 'Sold out'))).toBe(false);
    expect(fires({ '!=': [after, 'sold out'] }, changed('1', '7'))).toBe(true);
    expect(fires({ '==': [after, 'true'] }, changed(false, true))).toBe(true);
    expect(fires({ '==': [after, '7'] }, changed('1', '7.0'))).toBe(false);
    expect(fires({ '==': [after, 7] }, changed('1', '7.0'))).toBe(true);
    expect(fires({ '!=': [after, 7] }, changed('1', 'seven'))).toBe(false);
    expect(fires({ '!=': [before, after] }, changed('7', '7.0'))).toBe(false);
    expect(fires({ '!=': [before, after] }, changed('n/a', '0'))).toBe(true);
  });

  it('of a column with any name can be asked for', () => {
    const odd = row({ 'a.b/c~"': 1 }, { 'a.b/c~"': 2 });
    expect(fires({ '==': [{ after: 'a.b/c~"' }, 2] }, odd)).toBe(true);
    expect(fires({ '==': [{ after: '__proto__' }, 2] }, odd)).toBe(false);
  });
});

describe('some and all', () => {
  const isDeleted = { '==': [{ var: 'changeType' }, 'deleted'] };
  const rows = [changed('1', '2'), row({ price: '9' }, null)];

  it('ask of each row, and never of none', () => {
    expect(decide(some(isDeleted), rows)).toBe('met');
    expect(decide(all(isDeleted), rows)).toBe('unmet');
    expect(decide(all(isDeleted), rows.slice(1))).toBe('met');
    expect(decide(all(isDeleted), [])).toBe('unmet');
    expect(decide(some(isDeleted), [])).toBe('unmet');
    // Both halves must be true of one row.
    expect(decide(some({ and: [isDeleted, { '==': [after, 2] }] }), rows)).toBe('unmet');
    expect(decide({ and: [some(isDeleted), some({ '==': [after, 2] })] }, rows)).toBe('met');
  });

  it('are decided as soon as no other row can change the answer', () => {
    expect(decide(some(isDeleted), rows, false)).toBe('met');
    expect(decide(some(isDeleted), rows.slice(0, 1), false)).toBe('undecided');
    expect(decide(all(isDeleted), rows.slice(0, 1), false)).toBe('unmet');
    expect(decide(all(isDeleted), rows.slice(1), false)).toBe('undecided');
    const many = { '>': [{ var: 'deletedCount' }, 20] };
    expect(decide(many, [], false, { deletedCount: 21 })).toBe('met');
    expect(decide(many, [], false, { deletedCount: 20 })).toBe('unmet');
    expect(decide({ and: [many, some(isDeleted)] }, [], false, { deletedCount: 20 })).toBe('unmet');
    expect(decide({ or: [many, some(isDeleted)] }, [], false, { deletedCount: 20 })).toBe('undecided');
  });
});

describe('what is refused', () => {
  const leaf = { '>': [{ var: 'newCount' }, 1] };
  const nested = (depth: number): unknown => (depth === 0 ? leaf : { and: [nested(depth - 1)] });
  it.each([
    [null, ''],
    ['fell', ''],
    [[leaf], ''],
    [{}, ''],
    [{ and: [leaf], or: [leaf] }, ''],
    [{ '!': [leaf] }, '/!'],
    [{ 'a/b~': [leaf] }, '/a~1b~0'],
    [{ and: [] }, '/and'],
    [{ and: leaf }, '/and'],
    [{ and: [leaf, 1] }, '/and/1'],
    [{ '>': [{ var: 'newCount' }] }, '/>'],
    [{ '>': [{ var: 'newCount' }, 1, 2] }, '/>'],
    [{ '>': [{ var: 'rows' }, 1] }, '/>/0/var'],
    [{ '>': [{ var: 'newCount' }, true] }, '/>/1'],
    // 1e999 in JSON.
    [{ '>': [{ var: 'newCount' }, Infinity] }, '/>/1'],
    [{ '>': [{ var: 'newCount' }, 'many'] }, '/>'],
    [{ '>': [2, 1] }, '/>'],
    [{ '>': [after, 1] }, '/>/0/after'],
    [{ '==': [{ var: 'newCount' }, null] }, '/=='],
    [some({ '>': [after, null] }), '/some/1/>'],
    [some({ '>': [after, 'cheap'] }), '/some/1/>'],
    [some({ '>': [after, '1,000'] }), '/some/1/>'],
    [some({ '==': [after, ''] }), '/some/1/==/1'],
    [some({ '==': [{ percent: 'price' }, 'much'] }), '/some/1/=='],
    [some({ '==': [{ after: '' }, 1] }), '/some/1/==/0/after'],
    [some({ '==': [{ after: ['a'] }, 1] }), '/some/1/==/0/after'],
    [some({ '==': [{ avg: 'price' }, 1] }), '/some/1/==/0/avg'],
    [some({ '==': [{ var: 'changeType' }, 'gone'] }), '/some/1/=='],
    [some({ '<': [{ var: 'changeType' }, 'new'] }), '/some/1/<'],
    [some({ '==': [{ var: 'newCount' }, 1] }), '/some/1/==/0/var'],
    [some(some({ '==': [after, 1] })), '/some/1/some'],
    [{ some: [{ var: 'things' }, { '==': [after, 1] }] }, '/some'],
    [{ some: [ROWS] }, '/some'],
    [nested(6), '/and/0/and/0/and/0/and/0/and/0/and/0'],
    [{ and: Array.from({ length: CONDITION_LIMITS.comparisons + 1 }, () => leaf) }, ''],
    [some({ '==': [after, 'x'.repeat(CONDITION_LIMITS.characters)] }), ''],
  ])('%j, at %s', (given, pointer) => {
    expect(readCondition(given)).toEqual({ faults: [{ pointer, detail: expect.any(String) }] });
  });

  it('is not the largest that is allowed', () => {
    expect(readCondition(nested(5))).toHaveProperty('condition');
    const most = Array.from({ length: CONDITION_LIMITS.comparisons }, () => leaf);
    expect(readCondition({ or: most })).toHaveProperty('condition');
  });

  it('is told briefly, and read without recursion, however large', () => {
    let deep: unknown = leaf;
    for (let depth = 0; depth < 200_000; depth += 1) deep = { and: [deep] };
    expect(readCondition(deep)).toEqual({ faults: [expect.anything()] });
    expect(readCondition({ some: [deep, leaf] })).toEqual({ faults: [expect.anything()] });
    const wide = readCondition({ and: Array.from({ length: 100_000 }, () => 1) });
    expect(wide).toEqual({ faults: Array.from({ length: 20 }, () => expect.anything()) });
  });
});
