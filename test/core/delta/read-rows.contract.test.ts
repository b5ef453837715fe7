// The rules about data, each quoted, for every format that it covers.
import { describe, expect, test } from 'vitest';
import { compare } from '../../../core/delta/compare.ts';
import type { Cell } from '../../../core/delta/model.ts';
import type { ReadOptions } from '../../../core/delta/read-rows.ts';
import { isSharpDrop } from '../../../core/sharp-drop.ts';
import { outcomeOf, readBody } from './read-body.ts';

type Options = Partial<ReadOptions>;
type Body = string | Buffer;

const BY_ID: Options = { keyFields: ['id'] };
/** Longer than the part of a body in which its format is detected, and on one line. */
const LONG_LIST = JSON.stringify(Array.from({ length: 12_000 }, (_, id) => ({ id, name: `row ${id}` })));

/** The keys of rows that differ between two bodies, and the number of equal rows. */
async function changesBetween(before: Body, after: Body, options: Options = BY_ID) {
  const [old, current] = await Promise.all([readBody(before, options), readBody(after, options)]);
  const delta = compare(old.rows, current.rows);
  return {
    new: delta.new.map(({ key }) => key),
    changed: delta.changed.map(({ key, changedFields }) => `${key}: ${changedFields.join(' ')}`),
    deleted: delta.deleted.map(({ key }) => key),
    unchanged: delta.unchanged,
  };
}

const noChange = (unchanged: number) => ({ new: [], changed: [], deleted: [], unchanged });
const dataOf = async (body: Body, options: Options = BY_ID) =>
  (await readBody(body, options)).rows.map(({ data }) => data);
const warningsOf = async (body: Body, options: Options = BY_ID) => (await readBody(body, options)).warnings;

/** One table in every format. A cell is a JSON token, or a string in delimited text. */
function tableAs(columns: string[], rows: Cell[][]): { format: string; body: string }[] {
  const objects = rows.map(
    (cells) =>
      `{${cells.flatMap((cell, at) => (cell === undefined ? [] : [`${JSON.stringify(columns[at])}:${cell}`])).join(',')}}`,
  );
  const field = (cell: Cell): string => `"${String(JSON.parse(cell ?? '""')).replaceAll('"', '""')}"`;
  const lines = (delimiter: string): string =>
    [columns.map((column) => JSON.stringify(column)), ...rows]
      .map((cells) => cells.map(field).join(delimiter))
      .join('\n');
  return [
    { format: 'csv', body: `${lines(',')}\n` },
    { format: 'csv with semicolons', body: `${lines(';')}\n` },
    { format: 'tsv', body: `${lines('\t')}\n` },
    { format: 'jsonl', body: `${objects.join('\n')}\n` },
    { format: 'json', body: `[${objects.join(',\n')}]` },
    { format: 'json at a path', body: `{"at":"x","data":{"rows":[${objects.join(',')}]}}` },
  ];
}

describe('a parse problem is never a deletion', () => {
  const good = tableAs(
    ['id', 'a'],
    Array.from({ length: 30 }, (_, n) => [`"${n}"`, '"x, y"']),
  );

  test.each(good)(
    'a truncated body fails the check, or gives all lines before the cut: $format',
    async ({ format, body }) => {
      const { dialect } = await readBody(body, BY_ID);
      for (let length = 1; length < body.length - 1; length++) {
        const outcome = await outcomeOf(body.slice(0, length), { ...BY_ID, dialect });
        // Delimited text cut after a line, or inside an unquoted field, looks like a shorter table. The transfer's length and
        // the check for sharp drops detect that.
        const isTold =
          typeof outcome === 'string' && /^(body_truncated|missing_key_field|empty_body)/.test(outcome);
        const isWholeLine = !format.startsWith('json ') && format !== 'json' && Array.isArray(outcome);
        expect({ length, isTold: isTold || isWholeLine }).toEqual({ length, isTold: true });
      }
    },
  );

  test.each([
    ['HTML in place of data', 'unexpected_content', '<!doctype html><title>Sign in</title>', {}],
    ['XML in place of data', 'unexpected_content', '<?xml version="1.0"?><Error/>', {}],
    ['a JSON error in place of a table', 'malformed_body', '{"error":"quota"}', { format: 'csv' }],
    ['a long list in place of a table', 'malformed_body', LONG_LIST, { format: 'csv' }],
    ['a long document in place of a table', 'malformed_body', `{"rows":${LONG_LIST}}`, { format: 'tsv' }],
    ['a JSON error in place of a list', 'malformed_body', '{"error":"quota"}', { format: 'json' }],
    ['a missing key column', 'missing_key_field', 'sku,a\n1,x\n', {}],
    ['a missing key member', 'missing_key_field', '[{"sku":1}]', {}],
    ['a decoding error', 'encoding_invalid', Buffer.from('id,a\n1,\xff\n', 'latin1'), {}],
    ['a size limit', 'row_too_large', `id,a\n1,${'x'.repeat(2 ** 20 + 1)}\n`, {}],
    ['a body without anything', 'empty_body', '', { format: 'csv' }],
    ['a body without anything', 'body_truncated', '', { format: 'json' }],
  ] as const)('%s fails the check: %s', async (_, code, body, options) => {
    await expect(readBody(body, { ...BY_ID, ...options })).rejects.toMatchObject({
      name: 'CheckError',
      code,
    });
  });

  test('“a sharp drop in rows (more than half, from 20 rows up) is held”', () => {
    expect(
      isSharpDrop({ before: 20, now: 9, held: null, rejected: null, heldBeforeMs: null, recheckMs: 0 }),
    ).toBe(true);
    expect(
      isSharpDrop({ before: 20, now: 10, held: null, rejected: null, heldBeforeMs: null, recheckMs: 0 }),
    ).toBe(false);
    expect(
      isSharpDrop({ before: 19, now: 1, held: null, rejected: null, heldBeforeMs: null, recheckMs: 0 }),
    ).toBe(false);
  });
});

