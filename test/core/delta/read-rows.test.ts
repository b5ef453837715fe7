// The rules about data, one test each, from bytes to keyed rows.
import { describe, expect, test } from 'vitest';
import { type Dialect, ROW_LIMITS } from '../../../core/delta/model.ts';
import { openRows, parseRows } from '../../../core/delta/read-rows.ts';
import { collect, cut, readBody } from './read-body.ts';
import { createWarnings } from '../../../core/delta/warnings.ts';

const dataOf = async (body: string, options = {}) =>
  (await readBody(body, options)).rows.map(({ data }) => data);
const warningsOf = async (body: string, options = {}) => (await readBody(body, options)).warnings;
const limits = { ...ROW_LIMITS, maxRows: 3 };

describe('values', () => {
  test('in delimited text are strings, exact to the character', async () => {
    expect(await dataOf('id,n,e\n1,1.10, x \n2,10000000000000000999,\n')).toEqual([
      '{"id":"1","n":"1.10","e":" x "}',
      '{"id":"2","n":"10000000000000000999","e":""}',
    ]);
  });

  test('in JSON keep the text of numbers, and distinguish null, empty text and missing', async () => {
    expect(
      await dataOf('{"id":1.10,"a":null,"b":""}\n{"id":-0}\n{"id":1e2,"b":10000000000000000999}\n'),
    ).toEqual(['{"id":1.10,"a":null,"b":""}', '{"id":-0}', '{"id":1e2,"b":10000000000000000999}']);
  });

  test('missing, null, empty and the text null have different hashes', async () => {
    const { rows } = await readBody('{"id":1}\n{"id":1,"a":null}\n{"id":1,"a":""}\n{"id":1,"a":"null"}\n', {
      keyFields: ['id'],
    });
    expect(new Set(rows.map(({ hash }) => hash.toString('hex'))).size).toBe(4);
  });

  test('nested objects become dot paths, arrays and empty objects stay values', async () => {
    const line = '{"a":{"b":{"c":1},"d":[ {"y":1, "x":[]} ]},"e":{}}\n';
    const rows = ['{"a.b.c":1,"a.d":[{"x":[],"y":1}],"e":{}}'];
    expect(await dataOf(line, { format: 'jsonl' })).toEqual(rows);
    expect(await dataOf(`[${line}]`)).toEqual(rows);
  });

  test('a repeated path is reported, in any order of the members', async () => {
    const [one, other] = await Promise.all([
      readBody('{"a.b":1,"a":{"b":2}}'),
      readBody('{"a":{"b":2},"a.b":1}'),
    ]);
    expect(one.rows[0]?.data).toBe(other.rows[0]?.data);
    expect(one.warnings).toEqual([{ code: 'duplicate_member', count: 1, samples: ['line 1, member a.b'] }]);
  });

  test('__proto__ is an ordinary column', async () => {
    expect(await dataOf('id,__proto__,constructor\n1,a,b\n')).toEqual([
      '{"id":"1","__proto__":"a","constructor":"b"}',
    ]);
    expect(await dataOf('{"id":1,"__proto__":{"polluted":true}}\n')).toEqual([
      '{"id":1,"__proto__.polluted":true}',
    ]);
    expect('polluted' in {}).toBe(false);
  });

  test('key fields are compared by bytes, not by appearance', async () => {
    const { rows, warnings } = await readBody('id\ncaf\u00e9\ncafe\u0301\n', { keyFields: ['id'] });
    expect(rows.map(({ key }) => key)).toEqual(['caf\u00e9', 'cafe\u0301']);
    expect(warnings).toEqual([]);
  });
});

