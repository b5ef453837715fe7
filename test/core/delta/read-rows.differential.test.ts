// Compares the readers with those of others: csv-parse and Papa Parse for delimited text, JSON.parse for JSON.
import { CsvError } from 'csv-parse';
import { parse as parseOther } from 'csv-parse/sync';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import papaparse from 'papaparse';
import { describe, expect, test } from 'vitest';
import { splitRowJson } from '../../../core/delta/keys/keyed-row.ts';
import { splitDelimited } from '../../../core/delta/delimited/split-delimited.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';
import { readBody } from './read-body.ts';
import { csvStyle, table, writeCsv } from './tables.ts';

const SPECTRUM = new URL('../../../node_modules/csv-spectrum/', import.meta.url);
const cases = readdirSync(new URL('csvs/', SPECTRUM)).map((name) => name.replace(/\.csv$/, ''));

describe('csv-spectrum', () => {
  test.each(cases)('%s', async (name) => {
    const text = readFileSync(new URL(`csvs/${name}.csv`, SPECTRUM), 'utf8');
    const { rows } = await readBody(text, { format: 'csv', delimiter: ',' });
    const own = rows.map(({ data }) => valuesOf(data));
    expect(own).toEqual(parseOther(text, { columns: true, relax_quotes: true }));
    expect(own).toEqual(papaparse.parse(text, { header: true, skipEmptyLines: true, delimiter: ',' }).data);
    const wanted = readFileSync(new URL(`json/${name}.json`, SPECTRUM), 'utf8');
    // For one file the suite expects an object instead of a list, with a telephone number that the file does not contain.
    expect(own).toEqual([JSON.parse(wanted.replace('1234567890', '2095257564'))].flat());
  });

  test('has all its cases', () => {
    expect(cases).toHaveLength(12);
  });
});

type Opinion = string[][] | 'open quote';

function own(text: string, delimiter: string): Opinion {
  const { rows, consumedLength } = splitDelimited(text, { delimiter, quoting: 'double' }, true);
  return consumedLength === text.length ? rows : 'open quote';
}

function csvParse(text: string, delimiter: string): Opinion {
  try {
    return parseOther(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
    });
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED') return 'open quote';
    throw error;
  }
}

/** Undefined where Papa Parse reports a fault in the quotes: it reads such text differently. */
function papaParse(text: string, delimiter: string, newline: '\n' | '\r\n' | '\r'): Opinion | undefined {
  const { data, errors } = papaparse.parse<string[]>(text, { delimiter, newline });
  const codes = errors.map(({ code }) => code);
  if (codes.includes('InvalidQuotes')) return undefined;
  return codes.includes('MissingQuotes') ? 'open quote' : data;
}

/**
 * Parses each value separately. JSON.parse of Node 24 (V8 13.6) confuses a member name that contains an escape with a name that
 * ends in a backslash at the same offset of an earlier object: `"c\\t"` with `c\\`.
 */
const valuesOf = (data: string): object =>
  Object.fromEntries(splitRowJson(data).map(([name, token]): [string, unknown] => [name, JSON.parse(token)]));

/** Some readers count an empty line, or a line with one empty quoted field, as a row. */
const filled = (opinion: Opinion): Opinion =>
  opinion === 'open quote'
    ? opinion
    : opinion.filter((fields) => fields.join('') !== '' || fields.length > 1);

const dirty = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));

