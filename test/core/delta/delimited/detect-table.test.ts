// Finds the table in layouts that people and programs export.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../support/runner/property-runs.ts';
import { detectTable } from '../../../../core/delta/delimited/detect-table.ts';
import { CheckError } from '../../../../core/errors.ts';
import { readBody } from '../read-body.ts';

const lines = (...texts: string[]): string => texts.map((text) => `${text}\n`).join('');
const HEADER_UNCLEAR = 'header_unclear';

/** The delimiter, the line of the header and the columns; or the code of the error. */
async function layoutOf(body: string, settings = {}): Promise<string> {
  try {
    const { dialect, columns } = await readBody(body, { keyFields: [], ...settings });
    return `${dialect.delimiter ?? ''} ${dialect.headerRow ?? ''} ${columns.join('/')}`;
  } catch (error) {
    if (error instanceof CheckError) return error.code;
    throw error;
  }
}

const PRICES = ['sku,name,price', 'A-1,Nut,5', 'A-2,Bolt,6', 'A-3,Gear,70'] as const;
const SEMICOLONS = PRICES.map((line) => line.replaceAll(',', ';'));
const TABS = PRICES.map((line) => line.replaceAll(',', '\t'));
const TEAM = ['name,city,role', 'Ann,Paris,chair', 'Bob,Rome,clerk'] as const;

describe('the header is the first line', () => {
  test.each([
    ['of a plain table', lines(...PRICES), ', 1 sku/name/price'],
    ['of a table of texts', lines(...TEAM), ', 1 name/city/role'],
    ['of a list of words', lines('word', 'apple', 'pear'), ', 1 word'],
    [
      'of a list of names, some with a comma',
      lines('company', 'Acme', 'Foo, Inc.', 'Bar', 'Baz'),
      ', 1 company/column_2',
    ],
    [
      'in words',
      lines('Name of the product,Price in euro', 'Nut,5'),
      ', 1 Name of the product/Price in euro',
    ],
    ['whose first column has no name', lines(',x,y', '1,5,6', '2,7,8'), ', 1 column_1/x/y'],
    [
      'with a # before the first name',
      lines('#chrom\tstart\tend', 'chr1\t1\t9', 'chr1\t20\t30'),
      '\t 1 #chrom/start/end',
    ],
    ['with a # before names of texts', lines('#name,city', 'Ann,Paris', 'Bob,Rome'), ', 1 #name/city'],
    ['of years', lines('country,2019,2020', 'A,1,2', 'B,3,4'), ', 1 country/2019/2020'],
    ['of years and others', lines('code,2020,2019', 'A,1,2'), ', 1 code/2020/2019'],
    ['of dates', lines('city,1/22/20,1/23/20', 'Paris,1,2', 'Rome,3,4'), ', 1 city/1/22/20/1/23/20'],
    ['above units', lines('time,depth,heat', 's,m,C', '0,1,2', '1,2,3'), ', 1 time/depth/heat'],
    ['of numbered names', lines('x1,x2', 'a1,5', 'b2,6', 'c3,7'), ', 1 x1/x2'],
    ['of hours', lines('day,0,1,2', 'A,5,6,7'), ', 1 day/0/1/2'],
    ['of a pair of numbers', lines('day,0,1', 'A,5,6'), ', 1 day/0/1'],
    ['of shares', lines('city,0.1,0.2,0.3', 'A,5,6,7'), ', 1 city/0.1/0.2/0.3'],
    [
      'of wavelengths',
      lines('probe,400,405,412,433,450,477,500', 'A,5,6,7,8,9,1,2'),
      ', 1 probe/400/405/412/433/450/477/500',
    ],
    ['of row numbers and column numbers', lines(',0,1,2', '0,5,6,7', '1,4,3,2'), ', 1 column_1/0/1/2'],
    ['when all lines end with a delimiter', lines('a,b,', '1,2,', '3,4,'), ', 1 a/b/column_3'],
    ['when all lines but it end with one', lines('a,b', '1,2,', '3,4,'), ', 1 a/b/column_3'],
    ['when some rows are longer', lines('a,b', '1,2', '3,4,x', '5,6'), ', 1 a/b/column_3'],
    ['when most rows are shorter', lines('a,b,c', '1', '2', '3,x,y'), ', 1 a/b/c'],
    [
      'when the last columns have no name',
      lines('name,age,,', 'Ann,5,6,7', 'Bob,6,7,8'),
      ', 1 name/age/column_3/column_4',
    ],
    ['of a table without rows', lines('a,b,c'), ', 1 a/b/c'],
  ])('%s', async (_what, body, layout) => {
    expect(await layoutOf(body)).toBe(layout);
  });
});

