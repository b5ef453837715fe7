// Drops in rows that are held until a second body confirms them.
import { expect, it } from 'vitest';
import {
  brokenOff,
  isLike,
  isSameHold,
  isSharpDrop,
  mayBeCut,
  mayHaveBrokenOff,
  type OpenEndedRun,
  rowsAfter,
  wholeRows,
  withOpenEnded,
} from '../../core/sharp-drop.ts';

const ONE = { rows: 1, ownKeys: 1, hasEarlierKey: false };
/** The second body was requested late enough to confirm the first. */
const LATER = { heldBeforeMs: 600_000, recheckMs: 600_000 };

it.each([
  // before, now, held, is held (again)
  [0, 0, null, false],
  [19, 1, null, false],
  // A table that has lost all of its rows, however few they were.
  [1, 0, null, true],
  [19, 0, null, true],
  [19, 0, 0, false],
  [20, 10, null, false],
  [20, 9, null, true],
  [20, 0, null, true],
  [21, 10, null, true],
  [1_000, 500, null, false],
  [1_000, 499, null, true],
  [1_000, 2_000, null, false],
  // A second body within 10 % of the held one confirms it, whether it has more rows or fewer.
  [1_000, 100, 100, false],
  [1_000, 110, 100, false],
  [1_000, 111, 100, true],
  [1_000, 90, 100, false],
  [1_000, 89, 100, true],
  [1_000, 0, 0, false],
  [1_000, 1, 0, true],
  // A held body says nothing about a body without a drop.
  [1_000, 900, 100, false],
])('%i rows, then %i, with %s held: %s', (before, now, held, isHeld) => {
  expect(isSharpDrop({ before, now, held, rejected: null, ...LATER })).toBe(isHeld);
});

it.each([
  // now, held, rejected, is held (again)
  [100, 100, 100, true],
  [109, 109, 100, true],
  [111, 111, 100, false],
  [111, 110, 100, true],
  [111, null, 100, true],
  [0, 0, 0, true],
  [600, null, 600, false],
])('1000 rows, then %i, with %s held and %s rejected: %s', (now, held, rejected, isHeld) => {
  expect(isSharpDrop({ before: 1_000, now, held, rejected, ...LATER })).toBe(isHeld);
});

it('counts 10 % more or fewer rows as about as many', () => {
  expect([89, 90, 110, 111].map((now) => isLike(now, 100))).toEqual([false, true, true, false]);
  expect(isLike(1, null)).toBe(false);
});

it.each([
  // held before, in ms, is held (again)
  [599_999, true],
  [600_000, false],
  [-1, true],
  [null, true],
])(
  'regression: a body like the held one confirms it only ten minutes later: after %s ms',
  (heldBeforeMs, isHeld) => {
    const rows = { before: 1_000, now: 100, held: 100, rejected: null };
    expect(isSharpDrop({ ...rows, heldBeforeMs, recheckMs: 600_000 })).toBe(isHeld);
  },
);

it.each([
  // before, now, held, rejected, is held (again)
  [1_000, 990, null, null, true],
  // The incomplete row is in the place of the one that is missing.
  [1_000, 1_000, null, null, true],
  [1_000, 1_001, null, null, false],
  [1_000, 2_000, null, null, false],
  // Tables of any size count.
  [2, 2, null, null, true],
  [1, 1, null, null, true],
  [0, 1, null, null, false],
  // As for a sharp drop, a second body confirms it, and none does after a rejection.
  [1_000, 990, 990, null, false],
  [1_000, 990, 800, null, true],
  [1_000, 990, 990, 990, true],
  [1_000, 990, null, 990, true],
])(
  '%i rows, then %i with an incomplete last one, with %s held and %s rejected: %s',
  (before, now, held, rejected, isHeld) => {
    const rows = { before, now, held, rejected, ...LATER };
    expect(mayHaveBrokenOff(rows, { code: 'ragged_rows', ...ONE })).toBe(isHeld);
    expect(mayHaveBrokenOff(rows, { code: 'empty_key', ...ONE })).toBe(isHeld);
    expect(mayHaveBrokenOff(rows, undefined)).toBe(false);
  },
);

it('does not confirm a body that broke off by one that follows at once', () => {
  const rows = { before: 1_000, now: 990, held: 990, rejected: null };
  expect(
    mayHaveBrokenOff({ ...rows, heldBeforeMs: 599_999, recheckMs: 600_000 }, { code: 'ragged_rows', ...ONE }),
  ).toBe(true);
});

it('counts all lines of an error as no rows', () => {
  const rows = { before: 1_000, held: null, rejected: null, ...LATER };
  const end = { code: 'ragged_rows', rows: 5, ownKeys: 5, hasEarlierKey: false } as const;
  expect([1_004, 1_005].map((now) => mayHaveBrokenOff({ ...rows, now }, end))).toEqual([true, false]);
});

