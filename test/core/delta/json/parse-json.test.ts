// Rows out of JSON documents: where they stand, what is around them, and what is not a document.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';
import type { ReadOptions } from '../../../../core/delta/read-rows.ts';
import { outcomeOf, readBody } from '../read-body.ts';
import { table, writeJsonl } from '../tables.ts';

const dataOf = async (body: string, options = {}, chunkBytes = Infinity) =>
  (await readBody(body, options, chunkBytes)).rows.map(({ data }) => data);
const pathOf = async (body: string, options = {}) => (await readBody(body, options)).dialect.rowsPath;

describe('the rows of a document', () => {
  test.each([
    ['are the array at the root', ' [ {"a":1} , {"a":{"b":2}}\n]\n', {}],
    ['or where rowsPath leads', '{"x":[{"c":0},{},{}],"r":[{"a":1},{"a":{"b":2}}]}', { rowsPath: 'r' }],
    ['through objects', '{"d":{"e":{"r":[{"a":1},{"a":{"b":2}}]}}}', { rowsPath: 'd.e.r' }],
    [
      'a dot in a name is a step like any other',
      '{"d.e":{"r":[{"a":1},{"a":{"b":2}}]}}',
      { rowsPath: 'd.e.r' },
    ],
    [
      'any text around them',
      '{"n":-1.5e3,"t":[1,{"r":[]}],"r":[{"a":1},{"a":{"b":2}}],"z":{}}',
      { rowsPath: 'r' },
    ],
  ])('%s', async (_, body, options) => {
    for (const chunkBytes of [1, 7, Infinity])
      expect(await dataOf(body, options, chunkBytes)).toEqual(['{"a":1}', '{"a.b":2}']);
  });

  test.each([
    ['the only array of objects', '{"n":[1,2,3],"a":{"rows":[{"id":1}]}}', 'a.rows'],
    ['the longest one', '{"a":[{"x":1}],"b":[{"x":1},{"x":2}],"c":[{"x":1}]}', 'b'],
    ['the first of the longest', '{"a":[{"x":1}],"b":[{"x":1}]}', 'a'],
    ['not one with other values in it', '{"a":[{"x":1},2,3],"b":[{"x":1}]}', 'b'],
    ['not one inside of a row', '{"a":[{"x":[{},{},{}]}]}', 'a'],
    ['also from a document on one line', '{"a":[{"x":1}]}\n', 'a'],
    ['an empty one, if there is no other', '{"total":0,\n"a":[],"n":[1]}', 'a'],
  ])('are found: %s', async (_, body, rowsPath) => {
    expect(await pathOf(body)).toBe(rowsPath);
  });

  test('a root array is never looked into', async () => {
    expect(await pathOf('[{"a":[{"x":1},{"x":2}]}]')).toBe('');
  });

  test('an empty path leads to the root, and nowhere else', async () => {
    expect(await pathOf('[{"x":1}]', { rowsPath: '' })).toBe('');
    const nested = await outcomeOf('{"a":[{"x":1}]}', { format: 'json', rowsPath: '' });
    expect(nested).toMatch(/no array of objects at the root/);
  });

  test('the other arrays are reported', async () => {
    const { warnings } = await readBody('{"a":[{"x":1}],"b":{"c":[{"x":1},{"x":2}]},"d":[{}]}');
    expect(warnings).toEqual([{ code: 'other_arrays', count: 2, samples: ['a (1)', 'd (1)'] }]);
  });

  describe('regression: every check warns of arrays that are not read', () => {
    const ROWS = '"r":[{"x":1},{"x":2},{"x":3}]';
    const otherArrays = async (body: string, options = {}, chunkBytes = Infinity): Promise<string[]> =>
      (await readBody(body, options, chunkBytes)).warnings.flatMap(({ code, samples }) =>
        code === 'other_arrays' ? samples : [code],
      );

    test.each([
      ['before the rows', `{"a":[{"p":5}],${ROWS}}`, ['a (1)']],
      ['after the rows', `{${ROWS},"a":[{"p":5},{"p":6}]}`, ['a (2)']],
      ['on both sides', `{"a":[{"p":5}],${ROWS},"b":[{}]}`, ['a (1)', 'b (1)']],
      ['inside of objects', `{"d":{"e":{"a":[{"p":5}]}},${ROWS}}`, ['d.e.a (1)']],
      ['with arrays in their elements', `{"a":[{"p":[{},{}]}],${ROWS}}`, ['a (1)']],
      ['with space around', `{ "a" : [ {"p":5} ,\n{"p":6} ] , ${ROWS} }`, ['a (2)']],
      ['of values', `{"a":[1,2],"b":[{"p":5},1],"c":[[{}]],${ROWS}}`, []],
      ['without elements', `{"a":[],${ROWS}}`, []],
      ['inside of rows', '{"r":[{"x":[{"p":1},{"p":2}]}]}', []],
      ['with the name of the rows elsewhere', `{"d":{"r":[{"p":5}]},${ROWS}}`, ['d.r (1)']],
    ])('%s', async (_what, body, told) => {
      const { dialect } = await readBody(body);
      expect(dialect.rowsPath).toBe('r');
      for (const chunkBytes of [1, 7, Infinity]) {
        expect(await otherArrays(body, {}, chunkBytes)).toEqual(told);
        expect(await otherArrays(body, { dialect }, chunkBytes)).toEqual(told);
        // The owner has chosen.
        expect(await otherArrays(body, { rowsPath: 'r' }, chunkBytes)).toEqual([]);
        expect(await otherArrays(body, { rowsPath: 'r', dialect }, chunkBytes)).toEqual([]);
      }
    });

    test('an array that comes later', async () => {
      const { dialect, warnings } = await readBody(`{${ROWS}}`);
      expect(warnings).toEqual([]);
      expect(await otherArrays(`{${ROWS},"a":[{"p":5}]}`, { dialect })).toEqual(['a (1)']);
    });
  });

  test('a found path stays, whatever array is longer later', async () => {
    const { dialect } = await readBody('{"a":[{"x":1}],"b":[]}');
    const later = '{"a":[{"x":2}],"b":[{"x":3},{"x":4}]}';
    const told = { code: 'other_arrays', count: 1, samples: ['b (2)'] };
    expect(await readBody(later, { dialect })).toMatchObject({
      rows: [{ data: '{"x":2}' }],
      warnings: [told],
    });
    expect(await outcomeOf('{"b":[{"x":3}]}', { dialect })).toMatch(/no array of objects at “a”/);
    expect(await outcomeOf('[{"x":3}]', { dialect })).toMatch(/no array of objects at “a”/);
  });
});

