// Pairs of similar rows: examples, limits, and generated tables against a slow reference.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RowVersion } from '../../../core/delta/compare.ts';
import { splitRowJson } from '../../../core/delta/keys/keyed-row.ts';
import { PAIRING_LIMITS, pairSimilar, pairSteps, type RowPair } from '../../../core/delta/pair-similar.ts';
import { canonicalBy } from '../../../core/delta/rules/canonical-cell.ts';
import type { ColumnRules } from '../../../core/delta/rules/column-rules.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';

type Row = Record<string, string | number | null>;

/** Rows with their content as their key, repeats numbered as keys/keyed-row.ts numbers them. */
function rowsOf(rows: readonly Row[]): RowVersion[] {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const data = JSON.stringify(row);
    const count = (counts.get(data) ?? 0) + 1;
    counts.set(data, count);
    const key = data.replaceAll('#', '');
    return { key: count === 1 ? key : `${key}#${count}`, data };
  });
}

const pairsOf = (deleted: readonly Row[], added: readonly Row[], rules: ColumnRules = {}) =>
  pairSimilar(rowsOf(deleted), rowsOf(added), rules)?.map(({ before, after }) => [before, after]);

const keyOf = (row: Row, repeat = ''): string => JSON.stringify(row) + repeat;

const ann = { name: 'Ann', city: 'Oslo', team: 'red' };
const bob = { name: 'Bob', city: 'Rome', team: 'blue' };

describe('pairSimilar', () => {
  test('pairs the edited rows, and leaves the others', () => {
    const annMoved = { ...ann, city: 'Bern' };
    const bobMoved = { ...bob, team: 'red' };
    const eve = { name: 'Eve', city: 'Kyiv', team: 'green' };
    expect(pairsOf([ann, bob], [eve, bobMoved, annMoved])).toEqual([
      [keyOf(ann), keyOf(annMoved)],
      [keyOf(bob), keyOf(bobMoved)],
    ]);
  });

  test('half of the cells of either row suffice, less do not', () => {
    expect(pairsOf([{ a: '1', b: '2' }], [{ a: '1', b: '3' }])).toHaveLength(1);
    expect(pairsOf([{ a: '1', b: '2', c: '3' }], [{ a: '1', b: '4', c: '5' }])).toEqual([]);
    expect(pairsOf([{ a: '1' }], [{ a: '1', b: '2', c: '3' }])).toEqual([]);
    expect(pairsOf([{ a: '1', b: '2', c: '3' }], [{ a: '1' }])).toEqual([]);
  });

  test('a table with one column never pairs', () => {
    expect(pairsOf([{ a: '1' }, { a: '2' }], [{ a: '3' }])).toEqual([]);
  });

  test('cells without a value make no rows alike', () => {
    const before = { name: 'Ann', b: '', c: null, d: '' };
    const after = { name: 'Eve', b: '', c: null, d: '' };
    expect(pairsOf([before], [after])).toEqual([]);
    expect(pairsOf([before], [{ ...before, d: 'x' }])).toHaveLength(1);
  });

  test('equal texts in different columns are not equal cells', () => {
    expect(pairsOf([{ a: '1', b: '2' }], [{ a: '2', b: '1' }])).toEqual([]);
    expect(pairsOf([{ a: '1', b: '2' }], [{ a: 1, b: '3' }])).toEqual([]);
  });

  test('the most alike rows pair first', () => {
    const far = { ...ann, city: 'Bern', team: 'blue', name: 'Ann' };
    const near = { ...ann, city: 'Bern' };
    expect(pairsOf([ann], [far, near])).toEqual([[keyOf(ann), keyOf(near)]]);
  });

  test('a row with two equally alike partners stays alone, and so do they', () => {
    const [bern, kyiv] = [
      { ...ann, city: 'Bern' },
      { ...ann, city: 'Kyiv' },
    ];
    expect(pairsOf([ann], [bern, kyiv])).toEqual([]);
    expect(pairsOf([bern, kyiv], [ann])).toEqual([]);
    expect(pairsOf([ann, bob], [bern, kyiv, { ...bob, city: 'Bern' }])).toEqual([
      [keyOf(bob), keyOf({ ...bob, city: 'Bern' })],
    ]);
  });

  test('repeats of one content pair in their order, as far as there are rows', () => {
    const moved = { ...ann, city: 'Bern' };
    const many = Array.from({ length: 11 }, () => ann);
    expect(pairsOf(many, [moved, moved])).toEqual([
      [keyOf(ann), keyOf(moved)],
      [keyOf(ann, '#2'), keyOf(moved, '#2')],
    ]);
    expect(pairsOf([moved], many)).toEqual([[keyOf(moved), keyOf(ann)]]);
    expect(
      pairsOf(
        many,
        many.map(() => moved),
      )?.at(-1),
    ).toEqual([keyOf(ann, '#11'), keyOf(moved, '#11')]);
  });

  test('rules say which cells are equal; a tolerance has no effect', () => {
    const [before, after] = [
      { name: 'Ann', price: '1.0', city: 'Oslo' },
      { name: ' ANN', price: '1', city: 'Bern' },
    ];
    const rules: ColumnRules = { name: { trim: true, ignoreCase: true }, price: { as: 'number' } };
    expect(pairsOf([before], [after])).toEqual([]);
    expect(pairsOf([before], [after], rules)).toHaveLength(1);
    const tolerant: ColumnRules = { ...rules, price: { as: 'number', tolerance: '10' } };
    expect(pairsOf([before], [{ ...after, price: '2' }], tolerant)).toEqual([]);
    expect(pairsOf([{ a: ' ', b: '1' }], [{ a: '', b: '2' }], { a: { trim: true } })).toEqual([]);
  });
});