describe('“the dialect is fixed after the first good check; what differs later is an error, never silent”', () => {
  const written = tableAs(
    ['id', 'a'],
    [
      ['"1"', '"x"'],
      ['"2"', '"y"'],
    ],
  );
  const pairs = written.flatMap((known) =>
    written.flatMap((other) => (other === known ? [] : [[known, other] as const])),
  );

  test.each(pairs.map(([known, other]) => ({ known, other })))(
    '$known.format, then $other.format',
    async ({ known, other }) => {
      const { dialect } = await readBody(known.body, BY_ID);
      const outcome = await outcomeOf(other.body, { ...BY_ID, dialect });
      expect(outcome).toMatch(/^(malformed_body|missing_key_field|body_truncated): /);
    },
  );
});

describe('“values are text-exact”', () => {
  test.each([
    '1.10',
    '10000000000000000999',
    '-0',
    '1e2',
    '1E400',
    '1.000000000000000005',
    '9223372036854775808',
  ])('the number %s of JSON keeps its text', async (number) => {
    expect(await dataOf(`{"id":${number}}\n`)).toEqual([`{"id":${number}}`]);
    expect(await dataOf(`[ {"id": ${number} } ]`)).toEqual([`{"id":${number}}`]);
  });

  test.each(['0042', '1.0', ' 7 ', '1e2', 'NULL', 'true', '+1', '١', '=1+1'])(
    '%j of delimited text is that text',
    async (text) => {
      expect(await dataOf(`id,a\n1,${text}\n`)).toEqual([`{"id":"1","a":${JSON.stringify(text)}}`]);
    },
  );

  test('1, 1.0, 1e0 and "1" are four values', async () => {
    const versions = ['1', '1.0', '1e0', '"1"'].map((token) => `{"id":"k","v":${token}}\n`);
    for (const [at, before] of versions.entries())
      for (const after of versions.slice(at + 1))
        expect(await changesBetween(before, after)).toMatchObject({ changed: ['k: v'] });
  });

  test('NFC and NFD are not the same: “byte-exact, no normalising”', async () => {
    expect.assertions(6);
    const tables = ['caf\u00e9', 'cafe\u0301'].map((name) => tableAs(['id'], [[JSON.stringify(name)]]));
    const [composed = [], decomposed = []] = tables;
    for (const [at, { body }] of composed.entries()) {
      expect(await changesBetween(body, decomposed[at]?.body ?? '')).toMatchObject({
        new: ['cafe\u0301'],
        deleted: ['caf\u00e9'],
      });
    }
  });

  test('nor are columns named in NFC and in NFD', async () => {
    const { columns } = await readBody('[{"id":1,"caf\u00e9":1,"cafe\u0301":2}]', BY_ID);
    expect(columns).toEqual(['id', 'caf\u00e9', 'cafe\u0301']);
  });
});