describe('regression: the header is found', () => {
  test.each([
    ['below the line that names the delimiter', lines('sep=;', ...SEMICOLONS), '; 2 sku/name/price'],
    ['below it, with another delimiter', lines('sep=|', 'a|b', '1,5|2', '3|4'), '| 2 a/b'],
    ['below it, padded', lines('sep=,,,', ...PRICES), ', 2 sku/name/price'],
    [
      'below it and a title',
      lines('SEP=;', 'Price list of November 2026', '', ...SEMICOLONS),
      '; 4 sku/name/price',
    ],
    ['below a title', lines('Price list of November 2026', ...PRICES), ', 2 sku/name/price'],
    ['below a title with a comma in it', lines('Prices, November', ...SEMICOLONS), '; 2 sku/name/price'],
    ['below a title and a blank line', lines('Prices', '', ...PRICES), ', 3 sku/name/price'],
    ['below a padded title', lines('Prices,,', ...PRICES), ', 2 sku/name/price'],
    [
      'below a padded title and a padded blank line',
      lines('Prices,,', ',,', ...PRICES),
      ', 3 sku/name/price',
    ],
    [
      'below a padded title of two columns',
      lines('Prices,', ',', 'sku,price', 'A,5', 'B,6'),
      ', 3 sku/price',
    ],
    ['below several lines', lines('Prices', 'Version 3', 'Valid from May', ...PRICES), ', 4 sku/name/price'],
    ['below a fact of two cells', lines('Report date\t2026-11-01', ...TABS), '\t 2 sku/name/price'],
    ['below a padded fact', lines('Report date,2026-11-01,', ...PRICES), ', 2 sku/name/price'],
    ['below comments', lines('# made by a tool', '# on Monday', ...PRICES), ', 3 sku/name/price'],
    [
      'below comments, itself with a #',
      lines('##fileformat=VCFv4.2', '#CHROM\tPOS\tID', '1\t9\ta', '1\t10\tb'),
      '\t 2 #CHROM/POS/ID',
    ],
    [
      'below facts and blank lines, with years among the names',
      lines(
        '"Source","World Development Indicators",',
        '',
        '"Country","Code","Unit","1960","1961","1962",',
        '"Aruba","ABW","M1","5","6","7",',
        '"Chad","TCD","M1","7","8","9",',
      ),
      ', 3 Country/Code/Unit/1960/1961/1962/column_7',
    ],
    [
      'of a known name above words, numbers and a total',
      lines('Members', 'team,kind,points', 'Reds,a,3', 'Blues,b,4', 'total,,7'),
      ', 2 team/kind/points',
    ],
    [
      'of several names of measures',
      lines('Parts', 'model,price,weight', 'Nut,5,1', 'Bolt,6,2'),
      ', 2 model/price/weight',
    ],
    [
      'of unknown names above many numbers',
      lines(
        'Tiefen',
        'Ort,Nord,Ost,West,Mitte',
        ...Array.from({ length: 12 }, (_, at) => `Platz ${'abcdefghijkl'[at]},${at},1,2,3`),
      ),
      ', 2 Ort/Nord/Ost/West/Mitte',
    ],
    [
      'below a title, at Windows line ends',
      lines('Prices', '', ...PRICES).replaceAll('\n', '\r\n'),
      ', 3 sku/name/price',
    ],
    [
      'below a title, at old Mac line ends',
      lines('Prices', '', ...PRICES).replaceAll('\n', '\r'),
      ', 3 sku/name/price',
    ],
    [
      'below a title with a line end in quotes',
      lines('"Prices,\nall of them"', ...PRICES),
      ', 3 sku/name/price',
    ],
  ])('%s', async (_what, body, layout) => {
    expect(await layoutOf(body)).toBe(layout);
  });
});

