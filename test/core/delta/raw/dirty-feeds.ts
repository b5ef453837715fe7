// Pairs of feeds as origins send them: the second made of the first by what happens to feeds, each row written in a
// style of its own.
import fc from 'fast-check';

export interface FeedPair {
  before: Buffer;
  now: Buffer;
  delimiter: string | null;
}

type Row = (string | null)[];

const ids = fc.constantFrom('1', '2', '3', '10', 'a', 'B', 'é', ' 1', '"q"', 'x,y', 'l\nf', '\ufeffm');
const values = fc.constantFrom(
  '',
  ' ',
  'v',
  'w',
  '1.10',
  '1.1',
  'a,b',
  'q"q',
  '"',
  'two\nlines',
  'cr\r\nlf',
  '\ufeff',
  'é😀',
);
const rows = fc
  .array(fc.tuple(ids, values, values), { maxLength: 9 })
  .map((list) => list.map((row): Row => [...row]));
const distinctRows = fc
  .uniqueArray(fc.tuple(ids, values, values), { maxLength: 9, selector: ([id]) => id })
  .map((list) => list.map((row): Row => [...row]));

const steps = fc.array(
  fc.record({
    what: fc.constantFrom(
      'change',
      'delete',
      'insert',
      'move',
      'repeat',
      'swap keys',
      'swap content',
      'shorten',
    ),
    at: fc.nat(20),
    other: fc.nat(20),
    id: ids,
    value: values,
  }),
  { maxLength: 4 },
);
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

function applyStep(table: Row[], { what, at, other, id, value }: Step): Row[] {
  const rows = table.map((row) => [...row]);
  const one = rows[at % Math.max(1, rows.length)];
  const two = rows[other % Math.max(1, rows.length)];
  const place = at % (rows.length + 1);
  if (what === 'insert') return rows.toSpliced(place, 0, [id, value, value]);
  if (one === undefined || two === undefined) return rows;
  if (what === 'delete') return rows.filter((row) => row !== one);
  if (what === 'move') return rows.filter((row) => row !== one).toSpliced(place, 0, one);
  if (what === 'repeat') return rows.toSpliced(place, 0, [...one]);
  if (what === 'change') one[1 + (other % 2)] = value;
  if (what === 'shorten') one.length = 2;
  if (what === 'swap keys') [one[0], two[0]] = [two[0] ?? null, one[0] ?? null];
  if (what === 'swap content') [one[1], two[1]] = [two[1] ?? null, one[1] ?? null];
  return rows;
}

/** How a row is written: mostly as the others are. */
interface Style {
  lineEnd: string;
  quoteAll: boolean;
  blankAfter: boolean;
}
const plain: Style = { lineEnd: '\n', quoteAll: false, blankAfter: false };
const styles: fc.Arbitrary<Style> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(plain) },
  {
    weight: 1,
    arbitrary: fc.record({
      lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
      quoteAll: fc.boolean(),
      blankAfter: fc.boolean(),
    }),
  },
);
const wholeStyle = fc.record({
  mark: fc.constantFrom('', '', '\ufeff'),
  isOpenEnded: fc.boolean(),
  rows: fc.array(styles, { minLength: 16, maxLength: 16 }),
  /** Bytes that no writer writes. */
  junk: fc.oneof(
    { weight: 12, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '5,un"quoted,x\n',
        '6,"closed"late,x\n',
        '7\n',
        '8,a,b,c\n',
        '"open',
        '9,\0,x\n',
        '\u00a0\n',
      ),
    },
  ),
  isReversed: fc.boolean(),
});
type WholeStyle = typeof wholeStyle extends fc.Arbitrary<infer S> ? S : never;

const HEADERS = [
  'id,name,note',
  'id,name,note',
  'id,name,note',
  '"id",name,note',
  'id,note,name',
  'id,name,name',
  'id,,note',
  'id;name',
];

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const csvRow = (row: Row, quoteAll: boolean): string =>
  row.map((cell) => (quoteAll || /[",\r\n]/.test(cell ?? '') ? quote(cell ?? '') : cell)).join(',');
const jsonRow = ([id, name, note]: Row, isReversed: boolean): string => {
  const members = [['id', id], ['name', name], ...(note === undefined ? [] : [['note', note]])];
  return JSON.stringify(Object.fromEntries(isReversed ? members.toReversed() : members));
};

function write(lines: string[], { mark, isOpenEnded, rows, junk }: WholeStyle): Buffer {
  const body = lines
    .map((line, at) => {
      const { lineEnd, blankAfter } = rows[at % rows.length] ?? plain;
      return line + lineEnd + (blankAfter ? lineEnd : '');
    })
    .join('');
  return Buffer.from(mark + (isOpenEnded && junk === '' ? body.replace(/[\r\n]+$/, '') : body + junk));
}

function writeCsv(header: string, table: Row[], style: WholeStyle): Buffer {
  const lines = table.map((row, at) =>
    csvRow(row, style.rows[(at + 1) % style.rows.length]?.quoteAll ?? false),
  );
  return write([header, ...lines], style);
}

function writeJsonl(table: Row[], style: WholeStyle): Buffer {
  const isReversed = (at: number): boolean => style.rows[at % style.rows.length]?.quoteAll ?? false;
  const lines = table.map((row, at) => jsonRow(row, isReversed(at)));
  // A carriage return alone ends no line.
  const rows = style.rows.map((row) => ({ ...row, lineEnd: row.lineEnd === '\r' ? '\n' : row.lineEnd }));
  return write(lines, { ...style, rows });
}

export const feedPairs: fc.Arbitrary<FeedPair> = fc
  .record({
    isCsv: fc.boolean(),
    table: fc.oneof({ weight: 4, arbitrary: distinctRows }, { weight: 1, arbitrary: rows }),
    steps,
    headers: fc.tuple(fc.nat(HEADERS.length - 1), fc.nat(30)),
    styles: fc.tuple(wholeStyle, wholeStyle),
    isStyleKept: fc.boolean(),
  })
  .map(({ isCsv, table, steps, headers: [header, other], styles: [first, second], isStyleKept }) => {
    const after = steps.reduce(applyStep, table);
    const [one, two] = [HEADERS[header] ?? '', HEADERS[other] ?? HEADERS[header] ?? ''];
    const style = isStyleKept ? first : second;
    return isCsv
      ? { before: writeCsv(one, table, first), now: writeCsv(two, after, style), delimiter: ',' }
      : { before: writeJsonl(table, first), now: writeJsonl(after, style), delimiter: null };
  });