describe('warnings', () => {
  test('short rows lack the columns', async () => {
    const { rows, warnings } = await readBody('id,a,b\n1\n2,x\n3,x,y\n');
    expect(rows.map(({ data }) => data)).toEqual([
      '{"id":"1"}',
      '{"id":"2","a":"x"}',
      '{"id":"3","a":"x","b":"y"}',
    ]);
    expect(warnings).toEqual([{ code: 'ragged_rows', count: 2, samples: ['row 1', 'row 2'] }]);
  });

  test('regression: extra cells get columns of their own', async () => {
    const { rows, warnings } = await readBody('id,a\n1,x\n2,y,z\n');
    expect(rows[1]?.data).toBe('{"id":"2","a":"y","column_3":"z"}');
    expect(warnings).toEqual([{ code: 'extra_cells', count: 1, samples: ['row 2'] }]);
  });

  test('duplicate and empty headers get names that are not taken', async () => {
    const { columns, warnings } = await readBody('a,a,,a_2,a,\n1,2,3,4,5,6\n');
    expect(columns).toEqual(['a', 'a_3', 'column_3', 'a_2', 'a_4', 'column_6']);
    expect(warnings).toEqual([
      { code: 'duplicate_header', count: 2, samples: ['a_3', 'a_4'] },
      { code: 'empty_header', count: 2, samples: ['column_3', 'column_6'] },
    ]);
  });

  test('duplicate keys and duplicate members are counted, with a few samples', async () => {
    const body = Array.from({ length: 9 }, (_, n) => `{"id":${n % 2},"v":1,"v":${n}}`).join('\n');
    const { rows, rowCount, warnings } = await readBody(body, { keyFields: ['id'] });
    expect(rows.at(-1)).toMatchObject({ key: '0', data: '{"id":0,"v":8}' });
    expect([rows.length, rowCount]).toEqual([9, 9]);
    expect(warnings).toMatchObject([
      { code: 'duplicate_member', count: 9, samples: { length: 5, 0: 'line 1, member v' } },
      { code: 'duplicate_key', count: 7, samples: ['0', '1', '0', '1', '0'] },
    ]);
  });

  test.each(['csv', 'jsonl'] as const)(
    'a key that repeats far behind rows in order is found in %s',
    async (format) => {
      const keys = [...Array.from({ length: 50 }, (_, n) => String(n)), '7', 'x', 'x', '50'];
      const lines = keys.map((key) => (format === 'csv' ? `${key},v` : `{"id":"${key}","a":"v"}`));
      const body = `${format === 'csv' ? 'id,a\n' : ''}${lines.join('\n')}\n`;
      const { rows, warnings } = await readBody(body, { format, keyFields: ['id'] }, 40);
      const repeated = rows.flatMap(({ key, isRepeat }, at) => (isRepeat ? [[key, at + 1]] : []));
      expect(repeated).toEqual([
        ['7', 51],
        ['x', 53],
      ]);
      expect(rows).toHaveLength(keys.length);
      expect(warnings).toEqual([{ code: 'duplicate_key', count: 2, samples: ['7', 'x'] }]);
    },
  );

  test('a row without its key is reported', async () => {
    const { rows, warnings } = await readBody('{"id":1}\n{"id":null}\n{"id":""}\n{}\n', {
      keyFields: ['id'],
    });
    expect(rows.map(({ key }) => key)).toEqual(['1', '', '', '']);
    expect(warnings).toMatchObject([
      { code: 'empty_key', count: 3, samples: ['row 2', 'row 3', 'row 4'] },
      { code: 'duplicate_key', count: 2 },
    ]);
  });

  test('samples are short', async () => {
    const [warning] = await warningsOf(`id\n${'😀'.repeat(90)}\n${'😀'.repeat(90)}\n`, { keyFields: ['id'] });
    expect(warning?.samples[0]?.length).toBe(100);
    expect(warning?.samples[0]?.isWellFormed()).toBe(true);
  });
});

