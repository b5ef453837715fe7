// JSON whose numbers keep their spelling.
import { expect, it } from 'vitest';
import { isExactNumber, parseExactly } from '../../../core/text/exact-json.ts';

it.each(['1', '10000000000000000999', '1.10', '-0', '1e2', '{"a":[1.0,"1.0",null]}'])(
  'prints %s as it was written',
  (text) => {
    expect(JSON.stringify(parseExactly(text))).toBe(text);
  },
);

it('knows the numbers that JavaScript would print differently', () => {
  expect(isExactNumber(parseExactly('1.10'))).toBe(true);
  expect(isExactNumber(parseExactly('1.1'))).toBe(false);
});