describe('the limits of pairSimilar', () => {
  const range = <R>(count: number, row: (index: number) => R): R[] =>
    Array.from({ length: count }, (_, at) => row(at));

  test('too many rows do not pair', () => {
    const many = rowsOf(range(PAIRING_LIMITS.rows + 1, (id) => ({ id, name: 'Ann', city: 'Oslo' })));
    const [one] = rowsOf([{ id: 7, name: 'Ann', city: 'Bern' }]);
    expect(pairSimilar(many, one === undefined ? [] : [one], {})).toBeUndefined();
    expect(pairSimilar(many.slice(1), one === undefined ? [] : [one], {})).toHaveLength(1);
    expect(pairSimilar(one === undefined ? [] : [one], many, {})).toBeUndefined();
  });

  test('regression: rows with too many cells do not pair, in any order', () => {
    const wide = (count: number, value: string) =>
      rowsOf(
        range(count, (id) =>
          Object.fromEntries(range(1_000, (at) => [`c${at}`, at < 900 ? `${id} ${at}` : value])),
        ),
      );
    const half = PAIRING_LIMITS.cells / 2_000;
    expect(pairSimilar(wide(half, 'x'), wide(half, 'y'), {})).toHaveLength(half);
    expect(pairSimilar(wide(half + 1, 'x'), wide(half, 'y'), {})).toBeUndefined();
    expect(pairSimilar(wide(half, 'x'), wide(half + 1, 'y').toReversed(), {})).toBeUndefined();
  });

  test('too many equal cells do not pair', () => {
    const rows = (value: string) =>
      rowsOf(range(PAIRING_LIMITS.rows, (id) => ({ id, a: '1', b: id % 2, c: value, d: value + id })));
    expect(pairSimilar(rows('x'), rows('y'), {})).toBeUndefined();
  });

  test('too many alike rows do not pair', () => {
    const rows = (value: string) => rowsOf(range(2_000, (id) => ({ name: 'Ann', id: value + id })));
    expect(pairSimilar(rows('x'), rows('y'), {})).toBeUndefined();
  });

  test('regression: many alike rows are looked at in many steps', () => {
    const rows = (count: number, value: string) =>
      rowsOf(range(count, (id) => ({ a: '1', b: '2', c: '3', id: value + id })));
    const stepsWith = (count: number) => [...pairSteps(rows(count, 'x'), rows(count, 'y'), {})].length;
    // Three for each row, and some for the square of their number.
    expect(stepsWith(100)).toBeLessThan(400);
    expect(stepsWith(800)).toBeGreaterThan(2_700);
  });

  test('as many rows as are allowed pair when each has its own cells', () => {
    const rows = (value: string) =>
      rowsOf(range(PAIRING_LIMITS.rows, (id) => ({ id, name: `n${id}`, value })));
    expect(pairSimilar(rows('x'), rows('y'), {})).toHaveLength(PAIRING_LIMITS.rows);
  });
});

const value = fc.constantFrom('', null, 'a', 'A', 'b', 'c', 'd');
const rows = fc.array(
  fc
    .tuple(value, value, value, value, fc.nat(3))
    .map(([a, b, c, d, missing]): Row =>
      Object.fromEntries(Object.entries({ a, b, c, d }).slice(missing > 2 ? 1 : 0)),
    ),
  { maxLength: 8 },
);
const someRules = fc.constantFrom<ColumnRules>({}, { a: { ignoreCase: true } });

