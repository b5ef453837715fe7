// Delimited text in which a quote is an ordinary character.
import { parse as parseOther } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { splitDelimited } from '../../../../core/delta/delimited/split-delimited.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';
import { outcomeOf, readBody } from '../read-body.ts';

const TITLES = 'id\tname\n1\t"Big" dog\n2\t"\n3\t15"\n4\t"a""b"\n5\t"end\n';
const UNQUOTED = { quoting: 'none', keyFields: ['id'] } as const;

const texts = fc
  .array(fc.constantFrom('a', 'é', ' ', ',', '\t', '"', '"', '""', '\n', '\r\n', '\r', '",', '"\n', '\\'), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''));

test('csv-parse without quotes reads the same rows', PROPERTY_TIMEOUT, () => {
  const property = fc.property(texts, fc.constantFrom(',', '\t'), (text, delimiter) => {
    const { rows, consumedLength } = splitDelimited(text, { delimiter, quoting: 'none' }, true);
    const other: unknown = parseOther(text, {
      delimiter,
      quote: false,
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
    });
    expect(rows).toEqual(other);
    expect(consumedLength).toBe(text.length);
  });
  fc.assert(property, propertyRuns(3_000));
});

describe('without quoting', () => {
  it('keeps each quote, in any chunks', async () => {
    for (const chunkBytes of [Infinity, 1, 3]) {
      expect(await outcomeOf(TITLES, UNQUOTED, chunkBytes)).toEqual([
        String.raw`{"id":"1","name":"\"Big\" dog"}`,
        String.raw`{"id":"2","name":"\""}`,
        String.raw`{"id":"3","name":"15\""}`,
        String.raw`{"id":"4","name":"\"a\"\"b\""}`,
        String.raw`{"id":"5","name":"\"end"}`,
      ]);
    }
  });

  it('reads what quotes make malformed or cut, and says so where they do', async () => {
    const stray = 'id,name\n1,a\n2,"b\n3,c\n4,"d\n';
    expect(await outcomeOf(stray, { keyFields: ['id'] })).toContain('set quoting to none');
    expect(await outcomeOf(stray, UNQUOTED)).toHaveLength(4);
    expect(await outcomeOf('id,name\n1,"b', UNQUOTED)).toEqual([String.raw`{"id":"1","name":"\"b"}`]);
  });

  it('names columns with their quotes, and ends cells and rows within quotes', async () => {
    const { columns, rows } = await readBody('"id","a b"\n"1","x\n', { quoting: 'none', headerRow: 1 });
    expect(columns).toEqual(['"id"', '"a b"']);
    expect(rows.map(({ data }) => data)).toEqual([String.raw`{"\"id\"":"\"1\"","\"a b\"":"\"x"}`]);
  });

  it('detects delimiter and header by the cells that it reads', async () => {
    const body = 'sku\tsize\tname\nA1\t"1\tx, y, z\nB2\t2\t"x, y, z\nC3\t3\tx\n';
    const { dialect, key } = await readBody(body, { quoting: 'none' });
    expect(dialect).toMatchObject({ format: 'tsv', delimiter: '\t', headerRow: 1, quoting: 'none' });
    expect(key.fields).toEqual(['sku']);
  });

  it('refuses rows with another delimiter than the header by the cells that it reads', async () => {
    const options = { quoting: 'none', delimiter: ',', headerRow: 1 } as const;
    expect(await outcomeOf('id,name\n1;"a\n2;"b\n', options)).toContain(
      'rows below have their cells between semicolons',
    );
  });

  it('is kept in the dialect, and quotes are not', async () => {
    expect((await readBody(TITLES, UNQUOTED)).dialect.quoting).toBe('none');
    expect((await readBody('id,name\n1,a\n', { quoting: 'double' })).dialect).not.toHaveProperty('quoting');
    const { dialect } = await readBody(TITLES, UNQUOTED);
    expect((await readBody(TITLES, { dialect, keyFields: ['id'] })).rows).toHaveLength(5);
  });
});
