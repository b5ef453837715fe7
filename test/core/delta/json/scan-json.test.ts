// The strict JSON reader against JSON.parse, and what it knows beyond it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonScanError, scanJson, tokenOf } from '../../../../core/delta/json/scan-json.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';

const MAX_DEPTH = 64;
const canonical = (text: string): string => tokenOf(scanJson(text, MAX_DEPTH).root);

function faultOf(text: string): string {
  try {
    scanJson(text, MAX_DEPTH);
    return 'none';
  } catch (error) {
    if (error instanceof JsonScanError) return error.fault;
    throw error;
  }
}

interface Verdict {
  accepted: unknown;
}

function verdictOfScan(text: string): Verdict | 'refused' {
  return faultOf(text) === 'none' ? { accepted: JSON.parse(canonical(text)) } : 'refused';
}

/** JSON.parse, less the strings that no row can hold: even in members that a later one replaces. */
function verdictOfParse(text: string): Verdict | 'refused' {
  let accepted: unknown;
  try {
    accepted = JSON.parse(text);
  } catch {
    return 'refused';
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"/gs) ?? [];
  const strings = tokens.map((token) => String(JSON.parse(token)));
  return strings.every((string) => string.isWellFormed() && !string.includes('\0'))
    ? { accepted }
    : 'refused';
}

describe('scanJson against JSON.parse', () => {
  const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 });
  const spaced = fc
    .tuple(json, fc.constantFrom(undefined, 1, '\t', '\n'))
    .map(([value, space]) => JSON.stringify(value, null, space));

  test('reads the same value', PROPERTY_TIMEOUT, () => {
    fc.assert(
      fc.property(spaced, (text) => {
        expect(verdictOfScan(text)).toEqual(verdictOfParse(text));
      }),
      propertyRuns(2_000),
    );
  });

  const piece = fc.constantFrom(
    ...'{ } [ ] , : " \\ - + . e E 0 1 23 true false null nul \\u00 \\ud83d \\ude00 \\n / é 😀 {"a": [1, "b" 1.5e-3'.split(
      ' ',
    ),
    ' ',
    '\n',
    '\u0001',
    '\u007f',
    '\u00a0',
    '\u2028',
    '\ud800',
  );
  const mutated = fc
    .tuple(spaced, fc.array(fc.tuple(fc.nat(1_000), fc.nat(2), piece), { minLength: 1, maxLength: 3 }))
    .map(([text, edits]) =>
      edits.reduce(
        (old, [at, cut, put]) =>
          old.slice(0, at % (old.length + 1)) + put + old.slice((at % (old.length + 1)) + cut),
        text,
      ),
    );
  const soup = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

  test('accepts and refuses the same damaged texts', PROPERTY_TIMEOUT, () => {
    fc.assert(
      fc.property(fc.oneof(mutated, soup), (text) => {
        expect(verdictOfScan(text)).toEqual(verdictOfParse(text));
      }),
      propertyRuns(10_000),
    );
  });
});

describe('scanJson beyond JSON.parse', () => {
  test.each(['1.10', '10000000000000000999', '-0', '1e2', '1E400', '0.1e-7', '1.000000000000000005'])(
    'keeps the number %s as written',
    (text) => {
      expect(canonical(text)).toBe(text);
      expect(canonical(`[ ${text} ]`)).toBe(`[${text}]`);
    },
  );

  test('escapes only what must be escaped', () => {
    expect(canonical(String.raw`"\u0041\/\u00e9\ud83d\ude00\u000a\u001F\""`)).toBe(
      String.raw`"A/é😀\n\u001f\""`,
    );
  });

  test('sorts the members of objects in arrays by UTF-8 bytes', () => {
    expect(canonical('[{"b":1,"a":{"d":[ ],"c":{}},"😀":2,"！":3}]')).toBe(
      '[{"a":{"c":{},"d":[]},"b":1,"！":3,"😀":2}]',
    );
  });

  test('the last of repeated members counts, whole', () => {
    const { root, duplicates } = scanJson(
      String.raw`{"a":{"x":1},"b":2,"\u0061":{"y":3},"a":{"z":4}}`,
      MAX_DEPTH,
    );
    expect(tokenOf(root)).toBe('{"a":{"z":4},"b":2}');
    expect(duplicates).toEqual(['a', 'a']);
  });

  test('members named like parts of JavaScript objects are ordinary', () => {
    const { root } = scanJson('{"__proto__":{"polluted":1},"constructor":2,"toString":3}', MAX_DEPTH);
    expect(tokenOf(root)).toBe('{"__proto__":{"polluted":1},"constructor":2,"toString":3}');
    expect('polluted' in {}).toBe(false);
  });

  test.each([
    ['NUL, escaped', String.raw`"a\u0000"`],
    ['NUL, raw', '"a\0"'],
    ['half a surrogate pair, escaped', String.raw`"\ud800"`],
    ['a pair the wrong way round', String.raw`"\ude00\ud83d"`],
    ['half a surrogate pair in a name', String.raw`{"\udfff":1}`],
    ['half a surrogate pair, raw', '"\ud800"'],
  ])('refuses %s', (_, text) => {
    expect(faultOf(text)).toBe('character');
  });

  test('refuses what nests deeper than the limit, and only that', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(faultOf(nested(MAX_DEPTH))).toBe('none');
    expect(faultOf(nested(MAX_DEPTH + 1))).toBe('depth');
    expect(faultOf('{"a":'.repeat(1_000_000))).toBe('depth');
  });

  test('reads a string of many megabytes', () => {
    const long = `"${'x'.repeat(8_000_000)}"`;
    expect(canonical(long)).toBe(long);
    expect(canonical(long.replace(/"$/, String.raw`\u0041"`)).length).toBe(long.length + 1);
  });

  test('says where a text is invalid', () => {
    expect(() => scanJson('{"a": tru}', MAX_DEPTH)).toThrow(
      expect.objectContaining({ fault: 'syntax', offset: 6 }),
    );
    expect(() => scanJson('{"a": "b', MAX_DEPTH)).toThrow(
      expect.objectContaining({ fault: 'syntax', offset: 8 }),
    );
  });
});
