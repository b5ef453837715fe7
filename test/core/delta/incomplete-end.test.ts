// Bodies in which only the last row is incomplete.
import { expect, it } from 'vitest';
import { readBody } from './read-body.ts';

const JSONL = 'application/jsonl';
const ERROR = '{"error":"timeout"}\n';

it.each([
  ['a short last row', 'id,name\n1,a\n2,b\nERROR 2013\n', 'text/csv', ['id'], 'ragged_rows'],
  ['one without a line end', 'id,name\n1,a\n2,b\nERROR 2013', 'text/csv', ['id'], 'ragged_rows'],
  ['one in a table without a key', 'id,name\n1,a\n2,b\nERROR 2013\n', 'text/csv', [], 'ragged_rows'],
  [
    'a short row without its key',
    'name,town,id\nann,Rome,1\nERROR 2013\n',
    'text/csv',
    ['id'],
    'ragged_rows',
  ],
  ['one of tabs', 'id\tname\n1\ta\nERROR 2013\n', 'text/tab-separated-values', ['id'], 'ragged_rows'],
  ['a whole last row', 'id,name\n1,a\n2,b\n', 'text/csv', ['id'], undefined],
  ['a whole row without its key', 'id,name\n1,a\n,b\n', 'text/csv', ['id'], undefined],
  ['a short row before the last', 'id,name\n1,a\n2\n3,c\n', 'text/csv', ['id'], undefined],
  ['two short rows at the end', 'id,name\n1,a\n2\n3\n', 'text/csv', ['id'], undefined],
  ['a long last row', 'id,name\n1,a\n2,b,c\n', 'text/csv', ['id'], undefined],
  ['only a short row', 'id,name\n1\n', 'text/csv', ['id'], 'ragged_rows'],
  ['only a header', 'id,name\n', 'text/csv', ['id'], undefined],
  ['a last line without a key', `{"id":1}\n{"id":2}\n${ERROR}`, JSONL, ['id'], 'empty_key'],
  ['a last line with an empty key', '{"id":1}\n{"id":null}\n', JSONL, ['id'], 'empty_key'],
  ['a last line with all keys', '{"id":1}\n{"id":2}\n', JSONL, ['id'], undefined],
  ['two lines without a key', `{"id":1}\n${ERROR}{"note":"b"}\n`, JSONL, ['id'], undefined],
  ['a line without a key before the last', `{"id":1}\n${ERROR}{"id":2}\n`, JSONL, ['id'], undefined],
  ['all key fields missing', `{"id":1,"no":1}\n${ERROR}`, JSONL, ['id', 'no'], 'empty_key'],
  ['one of two key fields missing', '{"id":1,"no":1}\n{"id":2}\n', JSONL, ['id', 'no'], undefined],
  ['no key', `{"id":1}\n${ERROR}`, JSONL, [], undefined],
  ['a last object', '[{"id":1},{"error":"timeout"}]', 'application/json', ['id'], 'empty_key'],
  ['a nested key', '[{"a":{"id":1}},{"error":"timeout"}]', 'application/json', ['a.id'], 'empty_key'],
  ['no rows', '[]', 'application/json', ['id'], undefined],
])('%s', async (_name, body, contentType, keyFields, expected) => {
  for (const chunkBytes of [Infinity, 3]) {
    const { incompleteEnd } = await readBody(body, { contentType, keyFields }, chunkBytes);
    expect(incompleteEnd?.code).toBe(expected);
  }
});

it.each([
  ['a key of its own', '1,a\n2,b\n3\n', 1, 1, false],
  ['the key of an earlier row', '1,a\n2,b\n1\n', 1, 0, true],
  ['lines that repeat', '1,a\npanic: gone\nx.go:1\nx.go:1\n', 3, 2, false],
  ['a line with the key of a row', '1,a\npanic: gone\nx.go:1\n1\n', 3, 2, true],
])(
  'regression: tells the keys that only the end has: %s',
  async (_name, body, rows, ownKeys, hasEarlierKey) => {
    for (const chunkBytes of [Infinity, 3]) {
      const options = { contentType: 'text/csv', keyFields: ['id'] };
      const { incompleteEnd } = await readBody(`id,name\n${body}`, options, chunkBytes);
      expect(incompleteEnd).toEqual({ code: 'ragged_rows', rows, ownKeys, hasEarlierKey });
    }
  },
);