/** csv-parse drops one of two quotes in a cell that it then reads literally. We keep both. */
const singleQuotes = (opinion: Opinion): Opinion =>
  typeof opinion === 'string'
    ? opinion
    : opinion.map((cells) => cells.map((cell) => cell.replaceAll(/"+/g, '"')));

describe('dirty delimited text', () => {
  const pieces = [
    'a',
    'é',
    '😀',
    ' ',
    ',',
    ',',
    ';',
    '\t',
    '"',
    '"',
    '""',
    '\n',
    '",',
    '"\n',
    ',"',
    '\ufeff',
    '\\',
    '0',
  ];

  test('csv-parse reads the same rows with all kinds of line ends', PROPERTY_TIMEOUT, () => {
    const property = fc.property(
      dirty([...pieces, '\r', '\r\n']),
      fc.constantFrom(',', ';', '\t'),
      (text, delimiter) => {
        expect(singleQuotes(own(text, delimiter))).toEqual(singleQuotes(csvParse(text, delimiter)));
      },
    );
    fc.assert(property, propertyRuns(3_000));
  });

  test('Papa Parse reads the same rows, if it finds no error in the quotes', PROPERTY_TIMEOUT, () => {
    let agreedCount = 0;
    // Papa Parse drops blanks after a closing quote, and accepts one kind of line end per body.
    const plain = pieces.filter((piece) => ![' ', '\t', '\ufeff'].includes(piece));
    const property = fc.property(
      dirty(plain),
      fc.constantFrom(',', ';'),
      fc.constantFrom('\n', '\r\n', '\r'),
      (lines, delimiter, newline) => {
        const text = lines.replaceAll('\n', newline);
        const other = papaParse(text, delimiter, newline);
        if (other !== undefined) agreedCount++;
        expect(filled(own(text, delimiter))).toEqual(filled(other ?? own(text, delimiter)));
      },
    );
    fc.assert(property, propertyRuns(3_000));
    expect(agreedCount).toBeGreaterThan(500);
  });

  test('all three read a valid table alike, in every notation', PROPERTY_TIMEOUT, async () => {
    const property = fc.asyncProperty(table, csvStyle, async (given, style) => {
      const text = writeCsv(given, style);
      const { delimiter, lineEnd } = style;
      const { rows } = await readBody(text, { format: 'csv', delimiter, keyFields: ['id'] });
      const mine = rows.map(({ data }) => valuesOf(data));
      const parsed = csvParse(text, delimiter);
      const [header = [], ...others] = parsed === 'open quote' ? [] : parsed;
      expect(mine).toEqual(
        others.map((fields) => Object.fromEntries(header.map((name, at) => [name, fields[at]]))),
      );
      const newline = lineEnd as '\n' | '\r\n' | '\r'; // as csvStyle makes them
      expect(filled(papaParse(text, delimiter, newline) ?? [])).toEqual(filled(csvParse(text, delimiter)));
    });
    await fc.assert(property, propertyRuns());
  });
});

describe('ragged delimited text', () => {
  const cell = fc.constantFrom('', 'a', 'é', ' ', 'x,y', 'q"q', 'two\nlines', '1.10');
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { maxLength: 8 });
  const above = fc.array(fc.constantFrom('', 'Prices', '# a, b', 'x;y', 'sep=;'), { maxLength: 3 });

  test('has exactly the cells that csv-parse finds', PROPERTY_TIMEOUT, async () => {
    const property = fc.asyncProperty(
      above,
      rows,
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.boolean(),
      fc.integer({ min: 1, max: 30 }),
      async (titles, table, lineEnd, hasHeader, chunkBytes) => {
        const lines = [['id', 'name', 'note'], ...table].map((cells) =>
          cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(','),
        );
        const skipped = hasHeader ? titles : [];
        const text = [...skipped, ...lines].join(lineEnd);
        const headerRow = hasHeader ? titles.length + 1 : 0;
        const options = { format: 'csv', delimiter: ',', headerRow, keyFields: [] } as const;
        const { rows: own, columns } = await readBody(text, options, chunkBytes);
        const others = csvParse(lines.join(lineEnd), ',');
        const wanted = others === 'open quote' ? [] : others.slice(hasHeader ? 1 : 0);
        expect(own.map(({ data }) => Object.values(valuesOf(data)))).toEqual(wanted);
        expect(columns).toHaveLength(Math.max(3, ...wanted.map((cells) => cells.length)));
      },
    );
    await fc.assert(property, propertyRuns());
  });
});

/** Nested objects as dot paths, as in rows. The last value of a path counts. */
function flatten(value: object, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]): [string, unknown][] => {
    const isNested = typeof member === 'object' && member !== null && !Array.isArray(member);
    return isNested && Object.keys(member).length > 0
      ? flatten(member, `${prefix}${name}.`)
      : [[prefix + name, member]];
  });
}

describe('JSON', () => {
  const name = fc.constantFrom('a', 'b', 'é', '', '__proto__', 'constructor', 'x y', '"');
  const row = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 1, stringUnit: 'grapheme' }),
      tie('object'),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
    object: fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  })).object;

  test.each(['jsonl', 'json'] as const)(
    'as %s has the values that JSON.parse finds',
    PROPERTY_TIMEOUT,
    async (format) => {
      const property = fc.asyncProperty(
        fc.array(row, { maxLength: 5 }),
        fc.integer({ min: 1, max: 30 }),
        async (given, chunkBytes) => {
          const texts = given.map((one) => JSON.stringify(one).replaceAll(String.raw`\u0000`, ' '));
          const body = format === 'jsonl' ? texts.join('\n') : `[${texts.join(' , ')}]`;
          const { rows } = await readBody(body, { format, rowsPath: '', keyFields: [] }, chunkBytes);
          const paths = rows.map(({ data }) => Object.entries(valuesOf(data)));
          expect(paths.map((entries) => new Map(entries))).toEqual(
            texts.map((text) => new Map(flatten(JSON.parse(text) as object))),
          );
        },
      );
      await fc.assert(property, propertyRuns());
    },
  );
});