describe('regression: it is not clear which line is the header', () => {
  test.each([
    [
      'fewer names than cells, in numbers',
      lines('569,30,malignant,benign', '17.99,10.38,122.8,1001,0.1', '20.57,17.77,132.9,1326,0.08'),
    ],
    ['row names without a name', lines('"Weight","Feed"', '"1",26.5,5', '"2",27.6,6')],
    ['fewer names than cells, in texts', lines('name,city', 'Ann,Paris,x', 'Bob,Rome,y')],
    ['a list of names with a comma in each', lines('name', 'Smith, John', 'Doe, Jane', 'Roe, Jim')],
    ['a list of addresses', lines('address', '1 Main St, Springfield, IL', '22 Elm St, Dover, DE')],
    ['a list of lists', lines('tags', 'red,green,blue', 'black,white,grey', 'one,two,three')],
    ['a title above a table without a header', lines('Measured on Monday', '1,2,3', '4,5,6')],
    ['a title of as many cells as the header', lines('Prices,November', 'sku,price', 'A,5', 'B,6')],
    ['a title, and a header that comes again', lines('Team', '', ...TEAM, '', ...TEAM)],
    ['a title of one word above a table of texts', lines('Team', ...TEAM)],
    ['texts at semicolons below a word', lines('Team', ...TEAM.map((line) => line.replaceAll(',', ';')))],
  ])('%s', async (_what, body) => {
    expect(await layoutOf(body)).toBe(HEADER_UNCLEAR);
  });

  test('the message names the line, the cells and the setting', async () => {
    await expect(readBody(lines('a,b', '1,2,3', '4,5,6'))).rejects.toThrow(
      /^It is not clear.*Line 1 has 2 cells, and most rows below have more\. Set headerRow/,
    );
    await expect(readBody(lines('Prices,November', 'sku,price', 'A,5'))).rejects.toThrow(
      /Line 1 may be a title above the header\. Set headerRow/,
    );
    await expect(readBody(lines('5.1,3.5', '4.9,3.0'))).rejects.toThrow(
      /Line 1 looks like a row of data\. Set headerRow .* 0 if the table has none/,
    );
  });
});

