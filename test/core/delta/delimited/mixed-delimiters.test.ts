// Tables whose header has another delimiter than their rows.
import { expect, it } from 'vitest';
import type { Dialect } from '../../../../core/delta/model.ts';
import { readBody } from '../read-body.ts';

const known = (delimiter: string): Dialect => ({
  format: 'csv',
  delimiter,
  charset: 'utf-8',
  rowsPath: '',
  headerRow: 1,
});
const read = (body: string, delimiter?: string) =>
  readBody(body, { keyFields: [], ...(delimiter !== undefined && { dialect: known(delimiter) }) });

it.each([
  [
    'id,name,price\n1;a;2\n2;b;3\n',
    ',',
    'between commas, and the rows below have their cells between semicolons',
  ],
  ['id,name,price\n1;a;2,5\n2;b;3,5\n', ',', 'between commas, and the rows'],
  ['id,name,price\n1;a;2\n2;b;3\n', ';', 'between commas, and the rows'],
  ['id, name\n1; a\n2; b\n', ',', 'between commas, and the rows'],
  ['id;name;price\n1,a,2\n2,b,3\n', ';', 'between semicolons, and the rows'],
  ['id;name;price\n1,a,2\n2,b,3\n', ',', 'between semicolons, and the rows'],
  ['id\tname\n1|a\n', '\t', 'between tabs, and the rows below have their cells between pipes'],
])('%j is refused under %j, and by a first check', async (body, delimiter, words) => {
  for (const given of [delimiter, undefined])
    await expect(read(body, given)).rejects.toMatchObject({
      code: 'malformed_body',
      message: expect.stringContaining(words),
    });
});

it('is refused with a footer of one cell', async () => {
  const body = `id,name\n${'1;a\n'.repeat(10)}Total\n`;
  await expect(read(body, ',')).rejects.toMatchObject({ code: 'malformed_body' });
});

it.each([
  ['id,name\n1;a\n2,b\n', ','],
  // Short rows with a list in a cell.
  ['id,tags,note\n1,a;b;c\n2,d;e;f\n', ','],
  ['id;rgb;note\n1;255,0,0\n2;0,0,255\n', ';'],
  // A single column.
  ['Price, net\n1;2\n3;4\n', ','],
  ['Price; in euro\n1,5\n2,5\n', ';'],
  ['name,note\nx\ny\n', ','],
  ['name;note\n1,5\n2,5;a\n', ';'],
  ['tags\na;b\nc;d\n', ','],
  ['a,b,c\n1;2\n3;4\n', ','],
  ['id;price\n1;2,5\n2;3,5\n', ';'],
  ['id,name\n', ','],
  ['a;b,c;d\n1;2,3;4\n', ','],
])('%j is read under %j', async (body, delimiter) => {
  await expect(read(body, delimiter)).resolves.toBeDefined();
});
