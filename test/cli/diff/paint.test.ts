// When text is coloured.
import { afterEach, expect, it, vi } from 'vitest';
import { createPaint } from '../../../cli/diff/paint.ts';

afterEach(() => vi.unstubAllEnvs());

/** A terminal as Node 22 sees it, which takes an empty NO_COLOR for set. */
const terminal = {
  isTTY: true,
  hasColors: (env: NodeJS.ProcessEnv = process.env) => env['NO_COLOR'] === undefined,
} as unknown as NodeJS.WriteStream;

it.each([
  [undefined, true],
  ['1', false],
  ['', true],
])('regression: with NO_COLOR %j a terminal gets colours: %s', (value, isColored) => {
  vi.stubEnv('NO_COLOR', value);
  expect(createPaint('auto', terminal)('new', 'x') !== 'x').toBe(isColored);
});
