// Rows as JSON Lines: the stored text of each on one line.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonLines } from '../../../core/export/json-lines.ts';
import { pageOf, sheet } from './rows.ts';

const toText = (texts: readonly string[]): string => Buffer.from(jsonLines(pageOf(texts))).toString();

it('are the stored texts, byte for byte', () => {
  fc.assert(
    fc.property(sheet, ({ texts }) => {
      expect(toText(texts)).toBe(texts.map((text) => `${text}\n`).join(''));
    }),
    { numRuns: 500 },
  );
});

it('stay one line each even if their white space contains line ends', () => {
  const text = '{"a":[1,\r\n 2],\n"b":"x\\ny"}';
  expect(toText([text, '{}'])).toBe('{"a":[1,   2], "b":"x\\ny"}\n{}\n');
});