it.each([
  [1_000, 'The last row is incomplete, and it has the key of an earlier row'],
  [999, 'Fewer rows than last time, and the last one is incomplete'],
])(
  'regression: does not call a row missing because the last one repeats a key: %i rows after 1000',
  (now, words) => {
    const rows = { before: 1_000, now, held: null, rejected: null, ...LATER };
    const end = { code: 'ragged_rows', rows: 1, ownKeys: 0, hasEarlierKey: true } as const;
    expect(wholeRows(rows, end)).toBe(now);
    expect(brokenOff(rows, end)).toBe(`${words}, as after an export that broke off`);
    expect(mayHaveBrokenOff(rows, end)).toBe(true);
  },
);

it('regression: counts lines of an error that repeat once, and says when one has the key of a row', () => {
  const rows = { before: 1_000, now: 1_003, held: null, rejected: null, ...LATER };
  const end = { code: 'ragged_rows', rows: 40, ownKeys: 3, hasEarlierKey: false } as const;
  expect(mayHaveBrokenOff(rows, end)).toBe(false);
  expect(mayHaveBrokenOff({ ...rows, now: 1_002 }, end)).toBe(true);
  expect(brokenOff(rows, { ...end, hasEarlierKey: true })).toBe(
    'The last 40 rows look like lines of an error, and one of them has the key of an earlier row, as after an export that broke off',
  );
});

it.each([
  // before, now, held, rejected, is held (again) if the connection ended the body, and if the body has a length
  [1_000, 1_000, null, null, true, false],
  [1_000, 999, null, null, true, true],
  [1_000, 2_000, null, null, true, false],
  [20, 19, null, null, true, true],
  [19, 18, null, null, true, false],
  [1, 1, null, null, true, false],
  [0, 5, null, null, false, false],
  // The same rows, and more rows, confirm. Other rows that are missing do not: both bodies may be cut.
  [1_000, 990, 990, null, false, false],
  [1_000, 990, 991, null, true, true],
  [5, 7, 6, null, false, false],
  [1_000, 990, 990, 990, true, true],
])('%i rows, then %i without the last line end, with %s held and %s rejected: %s, %s', (...given) => {
  const [before, now, held, rejected, isHeldAtClose, isHeldWithLength] = given;
  const hasDeletedRows = now < before;
  const rows = { before, now, held, rejected, ...LATER, isHeldOpenEnded: true, hasDeletedRows };
  expect([mayBeCut(rows, true), mayBeCut(rows, false)]).toEqual([isHeldAtClose, isHeldWithLength]);
  expect(rowsAfter(rows, undefined)).toBe(`${now} rows after ${before}`);
  expect(brokenOff(rows, undefined)).toContain('The last row has no line end');
});

it('regression: six bodies in a row without their line end confirm another one, unless it is like a rejected one', () => {
  const rows = {
    before: 1_000,
    now: 990,
    held: 991,
    rejected: null,
    ...LATER,
    isHeldOpenEnded: true,
    hasDeletedRows: true,
  };
  const isHeldAs = (openEndedBodies: number, rejected: number | null = null) =>
    mayBeCut({ ...rows, openEndedBodies, rejected }, true);
  expect([isHeldAs(6), isHeldAs(7), isHeldAs(7, 990), isHeldAs(7, 500)]).toEqual([true, false, true, false]);
});

it('bodies without their line end count if they are not too soon', () => {
  let run: OpenEndedRun | null = null;
  const counts = [0, 1, 599_999, 600_000, 600_001, 1_200_000].map((atMs) => {
    run = withOpenEnded(run, atMs, 600_000);
    return run.bodies;
  });
  expect(counts).toEqual([1, 1, 1, 2, 2, 3]);
});

it('regression: rows that are missing below new ones are missing, and only as many rows confirm that', () => {
  const rows = { before: 100, rejected: null, ...LATER, isHeldOpenEnded: true, hasDeletedRows: true };
  const isHeldWith = (now: number, held: number | null) =>
    [true, false].map((isCloseDelimited) => mayBeCut({ ...rows, now, held }, isCloseDelimited));
  expect(isHeldWith(103, null)).toEqual([true, true]);
  expect(isHeldWith(104, 103)).toEqual([true, true]);
  expect(isHeldWith(103, 103)).toEqual([false, false]);
  expect(mayBeCut({ ...rows, now: 103, held: null, hasDeletedRows: false }, false)).toBe(false);
});

it.each([
  // before, now, held, is the same hold
  [1_000, 900, 950, true],
  [1_000, 400, 401, true],
  [1_000, 400, 600, false],
  [1_000, 600, 400, false],
  [1_000, 400, 300, false],
  [1_000, 400, null, false],
])('%i rows, then %i without the last line end, with %s held: the same hold: %s', (...given) => {
  const [before, now, held, isSame] = given;
  const rows = { before, now, held, rejected: null, isHeldOpenEnded: true, hasDeletedRows: true };
  expect(isSameHold(rows)).toBe(isSame);
  expect(isSameHold({ ...rows, isHeldOpenEnded: false })).toBe(false);
});

it('a held body with its line end confirms none without', () => {
  const rows = { before: 30, now: 12, held: 12, rejected: null, ...LATER, hasDeletedRows: true };
  expect(mayBeCut(rows, true)).toBe(true);
  expect(mayBeCut({ ...rows, isHeldOpenEnded: true }, true)).toBe(false);
});
