// Which fields are taken as the key, and what is said of the choice.
import { describe, expect, test } from 'vitest';
import { detectKey } from '../../../../core/delta/keys/detect-key.ts';
import { readBody } from '../read-body.ts';

const keyOf = async (body: string, ignoreFields: string[] = []) => {
  const { fields, evidence } = (await readBody(body, { ignoreFields })).key;
  return { fields, rule: evidence?.rule };
};

/** Every row of the first list with every row of the others. */
const cross = (...lists: string[][]): string[] =>
  lists.reduce(
    (rows, list) => rows.flatMap((row) => list.map((value) => (row === '' ? value : `${row},${value}`))),
    [''],
  );
const YEARS = Array.from({ length: 12 }, (_, at) => `${2000 + at}`);
const table = (header: string, rows: string[]): string =>
  `${header}\n${rows.map((row, at) => `${row},${at}.5`).join('\n')}\n`;

describe('a key is detected', () => {
  test.each([
    ['by its name before the leftmost', 'title,sku\na,1\nb,2\n', ['sku'], 'name'],
    ['named a key before named like one', 'order_id,id\n1,3\n2,4\n', ['id'], 'name'],
    ['with capitals in the name', 'licenseId,title\n1,a\n2,b\n', ['licenseId'], 'name'],
    ['named like what tables are about', 'region,city,mayor\nR,A,x\nR,B,x\n', ['city'], 'name'],
    ['leftmost where no name tells', 'bacteria,penicillin\nA,870\nB,1\n', ['bacteria'], 'leftmost'],
    ['not if two rows share it', 'id,city\n1,A\n1,B\n', ['city'], 'name'],
    ['not if a row has it empty', 'id,city\n,A\n1,B\n', ['city'], 'name'],
    ['not if a row lacks it', 'city,id\nA,1\nB\n', ['city'], 'name'],
    ['not if its name says that it changes', 'last_updated,price,city\n1,5,A\n2,6,B\n', ['city'], 'name'],
    ['not if it only numbers the rows', ',index,city\n0,1,A\n1,2,B\n', ['city'], 'name'],
    ['not if it is ignored', 'id,city\n1,A\n2,B\n', ['city'], 'name', ['id']],
    ['not if it holds long texts', `note,city\n${'x'.repeat(300)},A\nb,B\n`, ['city'], 'name'],
    ['of the names of rows, as R writes them', ',mpg\nMazda,21\nFiat,22\n', ['column_1'], 'leftmost'],
    [
      'of days that follow each other',
      'date,sky,temp\n2024-01-01,sun,1\n2024-01-02,sun,1\n2024-01-03,fog,2\n',
      ['date'],
      'time',
    ],
    [
      'of country and year',
      table('country,year,pop', cross(['A', 'B', 'C'], YEARS)),
      ['country', 'year'],
      'pair',
    ],
    [
      'of three where no two serve',
      table('variety,year,site,yield', cross(['a', 'b', 'c'], YEARS, ['x', 'y'])),
      ['variety', 'year', 'site'],
      'triple',
    ],
    ['of none if no pair serves', 'a,b\n1,x\n1,x\n', [], 'none'],
    ['of none if there are no rows', 'id,b\n', [], 'no_rows'],
    [
      'by the path of nested objects',
      '{"n":[1],"meta":{"id":1}}\n{"n":[2],"meta":{"id":2}}\n',
      ['meta.id'],
      'name',
    ],
    [
      'not if it lies in an ignored object',
      '{"meta":{"id":1},"t":"a"}\n{"meta":{"id":2},"t":"b"}\n',
      ['t'],
      'leftmost',
      ['meta'],
    ],
    [
      'not of lists or objects',
      '{"n":[1],"o":{},"city":"a"}\n{"n":[2],"o":[],"city":"b"}\n',
      ['city'],
      'name',
    ],
    ['not of null', '{"id":null,"city":"a"}\n{"id":1,"city":"b"}\n', ['city'], 'name'],
    ['not of what the first row lacks', '{"t":"a"}\n{"id":1,"t":"b"}\n', ['t'], 'leftmost'],
  ])('%s', async (_, body, fields, rule, ignored: string[] = []) => {
    expect(await keyOf(body, ignored)).toEqual({ fields, rule });
  });

  test('over all rows, however late the duplicate comes', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => `${n === 4_999 ? 0 : n},v${n}`);
    expect(await keyOf(`id,name\n${rows.join('\n')}\n`)).toEqual({ fields: ['name'], rule: 'name' });
  });
});

