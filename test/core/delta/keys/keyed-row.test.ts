// Keys and hashes: one field, several fields, no field; long ones.
import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { cellText, changedFields, rowKey, splitRowJson } from '../../../../core/delta/keys/keyed-row.ts';
import { readBody } from '../read-body.ts';
import fc from 'fast-check';
import { rowToJson } from '../../export/rows.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';

const keysOf = async (body: string, options: Parameters<typeof readBody>[1]) =>
  (await readBody(body, options)).rows.map((row) => row.key);

describe('keys', () => {
  test('one field: its text, of a string as of a number', async () => {
    expect(await keysOf('{"id":"a\\"\\u00e9"}\n{"id":1.10}\n{"id":true}\n', { keyFields: ['id'] })).toEqual([
      'a"é',
      '1.10',
      'true',
    ]);
  });

  test('several fields: the JSON array of their texts, in the order in which they are given', async () => {
    const body = 'a,b\nx,1\n"x"",""1",\n';
    expect(await keysOf(body, { keyFields: ['b', 'a'] })).toEqual(['["1","x"]', String.raw`["","x\",\"1"]`]);
  });

  test('no field: the hash of the content, repeats numbered', async () => {
    const digest = hash('sha256', '{"a":"1","b":"2"}');
    expect(await keysOf('b,a\n2,1\n2,1\n3,1\n2,1\n', { keyFields: [] })).toEqual([
      `sha256:${digest}`,
      `sha256:${digest}#2`,
      `sha256:${hash('sha256', '{"a":"1","b":"3"}')}`,
      `sha256:${digest}#3`,
    ]);
  });

  test('no field: ignored fields do not count', async () => {
    const [one, other] = await Promise.all(
      ['x', 'y'].map((at) => keysOf(`a,at\n1,${at}\n`, { keyFields: [], ignoreFields: ['at'] })),
    );
    expect(one).toEqual(other);
  });

  test('longer than 1,024 bytes of UTF-8: their hash', () => {
    expect(rowKey(['x'.repeat(1_024)])).toBe('x'.repeat(1_024));
    expect(rowKey(['é'.repeat(512)])).toBe('é'.repeat(512));
    expect(rowKey(['é'.repeat(513)])).toBe(`sha256:${hash('sha256', 'é'.repeat(513))}`);
    expect(rowKey(['x'.repeat(600), 'y'.repeat(600)])).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  test('a path of nested objects', async () => {
    expect(
      await keysOf('{"v":1,"meta":{"id":"a"}}\n{"meta":{"id":"b"}}\n', { keyFields: ['meta.id'] }),
    ).toEqual(['a', 'b']);
  });
});

describe('hashes', () => {
  test('are the first 16 bytes of SHA-256 over the members sorted by name', async () => {
    const { rows } = await readBody('b,a,at\n2,1,x\n', { keyFields: ['b'], ignoreFields: ['at'] });
    expect(rows[0]?.hash.toString('hex')).toBe(hash('sha256', '{"a":"1","b":"2"}').slice(0, 32));
    expect(rows[0]?.data).toBe('{"b":"2","a":"1"}');
  });

  test('do not depend on when a JSONL column was first seen', async () => {
    const [early, late] = await Promise.all([
      readBody('{"b":1,"a":2}\n'),
      readBody('{"a":0}\n{"a":2,"b":1}\n'),
    ]);
    expect(late.rows[1]?.hash).toEqual(early.rows[0]?.hash);
  });
});

const token = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    'null',
    'true',
    '1.10',
    '-0',
    '1e2',
    '10000000000000000999',
    '[1,{"a":2}]',
    '{}',
    undefined,
  ),
);
const row = fc.uniqueArray(
  fc.tuple(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('__proto__')), token),
  {
    selector: ([column]) => column,
  },
);

test('splitting row data gives back what was written', PROPERTY_TIMEOUT, () => {
  fc.assert(
    fc.property(row, (members) => {
      const data = rowToJson(
        members.map(([column]) => column),
        members.map(([, cell]) => cell),
      );
      expect(splitRowJson(data)).toEqual(members.filter(([, cell]) => cell !== undefined));
      expect(JSON.parse(data)).toBeTypeOf('object');
    }),
    propertyRuns(),
  );
});

test('splitting refuses row data that is cut off, or followed by more', () => {
  const data = '{"a":"1,\\"}","b":1.5,"c":[{"d":"}"}],"e":null}';
  const cut = Array.from(data, (_, length) => data.slice(0, length));
  const followed = ['}', ',', 'x', '{}', ',"b"', ',"b":', ',1:2}'].flatMap((more) =>
    [data, '{"a":1}', '{"a":"1"}'].map((text) => text + more),
  );
  const wrong = ['{1:2}', '{"a" "b"}', '{"a":01}', '["a"]', '{,"a":1}', '{"a":1"b":2}'];
  for (const text of [...cut, ...followed, ...wrong])
    expect(() => splitRowJson(text)).toThrow(/syntax|must be a JSON object/);
});

describe('changedFields', () => {
  test('compares each column with the one of the same name', PROPERTY_TIMEOUT, () => {
    const columns = ['a', 'b', 'c', 'd'];
    const cells = fc.array(fc.constantFrom('1', '2', '"1"', 'null', '[1]', undefined), {
      minLength: 4,
      maxLength: 4,
    });
    fc.assert(
      fc.property(cells, cells, fc.shuffledSubarray(columns, { minLength: 4 }), (was, is, order) => {
        const cellOf = (column: string) => is[columns.indexOf(column)];
        const found = changedFields(rowToJson(columns, was), rowToJson(order, order.map(cellOf)));
        const differing = columns.filter((column, at) => was[at] !== cellOf(column));
        expect(found.toSorted()).toEqual(differing);
      }),
      propertyRuns(),
    );
  });

  test('distinguishes missing, null and empty, and compares numbers by their text', () => {
    const before = '{"a":null,"b":"","c":1.0,"d":"1","e":[1],"f":"same"}';
    expect(changedFields(before, '{"f":"same","a":"","c":1,"d":1,"e":[1]}')).toEqual(['a', 'c', 'd', 'b']);
  });

  test('names the fields in the order of after, then of before', () => {
    expect(changedFields('{"x":1,"y":1,"b":1}', '{"c":1,"b":2,"a":1}')).toEqual(['c', 'b', 'a', 'x', 'y']);
  });

  test('names nothing for another order of columns', () => {
    expect(changedFields('{"x":1,"__proto__":2}', '{"__proto__":2,"x":1}')).toEqual([]);
  });
});

test('cellText is the text of a string, and empty for nothing', () => {
  expect(['"a\\"b\\\\"', '""', 'null', undefined, '1.10', 'true', '[1]'].map(cellText)).toEqual([
    'a"b\\',
    '',
    '',
    '',
    '1.10',
    'true',
    '[1]',
  ]);
});
