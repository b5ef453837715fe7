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

it.each(['ਪੰਜਾਬਕ', 'ગુજરાતી', 'കേരളം', 'සිංහල', '上', '不上'])(
  'regression: a value that ends as %s is not mistaken for a line end in UTF-16',
  async (value) => {
    for (const [text, expected] of [
      [`id,name\n1,${value}`, false],
      [`id,name\n1,${value}\n`, true],
      [`id,name\n1,${value}\r\n\u001A`, true],
      [`id,name\n1,${value}\u001A`, false],
    ] as const) {
      const marked = Buffer.from(`\ufeff${text}`, 'utf16le');
      for (const body of [marked, marked.subarray(2)])
        for (const each of [body, Buffer.from(body).swap16()])
          expect(await hasLineEnd(readChunks(cut(each, 3)), each.length)).toBe(expected);
    }
  },
);

it('regression: finds the end of every character of UTF-16 that has a byte of a line end', async () => {
  const wrong: string[] = [];
  for (let code = 0x100; code <= 0xffff; code++) {
    const isHalf = [code & 0xff, code >> 8].some((byte) => byte === 10 || byte === 13 || byte === 26);
    // The reader refuses surrogates without their other half; in the other order these three are ASCII.
    if (!isHalf || (code >= 0xd800 && code <= 0xdfff) || [0xa00, 0xd00, 0x1a00].includes(code)) continue;
    const body = Buffer.from(`id\n${String.fromCharCode(code)}`, 'utf16le');
    for (const each of [body, Buffer.from(body).swap16()])
      if (await hasLineEnd(readChunks(cut(each, Infinity)), each.length)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});