const named = { format: 'json' } as const;

describe('not a table', () => {
  test.each<[string, string, RegExp, Partial<ReadOptions>?]>([
    ['one object', '{"a":1,\n"b":{"c":[1]}}', /malformed_body: .* no array of objects .*jsonl/],
    ['one object, named JSON', '{"a":1}', /no array of objects/, { contentType: 'application/json' }],
    [
      'objects one after the other',
      '{"a":1}{"a":2}',
      /More follows .* at character 8\. .*jsonl/,
      { contentType: 'text/json' },
    ],
    ['an array, and more', '[{"a":1}]\n[{"a":2}]', /More follows .* at character 11/],
    ['a list of numbers', '[1,2]', /At row 1 there is no JSON object/],
    ['a list of lists', '[["a"],[1]]', /At row 1 there is no JSON object/],
    ['a number among the rows', '[{"a":1},2]', /At row 2 there is no JSON object/],
    ['a scalar', '12', /no array of objects at the root/, named],
    ['nothing', ' \n', /ended before .*the document/, named],
    ['rows elsewhere', '{"a":[{"x":1}]}', /no array of objects at “b”/, { rowsPath: 'b' }],
    ['a value where the rows should be', '{"a":{"x":1}}', /no array of objects at “a”/, { rowsPath: 'a' }],
    ['an array in an array', '{"a":[[{"x":1}]]}', /no array of objects at “a.0”/, { rowsPath: 'a.0' }],
    ['a member without a name is not the root', '{"":[{"x":1}]}', /at the root/, { rowsPath: '' }],
    [
      'rows that come twice',
      '{"a":[{"x":1}],"a":[]}',
      /“a” leads to the rows and comes twice, again at character 16/,
    ],
    [
      'rows whose parent comes twice',
      '{"d":{"a":[{"x":1}]},"d":null}',
      /“d” leads to the rows and comes twice/,
    ],
    [
      'rows at two paths with one name',
      '{"d":{"a":[]},"d.a":[]}',
      /There are two arrays at “d.a”/,
      { rowsPath: 'd.a' },
    ],
  ])('%s', async (_, body, words, options: Partial<ReadOptions> = {}) => {
    expect(await outcomeOf(body, options)).toMatch(words);
  });
});