describe('bodies that fail', () => {
  test.each([
    ['empty_body', '', { format: 'csv' }],
    ['empty_body', '\ufeff\r\n\n', {}],
    ['empty_body', ' \n', {}],
    ['empty_body', '\n \t\r\n\u00a0', { format: 'csv', headerRow: 0 }],
    ['unexpected_content', ' \n<!DOCTYPE html><html>', {}],
    ['unexpected_content', '<HTML>', { format: 'jsonl' }],
    ['unexpected_content', '<?xml version="1.0"?>', { contentType: 'text/csv' }],
    ['unexpected_content', '<br />\n<b>Warning</b>: fopen()', {}],
    ['unexpected_content', '<script>location="/login"</script>', { contentType: 'text/csv' }],
    ['unexpected_content', '<Error><Code>AccessDenied</Code></Error>', {}],
    ['unexpected_content', '<rss version="2.0">', { contentType: 'text/html' }],
    ['malformed_body', '{"error": "busy, try later"}', { format: 'csv' }],
    ['malformed_body', '{"a":1}\nnonsense\n', {}],
    ['malformed_body', '{"a":1}\n[1]\n', {}],
    ['malformed_body', '{"a":1}\n"text"', {}],
    ['malformed_body', `{"a":${'['.repeat(64)}1${']'.repeat(64)}}\n`, { format: 'jsonl' }],
    ['malformed_body', '{"a":1}\n{"a":x}', {}],
    ['malformed_body', '{"a":1}\n{"a":\n', {}],
    ['body_truncated', '{"a":1}\n{"a":"x', {}],
    ['body_truncated', '{"a":1}\n{"a":tr', {}],
    ['body_truncated', '{"a":1}\n{"a":[1.', {}],
    ['body_truncated', '{"a":1}\n{', {}],
    ['body_truncated', 'a,b\n1,"2\n3,4\n', {}],
    ['invalid_character', 'a,b\n1,x\0\n', {}],
    ['invalid_character', '{"a":"\\u0000"}\n', {}],
    ['invalid_character', '{"a":"\\ud83d"}\n', {}],
    ['missing_key_field', 'sku,b\n1,2\n', { keyFields: ['id', 'sku'] }],
    ['missing_key_field', 'sku,b\n', { keyFields: ['id'] }],
    ['missing_key_field', '{"sku":1}\n', { keyFields: ['id'] }],
    ['too_many_rows', 'a\n1\n2\n3\n4\n', { limits }],
    ['too_many_columns', `${'a,'.repeat(1_000)}a\n`, {}],
    [
      'too_many_columns',
      `{${Array.from({ length: 1_001 }, (_, n) => `"${n}":1`).join(',')}}\n`,
      { format: 'jsonl' },
    ],
    ['row_too_large', `id,${'x'.repeat(5_000)}\n1,2\n`, {}],
    ['row_too_large', `{"${'x'.repeat(2_500)}":{"${'y'.repeat(2_500)}":1}}\n`, {}],
    ['row_too_large', `id,a\n1,${'x'.repeat(1024 * 1024 + 1)}\n`, {}],
    ['row_too_large', `{"a":"${'x'.repeat(1024 * 1024 + 1)}"}\n`, { format: 'jsonl' }],
    ['row_too_large', `a\n"${'x'.repeat(5 * 1024 * 1024)}`, {}],
    ['encoding_invalid', Buffer.from('a,b\n1,\xe9\n', 'latin1'), {}],
    ['encoding_invalid', 'a,b\n', { charset: 'utf-7' }],
  ] as const)('%s, case %#', async (code, body, options) => {
    await expect(readBody(body, options)).rejects.toMatchObject({ name: 'CheckError', code });
  });

  test('say the location and the kind of fault, and never quote data', async () => {
    const hidden = 'hunter2';
    const bodies = [
      `{"a":1}\n{"a":${hidden}}\n`,
      `{"a":1}\n{"a":"${hidden}`,
      `a,b\n1,"${hidden}`,
      `a\n${hidden}\0\n`,
    ];
    const errors = await Promise.all(bodies.map((body) => readBody(body).then(JSON.stringify, String)));
    expect(errors).toEqual([
      expect.stringMatching(/line 2, character 6/),
      expect.stringMatching(/line 2/),
      expect.stringMatching(/row 2/),
      expect.stringMatching(/row 2/),
    ]);
    expect(errors.join(' ')).not.toContain(hidden);
    await expect(readBody('a\n1\n', { keyFields: ['id', 'a', 'sku'] })).rejects.toThrow('“id”, “sku”');
  });
});

describe('bodies without rows', () => {
  test('a header alone is a table of no rows', async () => {
    expect(await readBody('id,a\n', { keyFields: ['id'] })).toMatchObject({
      rows: [],
      columns: ['id', 'a'],
      rowCount: 0,
    });
  });

  test('JSONL without lines has no rows and lacks no key field', async () => {
    expect(await readBody('\n \r\n', { format: 'jsonl', keyFields: ['id'] })).toMatchObject({
      rows: [],
      columns: [],
      rowCount: 0,
    });
  });
});