describe('regression: what may name another thing than the row is no key', () => {
  const rowsOf = (count: number, row: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => `${row(at)}\n`).join('');
  const day = (at: number): string => `2024-01-${String(1 + (at % 28)).padStart(2, '0')}`;

  test.each([
    [
      'customers of orders',
      `day,customer_id,amount\n${rowsOf(30, (at) => `${day(at >> 1)},${7000 + at},${10 + (at % 7)}`)}`,
      'customer_id',
    ],
    [
      'codes of places',
      `crime,zip_code,dead\n${rowsOf(20, (at) => `${at % 2 === 0 ? 'theft' : 'fire'},${10_000 + at * 37},${at % 3}`)}`,
      'zip_code',
    ],
    [
      'places of earthquakes',
      `date,location,magnitude\n${rowsOf(20, (at) => `${day(at >> 1)},Place${at},${4 + (at % 3)}`)}`,
      'location',
    ],
    [
      'codes of countries beside a date',
      `date,iso,cases\n${rowsOf(20, (at) => `${day(at >> 1)},C${at},${at % 4}`)}`,
      'iso',
    ],
    [
      'places of earthquakes, first',
      `location,date,magnitude\n${rowsOf(20, (at) => `Place${at},${day(at)},${4 + (at % 3)}`)}`,
      'location',
    ],
    [
      'senders of letters, first',
      `sender,subject,date\n${rowsOf(12, (at) => `Person${at},Hello ${at % 5},${day(at)}`)}`,
      'sender',
    ],
    [
      'customers of orders in JSON',
      rowsOf(20, (at) => `{"state":"${at % 3}","customer":{"id":${7000 + at}}}`),
      'customer.id',
    ],
  ])('%s', async (_what, body, offered) => {
    const { fields, evidence } = (await readBody(body)).key;
    expect({ fields, rule: evidence?.rule }).toEqual({ fields: [], rule: 'none' });
    expect(evidence?.alternatives).toContain(offered);
  });

  test.each([
    ['first', `customer_id,day\n${rowsOf(20, (at) => `${7000 + at},${day(at >> 1)}`)}`, 'customer_id'],
    ['of the row', `day,id\n${rowsOf(20, (at) => `${day(at >> 1)},${7000 + at}`)}`, 'id'],
    [
      'of the row in GeoJSON',
      rowsOf(20, (at) => `{"type":"Feature","properties":{"id":${7000 + at},"depth":3}}`),
      'properties.id',
    ],
    [
      'with the time of an extract',
      `country,date,cases\n${rowsOf(20, (at) => `Land${at},2024-05-01,${at % 4}`)}`,
      'country',
    ],
    [
      'with a result',
      `athlete,time\n${rowsOf(20, (at) => `Athlete ${'abcdefghijklmnopqrst'[at]},1:${10 + at}:33`)}`,
      'athlete',
      'leftmost',
    ],
    [
      'with a year',
      `species,year,count\n${rowsOf(20, (at) => `Species ${at},${1990 + at},${at % 4}`)}`,
      'species',
    ],
    ['without a time', `region,city\n${rowsOf(20, (at) => `R${at % 3},Place${at}`)}`, 'city'],
  ])('an identifier or a thing is taken: %s', async (_what, body, key, rule = 'name') => {
    expect(await keyOf(body)).toEqual({ fields: [key], rule });
  });

  test('a pair is taken before a number with the name of a key', async () => {
    const body = `country,year,domain\n${cross(['A', 'B', 'C'], YEARS)
      .map((row, at) => `${row},${100_000 + at * 7_919}\n`)
      .join('')}`;
    expect(await keyOf(body)).toEqual({ fields: ['country', 'year'], rule: 'pair' });
  });
});

