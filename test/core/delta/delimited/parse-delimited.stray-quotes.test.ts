// A quote that swallows the rows below it, and the quoted cells that are none.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';
import { outcomeOf, readBody } from '../read-body.ts';

const rows = (cellOf: (at: number) => string): string =>
  Array.from({ length: 12 }, (_, at) => `${at + 1},${cellOf(at + 1)},${at + 101}\n`).join('');

describe('regression: a stray quote', () => {
  it.each([
    [
      'is escaped with a backslash',
      5,
      `id,name,price\n${rows((n) => (n === 4 ? '"15\\""' : `"n${n}"`))}`,
      {},
    ],
    ['is not closed', 4, `id,name,price\n${rows((n) => (n === 3 || n === 9 ? `"n${n}` : `n${n}`))}`, {}],
    ['is in the last column of a table in quotes', 3, '"id","name"\n"1","a"\n"2","15\\""\n"3","c"\n', {}],
    [
      'is not closed in the last column of a table in quotes',
      3,
      '"id","name"\r\n"1","a"\r\n"2","b\r\n"3","c"\r\n"4","d"\r\n',
      {},
    ],
    ['is in the last column', 3, 'id,name\n1,a\n2,"b\n3,c\n4,"d\n', {}],
    ['has CR as line ends', 3, 'id,name\r1,a\r2,"b\r3,c\r4,"d\r', {}],
    ['is in a table of tabs', 3, 'id\tname\n1\ta\n2\t"b\n3\tc\n4\t"d\n', {}],
    ['has no delimiter between it and the next one', 2, 'id,note\n1,"Big\n15" tv,ok\n2,x\n', {}],
    ['is in the only column', 2, 'id\n"Big\nfoo\n19" rack\nbar\n', { delimiter: ',' }],
    ['is a cell of several lines with other quotes', 2, 'id,name\n1,"line\nsaid "hi" x"\n2,b\n', {}],
    ['has white space and text after the next one', 2, 'id,name\n1,"a\nb" \tc\n2,b\n', {}],
    ['is in the header', 1, 'id,"name\n1,"a\n', {}],
    ['is below a title', 3, 'May\nid,name\n1,a\n2,"b\n3,"c\n', { headerRow: 2 }],
    ['is in a table without a header', 2, '1,a\n2,"b\n3,"c\n', { headerRow: 0 }],
    ['is in a column without a key', 2, 'id,name\n1,"b\n2,"c\n', { keyFields: [] }],
    ['is in an ignored column', 2, 'id,name\n1,"b\n2,"c\n', { ignoreFields: ['name'] }],
  ])('fails with the number of its row if it %s', async (_what, row, body, more) => {
    for (const chunkBytes of [Infinity, 3]) {
      const outcome = await outcomeOf(body, { format: 'csv', keyFields: ['id'], ...more }, chunkBytes);
      expect(outcome).toContain('malformed_body: ');
      expect(outcome).toContain(`In row ${row} a quote opens a cell that goes on over the rows below`);
    }
  });

  it('chooses no other delimiter, which would hide it', async () => {
    const body = 'id;name;note\n1;a;x, y\n2;"b;x, y\n3;"c;x, y\n';
    expect(await outcomeOf(body)).toContain('In row 3 a quote');
  });

  it(
    'is found in every table whose cells have lost their closing quote in two rows',
    PROPERTY_TIMEOUT,
    async () => {
      const property = fc.asyncProperty(
        fc.integer({ min: 0, max: 18 }),
        fc.integer({ min: 0, max: 18 }),
        fc.nat(2),
        fc.constantFrom(',', ';', '\t', '|'),
        async (one, other, column, delimiter) => {
          fc.pre(one !== other);
          const lines = Array.from({ length: 20 }, (_, at) => {
            const cells = [`k${at}`, `n${at}`, `v${at}`];
            if (at === one || at === other) cells[column] = `"${cells[column]}`;
            return cells.join(delimiter);
          });
          const body = ['id', 'name', 'value'].join(delimiter) + `\n${lines.join('\n')}\n`;
          expect(await outcomeOf(body, { format: 'csv', delimiter, keyFields: [] })).toContain(
            `In row ${Math.min(one, other) + 2} a quote`,
          );
        },
      );
      await fc.assert(property, propertyRuns());
    },
  );
});

it.each([
  ['text after a closing quote', '"Big" one', '"Big" one'],
  ['lines and delimiters in quotes', '"a, b\nc, d"', 'a, b\nc, d'],
  ['the same with doubled quotes', '"a, ""b""\nc"', 'a, "b"\nc'],
  ['white space after the quotes of several lines', '"Hello, world\nfoo" \t', '"Hello, world\nfoo" \t'],
  ['white space after a line end in quotes', '"a\n" ', '"a\n" '],
  ['text after the quotes of several cells', '"a" b', '"a" b'],
  ['a delimiter before text after quotes', '"a, b" c', '"a, b" c'],
])('reads %s', async (_what, cell, text) => {
  const { rows, warnings } = await readBody(`id,name\n1,${cell}\n2,b\n`, { format: 'csv', delimiter: ',' });
  expect(rows.map(({ data }): unknown => JSON.parse(data))).toEqual([
    { id: '1', name: text },
    { id: '2', name: 'b' },
  ]);
  expect(warnings).toEqual([]);
});