/** Without the rows that are on both sides. */
function differing(before: readonly Row[], after: readonly Row[]): [RowVersion[], RowVersion[]] {
  const [old, now] = [rowsOf(before), rowsOf(after)];
  const not = (others: readonly RowVersion[]) => (row: RowVersion) =>
    others.every(({ key }) => key !== row.key);
  return [old.filter(not(now)), now.filter(not(old))];
}

describe('generated tables', () => {
  test('have the pairs of the slow reference, in any order of rows', PROPERTY_TIMEOUT, () => {
    fc.assert(
      fc.property(rows, rows, someRules, fc.nat(), (before, after, rules, turn) => {
        const [deleted, added] = differing(before, after);
        const pairs = pairSimilar(deleted, added, rules);
        expect(sorted(pairs)).toEqual(sorted(slowPairs(deleted, added, rules)));
        expect(sorted(pairSimilar(turned(deleted, turn), turned(added, turn + 1), rules))).toEqual(
          sorted(pairs),
        );
      }),
      propertyRuns(5_000),
    );
  });

  test('have each row once, in a pair or alone', PROPERTY_TIMEOUT, () => {
    fc.assert(
      fc.property(rows, rows, (before, after) => {
        const [deleted, added] = differing(before, after);
        const pairs = pairSimilar(deleted, added, {}) ?? [];
        for (const [side, keys] of [
          [deleted, pairs.map((pair) => pair.before)],
          [added, pairs.map((pair) => pair.after)],
        ] as const) {
          expect(new Set(keys).size).toBe(keys.length);
          expect(keys.every((key) => side.some((row) => row.key === key))).toBe(true);
        }
      }),
      propertyRuns(5_000),
    );
  });
});

const turned = <T>(items: readonly T[], by: number): T[] => {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)].toReversed();
};

const sorted = (pairs: readonly RowPair[] | undefined) =>
  pairs?.map(({ before, after }) => `${before} ${after}`).sort();

/** Again and again, takes the contents of which each is the only most alike one of the other. */
function slowPairs(
  deleted: readonly RowVersion[],
  added: readonly RowVersion[],
  rules: ColumnRules,
): RowPair[] {
  const [gone, come] = [contents(deleted), contents(added)];
  const pairs: RowPair[] = [];
  for (;;) {
    const best = (one: Content, others: readonly Content[]): Content | undefined => {
      const shares = others.map((other) => (other.keys.length === 0 ? 0 : shareOf(one, other, rules)));
      const most = Math.max(0, ...shares);
      const indexes = shares.flatMap((share, at) => (share === most ? [at] : []));
      return most < 0.5 || indexes.length > 1 ? undefined : others[indexes[0] ?? -1];
    };
    const found = gone.flatMap((before) => {
      const after = before.keys.length === 0 ? undefined : best(before, come);
      return after !== undefined && best(after, gone) === before ? [{ before, after }] : [];
    });
    if (found.length === 0) return pairs;
    for (const { before, after } of found) {
      while (before.keys.length > 0 && after.keys.length > 0) {
        pairs.push({ before: before.keys.shift() ?? '', after: after.keys.shift() ?? '' });
      }
    }
  }
}

interface Content {
  keys: string[];
  data: string;
}

function contents(all: readonly RowVersion[]): Content[] {
  const found: Content[] = [];
  for (const { key, data } of all.toSorted((left, right) => repeatOf(left) - repeatOf(right))) {
    const same = found.find((content) => content.data === data);
    if (same === undefined) found.push({ keys: [key], data });
    else same.keys.push(key);
  }
  return found;
}

const repeatOf = ({ key }: RowVersion): number => Number(key.split('#')[1] ?? 1);

function shareOf(left: Content, right: Content, rules: ColumnRules): number {
  const [one, other] = [filled(left, rules), filled(right, rules)];
  const equal = [...one].filter(([column, token]) => other.get(column) === token).length;
  return equal / Math.max(1, one.size, other.size);
}

const filled = ({ data }: Content, rules: ColumnRules): Map<string, string> =>
  new Map(
    splitRowJson(data).flatMap(([column, token]) => {
      const rule = rules[column];
      const form = rule === undefined ? token : (canonicalBy(rule)(token) ?? token);
      return form === 'null' || form === '""' ? [] : [[column, form]];
    }),
  );