describe('“missing, null and empty are three things”', () => {
  const versions = [
    '{"id":1}',
    '{"id":1,"a":null}',
    '{"id":1,"a":""}',
    '{"id":1,"a":"null"}',
    '{"id":1,"a":{}}',
    '{"id":1,"a":[]}',
  ];
  const pairs = versions.flatMap((one, at) => versions.slice(at + 1).map((other) => [one, other] as const));

  test.each(pairs)('%s is not %s', async (before, after) => {
    expect(await changesBetween(`${before}\n`, `${after}\n`)).toMatchObject({ changed: ['1: a'] });
    expect(await changesBetween(`[${before}]`, `[${after}]`)).toMatchObject({ changed: ['1: a'] });
  });

  test('a short row of delimited text lacks the column, which is not an empty cell', async () => {
    expect(await changesBetween('id,a\n1\n', 'id,a\n1,\n')).toMatchObject({ changed: ['1: a'] });
  });
});

describe('“column order, quoting, line ends and object key order are not changes”', () => {
  test.each([
    ['column order', 'id,a,b\n1,x,y\n2,z,w\n', 'b,id,a\ny,1,x\nw,2,z\n'],
    ['row order', 'id,a,b\n1,x,y\n2,z,w\n', 'id,a,b\n2,z,w\n1,x,y\n'],
    ['quoting', 'id,a\n1,x\n2,y\n', '"id","a"\n"1",x\n2,"y"\n'],
    ['line ends', 'id,a\n1,x\n2,y\n', 'id,a\r\n1,x\r2,y'],
    ['blank lines', 'id,a\n1,x\n2,y\n', '\n\nid,a\n\n1,x\r\n\r\n2,y\n\n'],
    ['a byte order mark', 'id,a\n1,x\n2,y\n', '\ufeffid,a\n1,x\n2,y\n'],
    ['object key order', '{"id":1,"a":{"b":1,"c":2}}\n{"id":2}\n', '{"a":{"c":2,"b":1},"id":1}\n{"id":2}\n'],
    [
      'key order in lists',
      '{"id":1,"a":[{"b":1,"c":2}]}\n{"id":2}\n',
      '{"id":1,"a":[{"c":2,"b":1}]}\n{"id":2}\n',
    ],
    [
      'white space of JSON',
      '{"id":1,"a":[1,2]}\n{"id":2}\n',
      ' { "id" : 1 , "a" : [ 1 , 2 ] } \r\n\n{"id":2}',
    ],
    [
      'escapes of JSON',
      '{"id":1,"a":"é/😀"}\n{"id":2}\n',
      String.raw`{"id":1,"\u0061":"\u00e9\/\ud83d\ude00"}` + '\n{"id":2}',
    ],
  ])('%s', async (_, before, after) => {
    expect(await changesBetween(before, after)).toEqual(noChange(2));
  });

  test('nor is the encoding', async () => {
    const text = 'id,a\n1,é\n2,😀\n';
    const marked = Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const body of [marked, Buffer.from(marked).swap16()])
      expect(await changesBetween(text, body)).toEqual(noChange(2));
  });

  test('lines, a list and a list at a path contain the same rows', async () => {
    const bodies = tableAs(['id', 'a'], [['1', 'null'], ['2'], ['3', '1.10']]).filter(({ format }) =>
      format.startsWith('json'),
    );
    const rows = await Promise.all(bodies.map(async ({ body }) => (await readBody(body, BY_ID)).rows));
    expect(rows[1]).toEqual(rows[0]);
    expect(rows[2]).toEqual(rows[0]);
  });

  test('the same table of texts is the same rows in every notation', async () => {
    const bodies = tableAs(
      ['id', 'a b'],
      [
        ['"1"', '"x, \\"y\\"\\n;z"'],
        ['"2"', '""'],
        ['"3"', '"\\té😀"'],
      ],
    );
    const hashes = await Promise.all(
      bodies.map(async ({ body }) =>
        (await readBody(body, BY_ID)).rows.map(({ hash }) => hash.toString('hex')),
      ),
    );
    expect(new Set(hashes.map((list) => list.join(' '))).size).toBe(1);
  });
});

describe('“__proto__ is an ordinary column”', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

  test.each(tableAs(['id', ...names], [['"1"', ...names.map((_, n) => `"${n}"`)]]))(
    '$format',
    async ({ body }) => {
      const { columns, rows } = await readBody(body, BY_ID);
      expect(columns).toEqual(['id', ...names]);
      expect(rows.map(({ data }) => data)).toEqual([
        `{"id":"1",${names.map((name, n) => `"${name}":"${n}"`).join(',')}}`,
      ]);
      expect('1' in {}).toBe(false);
    },
  );

  test('also as a key and on a path', async () => {
    const { rows, columns } = await readBody('[{"__proto__":{"id":"constructor","polluted":true}}]', {
      keyFields: ['__proto__.id'],
    });
    expect(rows[0]?.key).toBe('constructor');
    expect(columns).toEqual(['__proto__.id', '__proto__.polluted']);
    expect('polluted' in {}).toBe(false);
  });
});

