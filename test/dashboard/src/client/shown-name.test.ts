// Names with characters that turn the direction of text.
import { expect, it } from 'vitest';
import { safeText } from '../../../../core/text/safe-text.ts';
import { shownName } from '../../../../dashboard/src/client/shown-name.ts';

it('shows what turns the direction, and leaves everything else', () => {
  expect(shownName('prices\u202Egnp.exe')).toBe(String.raw`prices\u202egnp.exe`);
  expect(shownName('\u2066a\u2069\u200F\u061C')).toBe(String.raw`\u2066a\u2069\u200f\u061c`);
  for (const name of ['Prices é 価格', 'أسعار', 'מחירים 2026', String.raw`a\u202e`, '👩‍👩‍👧'])
    expect(shownName(name)).toBe(name);
});

it('escapes what mails, commands and the consent page escape', () => {
  const all = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).join('');
  const last = String.fromCharCode(...Array.from({ length: 0x2000 }, (_, at) => 0xe000 + at));
  for (const text of [all, last]) expect(shownName(text) === safeText(text)).toBe(true);
});
