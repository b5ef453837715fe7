// Which drops in rows are held for a second body to confirm.
import { expect, it } from 'vitest';
import { isSharpDrop } from '../../core/sharp-drop.ts';

it.each([
  // before, now, held, is held (again)
  [0, 0, null, false],
  [19, 0, null, false],
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
  // What is held says nothing about a body that is no drop.
  [1_000, 900, 100, false],
])('%i rows, then %i, with %s held: %s', (before, now, held, isHeld) => {
  expect(isSharpDrop({ before, now, held })).toBe(isHeld);
});