describe('“NUL or a lone surrogate fails the check (invalid_character), with its place”', () => {
  test.each([
    ['NUL in csv', 'id,a\n1,x\n2,\0\n', /row 3/],
    ['NUL in jsonl', '{"id":1}\n{"id":"\0"}\n', /line 2/],
    ['NUL in json', '[{"id":1},{"id":"\0"}]', /row 2/],
    ['NUL, escaped, in jsonl', '{"id":1}\n{"id":"a\\u0000"}\n', /line 2, character 7/],
    ['NUL, escaped, in json', '[{"id":1},{"id":"a\\u0000"}]', /row 2, character 17/],
    ['NUL, escaped, in a name', '[{"id":1},{"\\u0000":1}]', /row 2, character 12/],
    ['half of a pair in jsonl', '{"id":1}\n{"id":"\\ud83d"}\n', /line 2, character 7/],
    ['half of a pair in json', '[{"id":"\\ude00\\ud83d"}]', /row 1, character 8/],
    ['half of a pair beside the rows', '{"t":"\\ud800","r":[{"id":1}]}', /character 6/],
  ])('%s', async (_, body, location) => {
    expect(await outcomeOf(body, BY_ID)).toMatch(/^invalid_character/);
    expect(await outcomeOf(body, BY_ID)).toMatch(location);
  });
});

describe('“a row that gains or loses a column has changed”', () => {
  test.each([
    ['csv', 'id,a\n1,x\n', 'id,a,b\n1,x,\n'],
    ['jsonl', '{"id":"1","a":"x"}\n', '{"id":"1","a":"x","b":""}\n'],
    ['json', '[{"id":"1","a":"x"}]', '[{"id":"1","a":"x","b":""}]'],
  ])('%s', async (_, narrow, wide) => {
    expect(await changesBetween(narrow, wide)).toEqual({ ...noChange(0), changed: ['1: b'] });
    expect(await changesBetween(wide, narrow)).toEqual({ ...noChange(0), changed: ['1: b'] });
  });

  test('a JSON row that lacked the column and still does has not changed', async () => {
    expect(await changesBetween('[{"id":1},{"id":2}]', '[{"id":1},{"id":2,"b":1}]')).toEqual({
      ...noChange(1),
      changed: ['2: b'],
    });
  });
});

describe('“the last wins, counted and reported as a warning, with samples”', () => {
  test.each(
    tableAs(
      ['id', 'n'],
      [
        ['"a"', '"1"'],
        ['"b"', '"2"'],
        ['"a"', '"3"'],
      ],
    ),
  )('duplicate keys: $format', async ({ body }) => {
    const { rows, warnings } = await readBody(body, BY_ID);
    expect(compare([], rows).new).toContainEqual({ key: 'a', data: '{"id":"a","n":"3"}' });
    expect(warnings).toEqual([{ code: 'duplicate_key', count: 1, samples: ['a'] }]);
  });

  test.each([
    ['jsonl', '{"id":1,"id":2}\n', 'line 1, member id'],
    ['json', '[{"id":1,"id":2}]', 'row 1, member id'],
  ])('duplicate members: %s', async (_, body, sample) => {
    expect(await dataOf(body)).toEqual(['{"id":2}']);
    expect(await warningsOf(body)).toEqual([{ code: 'duplicate_member', count: 1, samples: [sample] }]);
  });

  test('short rows lack the columns, extra cells get columns, both with a warning', async () => {
    const body = 'id,a,b\n1\n2,x,y,z\n';
    expect(await dataOf(body)).toEqual(['{"id":"1"}', '{"id":"2","a":"x","b":"y","column_4":"z"}']);
    expect(await warningsOf(body)).toEqual([
      { code: 'ragged_rows', count: 1, samples: ['row 1'] },
      { code: 'extra_cells', count: 1, samples: ['row 2'] },
    ]);
  });

  test('“duplicate headers: suffix _2 in stable order, warning; empty headers column_N”', async () => {
    const body = 'id,a,a,,a\n1,2,3,4,5\n';
    expect((await readBody(body, BY_ID)).columns).toEqual(['id', 'a', 'a_2', 'column_4', 'a_3']);
    expect((await warningsOf(body)).map(({ code, count }) => [code, count])).toEqual([
      ['duplicate_header', 2],
      ['empty_header', 1],
    ]);
  });
});

