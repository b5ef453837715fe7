// Decodes bytes by charset and byte order mark, in chunks of any size.
import { describe, expect, test } from 'vitest';
import { decodeText, readPrefix } from '../../../core/delta/decode-text.ts';
import { collect, cut } from './read-body.ts';

const TEXT = 'aé€😀\n';
const decode = async (bytes: Uint8Array, charset?: string, chunkBytes = 1) => {
  const open = () => cut(bytes, chunkBytes);
  return (await collect(decodeText(open(), charset, open))).join('');
};

describe('decodeText', () => {
  test.each([
    ['UTF-8', Buffer.from(TEXT), undefined],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`), undefined],
    ['UTF-16 by its mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le'), 'utf-8'],
    ['UTF-16 the other way round', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16(), undefined],
    ['UTF-16 by charset', Buffer.from(TEXT, 'utf16le'), 'utf-16le'],
    ['a mark that contradicts the charset', Buffer.from(`\ufeff${TEXT}`), 'windows-1252'],
  ])('%s', async (_, bytes, charset) => {
    expect(await decode(bytes, charset)).toBe(TEXT);
    expect(await decode(bytes, charset, Infinity)).toBe(TEXT);
  });

  test('decodes legacy charsets', async () => {
    expect(await decode(Buffer.of(0x80, 0xe9), 'ISO-8859-1')).toBe('€é');
    expect(await decode(Buffer.of(0x82, 0xa0), 'shift_jis')).toBe('あ');
  });

  test('a byte order mark alone and an empty body give no text', async () => {
    expect(await decode(Buffer.from('\ufeff'))).toBe('');
    expect(await decode(Buffer.alloc(0))).toBe('');
  });

  test('no chunk ends inside a surrogate pair', async () => {
    for (const chunk of await collect(decodeText(cut(Buffer.from(`\ufeff${TEXT}`, 'utf16le'), 3)))) {
      expect(chunk.isWellFormed()).toBe(true);
    }
  });

  test.each([
    ['an invalid byte', Buffer.from('a\xe9b', 'latin1'), 'utf-8', 1],
    ['an invalid byte after a mark', Buffer.from('\xef\xbb\xbfa\xffb', 'latin1'), 'utf-8', 4],
    [
      'an invalid byte far into the body',
      Buffer.concat([Buffer.from('é'.repeat(9_999)), Buffer.of(0xff)]),
      'utf-8',
      19_998,
    ],
    ['a surrogate in UTF-8', Buffer.of(0x61, 0xed, 0xa0, 0x80), 'utf-8', 1],
    ['half a surrogate pair in UTF-16', Buffer.of(0x61, 0, 0, 0xd8, 0x61, 0), 'utf-16le', 2],
    ['a character cut off at the end', Buffer.from('ab😀').subarray(0, 5), 'utf-8', 2],
    ['a byte that Shift_JIS does not have', Buffer.of(0x61, 0x82, 0xa0, 0xff), 'shift_jis', 3],
  ])('refuses %s, with its offset', async (_, bytes, charset, offset) => {
    for (const chunkBytes of [1, 2, 3, 4_096, Infinity]) {
      const reading = decode(bytes, charset, chunkBytes);
      await expect(reading).rejects.toMatchObject({ code: 'encoding_invalid' });
      await expect(reading).rejects.toThrow(new RegExp(`at byte ${offset}[.:]`));
    }
  });

  test('refuses an unknown charset', async () => {
    await expect(decode(Buffer.from('a'), 'klingon-1')).rejects.toMatchObject({ code: 'encoding_invalid' });
  });
});

describe('readPrefix', () => {
  test('is all of a short body', async () => {
    const prefix = await readPrefix(cut(Buffer.from(TEXT), 2));
    expect(prefix).toEqual({ text: TEXT, charset: 'utf-8', hasMark: false, isWhole: true });
  });

  test('is 64 KiB of a long one, cut at a character', async () => {
    const prefix = await readPrefix(cut(Buffer.from(`a${'é'.repeat(50_000)}`), 1_000));
    expect(prefix).toEqual({
      text: `a${'é'.repeat(32_767)}`,
      charset: 'utf-8',
      hasMark: false,
      isWhole: false,
    });
  });
});