describe('regression: the first row of data is not taken as the header', () => {
  const CAPITALS = ['AT,Austria,Vienna', 'DE,Germany,Berlin', 'FR,France,Paris'];
  const DEPTHS = ['Alpha,dry,low', 'Beta,12,3', 'Gamma,13,4'];

  test.each([
    ['a blank line below two names', lines('code,name', '', ...CAPITALS)],
    ['two names in a comment', lines('#code,name', ...CAPITALS)],
    ['two names in a comment, with a space', lines('# code,name', ...CAPITALS)],
    ['a comment above texts', lines('# made by a tool', '', ...CAPITALS)],
    ['a padded word above texts', lines('Totals,,', ...CAPITALS)],
    ['a padded word and a padded blank line above texts', lines('Totals,,', ',,', ...CAPITALS)],
    ['several words above texts', lines('Name of country', ...CAPITALS)],
    ['several words and a blank line above texts', lines('Name of the country', '', ...CAPITALS)],
    ['a title above texts and a header', lines('Members of the board', ...TEAM)],
    ['a first value that is missing', lines('"score","city"', '"Ann","NA","Vienna"', '"Bob","12","Graz"')],
    ...['unknown,n/a', 'NA,N/A', 'none,null', 'n.a.,-', 'NaN,nan', '?,n/d', 'yes,tba', 'missing,pending'].map(
      (cells) => [
        `first values such as ${cells}`,
        lines('station,depth', `Alpha,${cells}`, 'Beta,12,3', 'Gamma,13,4'),
      ],
    ),
    ['first values that are missing, below a title', lines('Depths today', 'Alpha,n/a,none', 'Beta,12,3')],
    ['first values that are words', lines('station,depth', ...DEPTHS)],
    ['first values that are words, below a comment', lines('#station,depth', ...DEPTHS)],
    ['first values that are words, below a blank line', lines('station,depth', '', ...DEPTHS)],
    ['a first value that is a word, among numbers', lines('Depths', 'A1,low,5', 'B2,12,3', 'C3,13,4')],
    ['first values that are words, below a title of one word', lines('Depths', ...DEPTHS)],
    ['the same, padded', lines('Depths,,', ...DEPTHS)],
    [
      'first values that are words, below several words',
      lines('Alpha to Gamma, in metres', ...DEPTHS.map((line) => `${line},${line.at(-1)}1`)),
    ],
    ['two names above five cells', lines('code,name', 'AT,Austria,dry,low,calm', 'DE,Germany,12,3,7')],
    [
      'two known names above five cells, the first of them one, too',
      lines('code,name', 'station,Alpha,dry,low,calm', 'tower,Beta,12,3,7'),
    ],
    ['four words above few numbers', lines('Depths', 'Alpha,dry,low,calm,grey', 'Beta,12,3,7,9')],
    ['a word that also is a name', lines('Rates', 'day,free,low', 'week,12,3', 'month,20,5')],
    ['words that end like names', lines('Depths', 'North station,dry,low', 'South station,12,3')],
    ['numbers', lines('14.23,1.71,2.43,127', '13.2,1.78,2.14,100', '13.16,2.36,2.67,101')],
    ['a single number', lines('AT,8500000', 'DE,83000000')],
    ['numbers in quotes', lines('"CN01","01","Autauga, AL","23,288"', '"PA01","02","Baldwin, AL","81,706"')],
    ['codes', lines('A-1,Nut', 'A-2,Bolt', 'B-3,Gear')],
    ['dates', lines('2024-01-01,Paris', '2024-01-02,Rome', '2024-02-03,Oslo')],
    ['amounts', lines('AT,$5', 'DE,$6', 'FR,$7')],
    ['a list of numbers', lines('17', '12', '5')],
    ['numbers that only seem to rise', lines('a,1,5,7', 'b,3,2,1')],
    ['two names with a fact above', lines('Author', 'station,depth', ...DEPTHS)],
    ['facts of two words', lines('Author,Ann,', ...PRICES)],
    ['two names at tabs', lines('code\tname', '', ...CAPITALS.map((line) => line.replaceAll(',', '\t')))],
    ['two names in quotes', lines('"code","name"', '', ...CAPITALS)],
    ['three names above four cells', lines('a,b,c', '', 'x,y,z,w', 'p,q,r,s')],
    ['two names at Windows line ends', lines('code,name', '', ...CAPITALS).replaceAll('\n', '\r\n')],
  ])('%s', async (_what, body) => {
    expect(await layoutOf(body)).toBe(HEADER_UNCLEAR);
  });
});

describe('regression: one name fewer than cells, as R writes row names', () => {
  /** As R's write.table does with its defaults, at commas. */
  const tables = fc
    .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 2, max: 20 }), fc.nat())
    .map(([columns, rows, seed]) => {
      const names = Array.from({ length: columns }, (_, at) => `"name ${at}"`);
      const cells = (row: number) => names.map((_, at) => String((seed % 1_000) + row * columns + at));
      const body = Array.from({ length: rows }, (_, row) => [`"row ${row}"`, ...cells(row)].join(','));
      return { columns, rows, body: lines(names.join(','), ...body) };
    });

  test('is refused with a message that says what works, and that works', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async ({ columns, rows, body }) => {
        await expect(readBody(body)).rejects.toThrow(
          /One name is missing.*col\.names = NA, or set headerRow to 0/,
        );
        const read = await readBody(body, { headerRow: 0 });
        expect(read.columns).toEqual(Array.from({ length: columns + 1 }, (_, at) => `column_${at + 1}`));
        expect(read.rows).toHaveLength(rows + 1);
        const cells = read.rows.map(({ data }) => Object.values(JSON.parse(data) as object));
        const written = body
          .trimEnd()
          .split('\n')
          .map((line) => line.replaceAll('"', '').split(','));
        expect(cells).toEqual(written);
        // With col.names = NA there is a name for each cell.
        expect((await readBody(`"",${body}`)).columns[0]).toBe('column_1');
      }),
      propertyRuns(200),
    );
  });

  test('is not reported for a title, a list, or rows of several lengths', async () => {
    for (const body of [
      lines('name', 'Smith, John', 'Doe, Jane', 'Roe, Jim'),
      lines('a,b', '1,2,3', '4,5,6,7', '8,9,10'),
    ]) {
      const error = await readBody(body).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: HEADER_UNCLEAR });
      expect(String(error)).not.toContain('col.names');
    }
  });
});

