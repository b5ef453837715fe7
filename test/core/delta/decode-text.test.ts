// Bytes to text, by charset and byte order mark, whatever the chunks.
import { describe, expect, test } from 'vitest';
import { decodeText, readHead } from '../../../core/delta/decode-text.ts';
import { collect, cut } from './read-body.ts';

const TEXT = 'aé€😀\n';
const decode = async (bytes: Uint8Array, charset?: string, chunkBytes = 1) =>
  (await collect(decodeText(cut(bytes, chunkBytes), charset))).join('');

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

  test('old charsets', async () => {
    expect(await decode(Buffer.of(0x80, 0xe9), 'ISO-8859-1')).toBe('€é');
    expect(await decode(Buffer.of(0x82, 0xa0), 'shift_jis')).toBe('あ');
  });

  test('a mark alone and nothing at all are empty', async () => {
    expect(await decode(Buffer.from('\ufeff'))).toBe('');
    expect(await decode(Buffer.alloc(0))).toBe('');
  });

  test('no chunk ends inside a surrogate pair', async () => {
    for (const chunk of await collect(decodeText(cut(Buffer.from(`\ufeff${TEXT}`, 'utf16le'), 3)))) {
      expect(chunk.isWellFormed()).toBe(true);
    }
  });

  test.each([
    ['an invalid byte', Buffer.from('a\xe9b', 'latin1'), 'utf-8'],
    ['a surrogate in UTF-8', Buffer.of(0x61, 0xed, 0xa0, 0x80), 'utf-8'],
    ['half a surrogate pair in UTF-16', Buffer.of(0x61, 0, 0, 0xd8, 0x61, 0), 'utf-16le'],
    ['a character cut off at the end', Buffer.from('a😀').subarray(0, 4), 'utf-8'],
    ['an unknown charset', Buffer.from('a'), 'klingon-1'],
  ])('refuses %s', async (_, bytes, charset) => {
    await expect(decode(bytes, charset)).rejects.toMatchObject({ code: 'encoding_invalid' });
    await expect(decode(bytes, charset, Infinity)).rejects.toMatchObject({ code: 'encoding_invalid' });
  });
});

describe('readHead', () => {
  test('is the whole of a short body', async () => {
    const head = await readHead(cut(Buffer.from(TEXT), 2));
    expect(head).toEqual({ text: TEXT, charset: 'utf-8', isWhole: true });
  });

  test('is 64 KiB of a long one, cut at a character', async () => {
    const head = await readHead(cut(Buffer.from(`a${'é'.repeat(50_000)}`), 1_000));
    expect(head).toEqual({ text: `a${'é'.repeat(32_767)}`, charset: 'utf-8', isWhole: false });
  });
});