describe('“no key given: choose one with evidence”', () => {
  const keyOf = async (body: string) => (await readBody(body)).key;

  test.each([
    ['names like id first', 'product_id,a,b\n9,1,x\n8,2,y\n', ['product_id'], 'name'],
    ['then the first text', 'b,kind\np,x\nq,x\n', ['b'], 'leftmost'],
    ['then pairs', 'a,b\np,x\np,y\nq,x\nq,y\nr,x\nr,y\n', ['a', 'b'], 'pair'],
    ['none found: the row’s content is its key', 'a,b\n1,1\n1,1\n', [], 'none'],
  ])('%s', async (_, body, fields, rule) => {
    const { key } = await readBody(body);
    expect(key).toMatchObject({ fields, evidence: { rule, words: expect.stringMatching(/\w/) as string } });
  });

  test('of JSON by its paths', async () => {
    expect((await keyOf('{"rows":[{"p":{"id":1},"v":1},{"p":{"id":2},"v":1}]}')).fields).toEqual(['p.id']);
  });
});

describe('files as they are found', () => {
  test('“embedded newlines, quotes, delimiters: exact”', async () => {
    expect(await dataOf('id,a\n1,"x,\r\n""y"" \n;z"\n')).toEqual([
      String.raw`{"id":"1","a":"x,\r\n\"y\" \n;z"}`,
    ]);
  });

  test('“JSONL with blank lines, CRLF, last line without EOL”', async () => {
    expect(await dataOf('\r\n{"id":1}\r\n\n  \n{"id":2}')).toEqual(['{"id":1}', '{"id":2}']);
  });

  test('“one bad line: error with line number”', async () => {
    expect(await outcomeOf('{"id":1}\n\n{"id":2,}\n{"id":3}\n')).toMatch(
      /^malformed_body: .*line 3, character 9/,
    );
  });

  test('“0 rows with header vs empty body vs HTML”', async () => {
    expect(await outcomeOf('id,a\n', BY_ID)).toEqual([]);
    expect(await outcomeOf('[]', BY_ID)).toEqual([]);
    expect(await outcomeOf('\n', BY_ID)).toMatch(/^empty_body/);
    expect(await outcomeOf('<html></html>', BY_ID)).toMatch(/^unexpected_content/);
  });

  test('“charset param wrong / invalid UTF-8: encoding_invalid with byte offset; no U+FFFD into rows”', async () => {
    const latin = Buffer.from('id,a\n1,\xe9\n', 'latin1');
    expect(await outcomeOf(latin)).toMatch(/^encoding_invalid: .* byte 7\.$/);
    expect(await outcomeOf(latin, { contentType: 'text/csv; charset=utf-16' })).toMatch(/^encoding_invalid/);
    expect(await dataOf(latin, { ...BY_ID, contentType: 'text/csv; charset=ISO-8859-1' })).toEqual([
      '{"id":"1","a":"é"}',
    ]);
  });

  const limits = {
    maxRows: 3,
    maxColumns: 3,
    maxNameLength: 9,
    maxNamesLength: 20,
    maxRowLength: 200,
    maxFieldLength: 50,
    maxDepth: 4,
  };

  test.each<[string, string, Options?]>([
    ['row_too_large', `id,a\n1,${'x'.repeat(51)}\n`],
    ['row_too_large', `[{"id":"${'x'.repeat(51)}"}]`],
    ['row_too_large', `id,a\n1,"${'x'.repeat(201)}`],
    ['row_too_large', `[{"id":"${'x'.repeat(201)}`],
    ['row_too_large', `{"t":"${'x'.repeat(201)}","r":[{"id":1}]}`, { format: 'json' }],
    ['row_too_large', `{"${'t'.repeat(10)}":{"r":[{"id":1}]}}`],
    ['too_many_rows', 'id\n1\n2\n3\n4\n'],
    ['too_many_rows', '[{"id":1},{"id":2},{"id":3},{"id":4}]'],
    ['too_many_columns', 'a,b,c,id\n1,2,3,4\n'],
    ['too_many_columns', '[{"a":1,"b":2,"c":3,"id":4}]'],
    ['malformed_body', '[{"id":1,"a":[[[[1]]]]}]'],
    ['malformed_body', '{"a":{"a":{"a":{"a":{"a":1}}}}}', { format: 'json' }],
  ])('“huge field/row/rows/columns/depth: limit error”: %s for %j', async (code, body, options = {}) => {
    for (const chunkBytes of [1, Infinity]) {
      const outcome = await outcomeOf(body, { keyFields: [], limits, ...options }, chunkBytes);
      expect(String(outcome).split(':')[0]).toBe(code);
    }
  });
});