describe('a damaged document', () => {
  test.each([
    ['[{"a":1},{"a":x}]', 'malformed_body', /row 2, character 15\./],
    ['{"n":tru,"r":[{"a":1}]}', 'malformed_body', /at character 6\./],
    ['{"n":{"m":1]},"r":[{"a":1}]}', 'malformed_body', /at character 12\./],
    ['{"n" 1,"r":[{"a":1}]}', 'malformed_body', /at character 6\./],
    ['{"r":[{"a":1}],}', 'malformed_body', /at character 16\./],
    ['{"r":[{"a":1},]}', 'malformed_body', /at row 2, character 15\./],
    ['{"r":[{"a":1}{"a":2}]}', 'malformed_body', /at character 14\./],
    ['{"r":[{"a":1]}', 'malformed_body', /row 1, character 13\./],
    ['{"n":"\\ud800","r":[{"a":1}]}', 'invalid_character', /at character 6\./],
    ['{"n":"\0","r":[{"a":1}]}', 'invalid_character', /NUL, in the value at character 6\./],
    ['{"\\u0000":1,"r":[{"a":1}]}', 'invalid_character', /at character 2\./],
    ['{"r":[{"a":1},{"a":"\0"}]}', 'invalid_character', /NUL, in row 2\./],
    ['{"r":[{"a":1},{"a":"\\u0000"}]}', 'invalid_character', /row 2, character 20\./],
    ['{"n":"\u0007","r":[{"a":1}]}', 'malformed_body', /at character 7\./],
    [`${'{"a":'.repeat(65)}1`, 'malformed_body', /Nested too deep at character 321\./],
    [`{"n":[${'['.repeat(65)}${']'.repeat(65)}]}`, 'malformed_body', /Nested too deep at character/],
  ])('is refused with the location: %j', async (body, code, words) => {
    const options = { format: 'json', rowsPath: 'r' } as const;
    const given = body.startsWith('[') ? { ...options, rowsPath: '' } : options;
    for (const chunkBytes of [1, Infinity]) {
      const reading = readBody(body, given, chunkBytes);
      await expect(reading).rejects.toMatchObject({ name: 'CheckError', code });
      await expect(reading).rejects.toThrow(words);
    }
  });

  const whole = '{"n":{"m":[1,"x",null]},"r":[{"id":1,"a":{"b":"é\\n"}},{"id":2,"a":-1.5e3}],"z":true}';

  test('is never half a table, wherever it is truncated', async () => {
    for (let length = 0; length < whole.length; length++) {
      const reading = readBody(whole.slice(0, length), { format: 'json', rowsPath: 'r', keyFields: ['id'] });
      await expect(reading, `cut at ${length}`).rejects.toMatchObject({ code: 'body_truncated' });
    }
  });

  test('only the damage is reported, not the text there', async () => {
    for (const body of ['[{"a":hunter2}]', '{"r":hunter2}', '[{"a":"hunter2'])
      expect(await outcomeOf(body, { format: 'json' })).not.toContain('hunter2');
  });
});

describe('properties', () => {
  const around = fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }).map((value) => JSON.stringify(value));
  const holders = fc.constantFrom<[string, (rows: string, other: string) => string]>(
    ['', (rows) => rows],
    ['r', (rows, other) => `{"x":${other},"r":${rows},"y":${other}}`],
    ['a.r', (rows, other) => `{"a":{"x":${other},"r":${rows}} , "y":${other}}`],
  );

  test(
    'a document holds the rows that JSONL holds, at any path, in chunks of any size',
    PROPERTY_TIMEOUT,
    async () => {
      const property = fc.asyncProperty(
        table,
        holders,
        around,
        fc.integer({ min: 1, max: 40 }),
        async (given, [rowsPath, hold], other, chunkBytes) => {
          const lines = writeJsonl(given, { lineEnd: '\n', isSpaced: true, escapeAll: chunkBytes > 20 });
          const document = hold(`[${lines.trimEnd().replaceAll('\n', ',\n')}]`, other);
          const wanted = await readBody(lines, { keyFields: ['id'], format: 'jsonl' });
          const got = await readBody(document, { keyFields: ['id'], format: 'json', rowsPath }, chunkBytes);
          expect(got.rows).toEqual(wanted.rows);
          expect(got.columns).toEqual(wanted.columns);
        },
      );
      await fc.assert(property, propertyRuns());
    },
  );

  const pieces =
    '{ } [ ] , : "a" "r" "a":1 {"a":1} {"a":1},{"a":2} "r":[ \\ " \\" 1 -1. tru null {"n":[{}]}, \\u0000 \n';
  const soup = fc
    .array(fc.constantFrom(...pieces.split(' ')), { maxLength: 12 })
    .map((parts) => parts.join(''));

  test(
    'any text is rows or a typed error, the same in chunks of any size, and rows only if JSON.parse finds them',
    PROPERTY_TIMEOUT,
    async () => {
      const property = fc.asyncProperty(soup, fc.constantFrom('', 'r'), async (text, rowsPath) => {
        const options = { format: 'json', rowsPath, keyFields: [] } as const;
        const whole = await outcomeOf(text, options);
        expect(await outcomeOf(text, options, 1)).toEqual(whole);
        expect(await outcomeOf(text, options, 3)).toEqual(whole);
        expect(typeof whole === 'string' || whole.length === rowsOf(JSON.parse(text), rowsPath).length).toBe(
          true,
        );
      });
      await fc.assert(property, propertyRuns(3_000));
    },
  );
});

function rowsOf(document: unknown, rowsPath: string): unknown[] {
  const rows = rowsPath === '' ? document : Object.getOwnPropertyDescriptor(document, rowsPath)?.value;
  if (!Array.isArray(rows)) throw new Error('JSON.parse finds no array there');
  return rows;
}