describe('ignored fields', () => {
  test('are in neither data nor hash nor columns', async () => {
    const [one, other] = await Promise.all(
      ['1', '2'].map((at) => readBody(`id,at,a\n1,${at},x\n`, { keyFields: ['id'], ignoreFields: ['at'] })),
    );
    expect(one).toMatchObject({ columns: ['id', 'a'], rows: [{ key: '1', data: '{"id":"1","a":"x"}' }] });
    expect(one?.rows).toEqual(other?.rows);
  });

  test('in JSON include all fields below them', async () => {
    const { columns } = await readBody('{"id":1,"meta":{"at":1,"by":{"x":2}},"metadata":3}\n', {
      ignoreFields: ['meta'],
    });
    expect(columns).toEqual(['id', 'metadata']);
  });

  test('may include the key', async () => {
    expect((await readBody('id,a\n7,x\n', { keyFields: ['id'], ignoreFields: ['id'] })).rows).toMatchObject([
      { key: '7', data: '{"a":"x"}' },
    ]);
  });
});

describe('reading', () => {
  test('has no summary before its end', async () => {
    const reader = await openRows(() => cut(Buffer.from('a\n1\n'), 1), { ignoreFields: [], limits });
    expect(() => reader.summary()).toThrow('not been read');
  });

  test('reports a key field that the header lacks before it reads rows', async () => {
    const body = `sku\n1\n${'2\n'.repeat(100_000)}"open`;
    await expect(readBody(body, { keyFields: ['id'] }, 1_000)).rejects.toMatchObject({
      code: 'missing_key_field',
    });
  });

  test('keeps a dialect that was detected earlier', async () => {
    const { dialect } = await readBody('id;a\n1;2\n');
    await expect(readBody('id,a\n1,2\n', { dialect, keyFields: ['id'] })).rejects.toMatchObject({
      code: 'missing_key_field',
    });
  });
});

const parse = (texts: string[], dialect: Partial<Dialect>, maxRows = 10) =>
  collect(
    parseRows(
      (async function* () {
        yield* await Promise.resolve(texts);
      })(),
      { format: 'csv', delimiter: ',', charset: 'utf-8', rowsPath: '', headerRow: 1, ...dialect },
      { ...ROW_LIMITS, maxRows },
      createWarnings(),
    ),
  );

test('delimited text names its columns before there are rows', async () => {
  const batches = await parse(['a,b\n', '1,"x"""\n', '2\n3,y,extra\n'], {});
  // One list of columns serves all batches, and grows with longer rows.
  expect(batches[0]).toEqual({ columns: ['a', 'b', 'column_3'], rows: [] });
  expect(batches.flatMap((batch) => batch.rows)).toEqual([
    ['"1"', String.raw`"x\""`],
    ['"2"'],
    ['"3"', '"y"', '"extra"'],
  ]);
});

test('the columns of JSONL grow with its rows', async () => {
  const batches = await parse(['{"a":1}\n{"b":{"c":null}}\n', '{"b":{"c":2},"a":[ ]}'], {
    format: 'jsonl',
    delimiter: null,
  });
  expect(batches.flatMap((batch) => batch.rows)).toEqual([['1'], [undefined, 'null'], ['[]', '2']]);
  expect(batches.at(-1)?.columns).toEqual(['a', 'b.c']);
});

test('short lines of a wide table make small batches, so that a chunk stays small in memory', async () => {
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`c${n}`, 1])));
  const batches = await parse(
    [`${wide}\n${'{}\n'.repeat(999)}`],
    { format: 'jsonl', delimiter: null },
    1_000,
  );
  expect(batches.flatMap(({ rows }) => rows)).toHaveLength(1_000);
  expect(Math.max(...batches.map(({ rows }) => rows.length))).toBeLessThanOrEqual(100);
});

test('the names of all columns together are limited, because every snapshot carries them', async () => {
  const names = Array.from({ length: 100 }, (_, n) => `c${n}${'x'.repeat(2_000)}`);
  const tooLong = { code: 'row_too_large' };
  await expect(parse([`${names.join(',')}\n1\n`], {})).rejects.toMatchObject(tooLong);
  const lines = names.map((name) => `{"${name}":1}\n`);
  await expect(parse(lines, { format: 'jsonl', delimiter: null }, 1_000)).rejects.toMatchObject(tooLong);
});
