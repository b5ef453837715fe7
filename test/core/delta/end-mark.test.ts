// The mark with which DOS ends a text.
import { expect, it } from 'vitest';
import { outcomeOf, readBody } from './read-body.ts';

const MARK = '\u001A';
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

it.each([
  ['CSV', 'id,name\n1,a\n2,b\n', 'text/csv'],
  ['CSV without a last line end', 'id,name\n1,a\n2,b', 'text/csv'],
  ['CSV of one column', 'id\n1\n2\n', 'text/csv'],
  ['CSV without rows', 'id,name\n', 'text/csv'],
  ['CSV in quotes', 'id,name\n1,"a"', 'text/csv'],
  ['TSV', 'id\tname\n1\ta\r\n', 'text/tab-separated-values'],
  ['JSONL', '{"id":1}\n{"id":2}\n', 'application/jsonl'],
  ['JSONL without a last line end', '{"id":1}\n{"id":2}', 'application/jsonl'],
  ['one object of no known type', '{"id":1}\n', undefined],
])('%s is read as without it', async (_name, body, contentType) => {
  const options = { contentType, keyFields: ['id'] };
  for (const chunkBytes of [Infinity, 1]) {
    const marked = await readBody(body + MARK, options, chunkBytes);
    expect(marked).toEqual(await readBody(body, options, chunkBytes));
  }
  expect(await readBody(utf16(body + MARK), options)).toEqual(await readBody(utf16(body), options));
});

it.each([
  ['before a line end', `id,name\n1,a${MARK}\n`, [`{"id":"1","name":"a\\u001a"}`]],
  ['a second one', `id,name\n1,a${MARK}${MARK}`, [`{"id":"1","name":"a\\u001a"}`]],
  ['inside quotes', `id,name\n1,"a${MARK}"`, [`{"id":"1","name":"a\\u001a"}`]],
])('stays %s', async (_name, body, rows) => {
  expect(await outcomeOf(body, { contentType: 'text/csv', keyFields: ['id'] }, 1)).toEqual(rows);
});

it('is no end of a JSON document, nor a body by itself', async () => {
  expect(await outcomeOf(`[{"id":1}]${MARK}`)).toMatch(/^malformed_body/);
  expect(await outcomeOf(MARK)).toMatch(/^empty_body/);
});
