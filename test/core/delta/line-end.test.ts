// Whether a text ends in a line end, by its last bytes.
import { expect, it } from 'vitest';
import { hasLineEnd } from '../../../core/delta/line-end.ts';
import { readChunks } from '../../../core/delta/raw/read-at.ts';
import { cut } from './read-body.ts';

it.each([
  ['id\n1\n', true],
  ['id\r\n1\r\n', true],
  ['id\r1\r', true],
  ['id\n1\n\n', true],
  ['id\n1', false],
  ['id\n1 ', false],
  ['id\n"1\n"', false],
  ['\n', true],
  ['', false],
  // The mark of DOS belongs to no row.
  ['id\n1\n\u001A', true],
  ['id\n1\u001A', false],
  ['\u001A', false],
])('%j: %s', async (text, expected) => {
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  for (const body of [Buffer.from(text), utf16, Buffer.from(utf16).swap16()])
    for (const chunkBytes of [1, 3, Infinity])
      expect(await hasLineEnd(readChunks(cut(body, chunkBytes)), body.length)).toBe(expected);
});
