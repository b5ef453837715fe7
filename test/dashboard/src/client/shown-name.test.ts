// Names with characters that turn the direction of text.
import { expect, it } from 'vitest';
import { shownName } from '../../../../dashboard/src/client/shown-name.ts';

it('shows what turns the direction, and leaves everything else', () => {
  expect(shownName('prices\u202Egnp.exe')).toBe(String.raw`prices\u202egnp.exe`);
  expect(shownName('\u2066a\u2069\u200F\u061C')).toBe(String.raw`\u2066a\u2069\u200f\u061c`);
  for (const name of ['Prices é 価格', 'أسعار', 'מחירים 2026', String.raw`a\u202e`, '👩‍👩‍👧'])
    expect(shownName(name)).toBe(name);
});