describe('a given header', () => {
  const UNCLEAR = lines('Team', ...TEAM);

  test.each([
    ['its line', UNCLEAR, { headerRow: 2 }, ', 2 name/city/role'],
    ['the first line', UNCLEAR, { headerRow: 1 }, ', 1 Team/column_2/column_3'],
    ['a blank line above it', lines('Team', '', ...TEAM), { headerRow: 2 }, ', 2 name/city/role'],
    [
      'its line below one that names the delimiter',
      lines('sep=;', 'x', 'a;b', '1;2'),
      { headerRow: 3 },
      '; 3 a/b',
    ],
    ['none', lines('1,2', '3,4'), { headerRow: 0 }, ', 0 column_1/column_2'],
    ['none, with longer rows', lines('1,2', '3,4,5'), { headerRow: 0 }, ', 0 column_1/column_2/column_3'],
    [
      'none, below the name of the delimiter',
      lines('sep=;', '1;2', '3;4'),
      { headerRow: 0 },
      '; 0 column_1/column_2',
    ],
    ['a line below the end', UNCLEAR, { headerRow: 9 }, 'empty_body'],
    [
      'another delimiter, which wins over the named one',
      lines('sep=;', 'a,b', '1;,2'),
      { delimiter: ',' },
      ', 2 a/b',
    ],
  ])('%s', async (_what, body, settings, layout) => {
    expect(await layoutOf(body, settings)).toBe(layout);
  });

  test('every line is a row of a table without a header', async () => {
    const { rows, warnings } = await readBody('1,x\n2,y\n', { headerRow: 0, keyFields: ['column_1'] });
    expect(rows.map(({ data }) => data)).toEqual([
      '{"column_1":"1","column_2":"x"}',
      '{"column_1":"2","column_2":"y"}',
    ]);
    expect(warnings).toEqual([]);
  });
});

describe('lines above the header', () => {
  test('are reported in a warning, except blank ones and the one that names the delimiter', async () => {
    const { warnings } = await readBody(lines('sep=,', 'Prices', '', ...PRICES), { keyFields: [] });
    expect(warnings).toEqual([{ code: 'lines_above_header', count: 1, samples: ['line 2'] }]);
  });

  test('are skipped wherever the chunks end', async () => {
    const body = lines('Prices of Müller', '', ...PRICES).replaceAll('\n', '\r\n');
    const whole = await readBody(body, { keyFields: ['sku'] });
    for (let size = 1; size < 40; size++)
      expect(await readBody(body, { keyFields: ['sku'] }, size)).toEqual(whole);
    expect(whole.rows.map(({ key }) => key)).toEqual(['A-1', 'A-2', 'A-3']);
  });

  test('must be valid all the same', async () => {
    await expect(readBody('a\0b\nx,y\n1,2\n', { headerRow: 2 })).rejects.toMatchObject({
      code: 'invalid_character',
    });
  });
});

describe('regression: cells beyond the header', () => {
  test('never take the name of another column', async () => {
    const { columns } = await readBody(lines('column_3,b', 'a,b', '1,2,x', '3,4'), { keyFields: [] });
    expect(columns).toEqual(['column_3', 'b', 'column_3_2']);
  });

  test('count towards the limit of columns', async () => {
    const body = lines('a,b', '1,2', '3,4', `5${',6'.repeat(1_000)}`);
    await expect(readBody(body, { keyFields: [] })).rejects.toMatchObject({ code: 'too_many_columns' });
  });
});

test.each([
  ['codes', `${'1-,'.repeat(10_900)}x\n${'1\n'.repeat(16_000)}`],
  [
    'known names',
    `a,b\n${Array.from({ length: 5_500 }, (_, at) => `a${at} id`).join(',')}\n${'1\n'.repeat(8_000)}`,
  ],
])(
  'regression: reads a wide row of %s above very many short ones, in time',
  { timeout: 10_000 },
  (_name, text) => {
    expect(detectTable(text, true, { delimiter: ',' })).toMatchObject({ delimiter: ',' });
  },
);