describe('regression: an amount is no key, however it is written', () => {
  test.each([
    ['$1.5M', '$2.5M', '$3M'],
    ['1.5 million', '2 million', '3.25 billion'],
    ['1.5 km/h', '2.5 km/h', '3 km/h'],
    ['−0.5 dB', '−1.5 dB', '2 dB'],
    ['100 kg', '200 kg', '300 kg'],
    ['USD 107', 'USD 108', 'USD 109'],
    ['EUR 1,200.50', 'EUR 900.10', 'EUR 3.00'],
    ['1.200,00 EUR', '900,00 EUR', '3,00 EUR'],
    ['10 Prozent', '11 Prozent', '12 Prozent'],
    ['40000 EUR', '50000 EUR', '60000 EUR'],
    ['₹ 100', '₹ 200', '₹ 300'],
    ['100 ₽', '200 ₽', '300 ₽'],
    ['US$ 1.5', 'US$ 2', 'US$ 3'],
    ['~5 m²', '~6 m²', '~7 m²'],
    ['5 per day', '6 per day', '7 per day'],
    ['12 µg/m³', '13 µg/m³', '14 µg/m³'],
    ['-12 °C', '-13 °C', '-14 °C'],
    ['1.5M', '2.5M', '3.5 M'],
  ])('%s', async (...amounts) => {
    const body = `budget\tgenre\n${amounts.map((amount) => `${amount}\tx\n`).join('')}`;
    expect(await keyOf(body)).toEqual({ fields: [], rule: 'none' });
  });

  test.each([
    ['titles, some of which begin with a number', 'title\tkind\n12 Monkeys\tx\nSolaris\tx\nDune\tx\n'],
    ['codes, some of which begin like a currency', 'title\tkind\nTOP1\tx\nMDM2\tx\nTP53\tx\n'],
    ['codes', 'title\tkind\nABC 107\tx\nABC 108\tx\n05U\tx\n'],
  ])('%s are still a key', async (_what, body) => {
    expect(await keyOf(body)).toEqual({ fields: ['title'], rule: 'leftmost' });
  });

  test('also when the first fraction comes late', async () => {
    const rows = Array.from({ length: 10_020 }, (_, at) => `${at}${at < 10_010 ? '' : '.5'},x`);
    expect(await keyOf(`reading_code,kind\n${rows.join('\n')}\n`)).toEqual({ fields: [], rule: 'none' });
  });
});

describe('regression: columns that differ by accident are no key', () => {
  const PEOPLE = Array.from(
    { length: 30 },
    (_, at) => `p${at},q${at % 28},${20 + (at % 17)},${at % 2 === 0 ? 'f' : 'm'}`,
  );

  test.each([
    ['decimals', 'centroid_lat,car_hours\n45.471,1772.75\n45.472,986.33\n'],
    ['amounts of money', 'fee,kind\n$1200,a\n$900,a\n'],
    ['whole numbers without the name of a key', 'population_1990,kind\n8425333,a\n9240934,a\n'],
    ['yields and populations, whatever comes beside', 'site,yield,pop\na,27,11\na,48,12\nb,27,13\nb,11,14\n'],
    ['first names', `first_name,last_name,age,gender\n${PEOPLE.join('\n')}\n`],
    ['texts behind other texts', 'kind,remark_text\na,x\na,y\n'],
    [
      'days of what happens now and then',
      'date,kind\n2024-01-01,a\n2024-01-02,a\n2024-03-09,b\n2024-07-01,a\n',
    ],
    [
      'a pair that so few rows would keep apart by chance',
      'color,shape\nred,disc\nred,cube\nblue,disc\nblue,cone\n',
    ],
    [
      'people of one age',
      table(
        'center,person,age,answer',
        PEOPLE.slice(1).map((_, at) => `${at % 2},${at >> 1},${20 + ((at * 7) % 23)}`),
      ),
    ],
  ])('%s', async (_, body) => {
    expect(await keyOf(body)).toEqual({ fields: [], rule: 'none' });
  });

  test('they are offered as a choice, measurements never', async () => {
    const { key } = await readBody(
      `first_name,last_name,size\n${PEOPLE.map((row, at) => `${row.split(',').slice(0, 2).join(',')},${at}.5`).join('\n')}\n`,
    );
    expect(key.evidence?.alternatives).toEqual(['first_name']);
  });
});

test('memory is bounded: less likely candidates are given up', async () => {
  const rows = Array.from({ length: 5_000 }, (_, n) => [`"a${n}"`, `"b${n}"`, `"c${n}"`]);
  const open = async function* () {
    for (let at = 0; at < rows.length; at += 100) {
      yield await Promise.resolve({ columns: ['city', 'name', 'id'], rows: rows.slice(at, at + 100) });
    }
  };
  const { fields, evidence } = await detectKey(open, () => false, { maxTableBytes: 100_000 });
  expect(fields).toEqual(['id']);
  expect(evidence.alternatives).toEqual([]);
});

test('the result is explained, with the number of rows and other possible keys', async () => {
  const { key } = await readBody('city,sku\nA,1\nB,2\n');
  expect(key.evidence).toEqual({
    rule: 'name',
    rows: 2,
    alternatives: ['city'],
    words: '“sku” is filled and different in all 2 rows, and named like a key.',
  });
  const pair = await readBody(table('country,year,pop', cross(['A', 'B', 'C'], YEARS)));
  expect(pair.key.evidence?.words).toBe(
    'No single field names a row, but “country” and “year” together are different in all 36 rows.',
  );
});
