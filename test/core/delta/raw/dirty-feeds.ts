// Pairs of feeds as origins send them: the second made of the first by what happens to feeds, each row written in a
// style of its own.
import fc from 'fast-check';
import type { Quoting } from '../../../../core/delta/model.ts';

export interface FeedPair {
  before: Buffer;
  now: Buffer;
  format: 'csv' | 'jsonl' | 'json';
  charset: string;
  rowsPath: string;
  /** The line of the header in delimited text. */
  headerRow: number;
  quoting?: Quoting;
}

type Row = (string | null)[];

const ids = fc.constantFrom('1', '2', '3', '10', 'a', 'B', 'é', ' 1', '"q"', 'x,y', 'l\nf', '\ufeffm');
const values = fc.constantFrom(
  '',
  ' ',
  'v',
  'w',
  'V ',
  '1.10',
  '1.1',
  '1.105',
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
  .uniqueArray(fc.tuple(ids, values, values), { minLength: 1, maxLength: 9, selector: ([id]) => id })
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
      'lengthen',
      'respell',
    ),
    at: fc.nat(20),
    other: fc.nat(20),
    id: ids,
    value: values,
  }),
  { maxLength: 4 },
);
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

/** With a column in another spelling, as some rules take for the same. */
const respelled = (row: Row, column: number): Row =>
  row.map((cell, at) => {
    if (at !== column || cell === null) return cell;
    return /^\d/.test(cell) ? `0${cell}0` : ` ${cell.toUpperCase()}`;
  });

function applyStep(table: Row[], { what, at, other, id, value }: Step): Row[] {
  if (what === 'respell') return table.map((row) => respelled(row, 1 + (other % 2)));
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
  if (what === 'lengthen') one.push(value);
  if (what === 'swap keys') [one[0], two[0]] = [two[0] ?? null, one[0] ?? null];
  if (what === 'swap content') [one[1], two[1]] = [two[1] ?? null, one[1] ?? null];
  return rows;
}

const mostly = (usual: string, ...others: string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

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
  junk: mostly(
    '',
    '5,un"quoted,x\n',
    '6,"closed"late,x\n',
    '1,"stray,w\n2,"quotes,w\n',
    '1,"stray\nquote" late,w\n',
    '1,"padded\ncell" ,w\n',
    '7\n',
    '8,a,b,c\n',
    '"open',
    '9,\0,x\n',
    '\u00a0\n',
    '\u001a',
    '9,c,x\u001a',
    '\u001a\n',
  ),
  /** How JSON is written, and the text around the rows of a document. */
  json: fc.record({
    isNested: fc.constantFrom(false, false, false, true),
    isSpaced: fc.boolean(),
    isEscaped: fc.boolean(),
    before: fc.constantFrom('', '', '"at":1,', '"at":"[{}]",', '"data":{},', '"a":[{"id":"1"}],'),
    after: mostly('', ',"n":[{"id":"2"}]', ',"data":1', ']', ' x'),
    junk: mostly(
      '',
      '5',
      '[]',
      '{"id":"7"}',
      '{"id":"7","id":"8","name":"x","note":"y"}',
      '{"id":"7","name":"x","note":"y","note":"z"}',
      '{"id":"7","name":"x","note":01}',
      '{"id":"7","name":"x","note.more":"y"}',
      '{"id":"7","name":"x","n\\u006fte":"y"}',
      '{"id":7.10,"name":"x","note":[{"b":1,"a":2}]}',
      '{"id":{"a":"7"},"name":"\\u0000","note":"y"}',
      '{"id":"7","name":"x","note":"\\ud800"}',
      '{"id":"7"',
    ),
  }),
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
function jsonRow(
  [id = null, name, note]: Row,
  isReversed: boolean,
  { isNested, isSpaced, isEscaped }: WholeStyle['json'],
): string {
  const members: [string, unknown][] = [
    ['id', id === '10' ? 10 : id],
    ['name', name === 'v' ? { '': name, x: [name] } : name],
    ...(note === undefined
      ? []
      : [['note', isNested ? { x: note } : note === 'w' ? null : note] as [string, unknown]]),
  ];
  const text = JSON.stringify(
    Object.fromEntries(isReversed ? members.toReversed() : members),
    null,
    isSpaced ? 1 : 0,
  );
  // Line ends within strings are escaped.
  const line = text.replaceAll('\n', ' ');
  return isEscaped
    ? line.replaceAll(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : line;
}

function write(
  lines: string[],
  { mark, isOpenEnded, rows, junk }: Omit<WholeStyle, 'mark'> & { mark: string },
): Buffer {
  const body = lines
    .map((line, at) => {
      const { lineEnd, blankAfter } = rows[at % rows.length] ?? plain;
      return line + lineEnd + (blankAfter ? lineEnd : '');
    })
    .join('');
  return Buffer.from(mark + (isOpenEnded && junk === '' ? body.replace(/[\r\n]+$/, '') : body + junk));
}

/** Two lines above a header. */
const TITLES = ['Prices of "May", é\n\r\n', 'Prices of June\r\n\r'];

function writeCsv(header: string, table: Row[], style: WholeStyle, above: string): Buffer {
  const lines = table.map((row, at) =>
    csvRow(row, style.rows[(at + 1) % style.rows.length]?.quoteAll ?? false),
  );
  return write([header, ...lines], { ...style, mark: style.mark + above });
}

function jsonRows(table: Row[], { rows, json }: WholeStyle): string[] {
  const lines = table.map((row, at) => jsonRow(row, rows[at % rows.length]?.quoteAll ?? false, json));
  return json.junk === '' ? lines : [...lines, json.junk];
}

function writeJsonl(table: Row[], style: WholeStyle): Buffer {
  // A carriage return alone ends no line.
  const rows = style.rows.map((row) => ({ ...row, lineEnd: row.lineEnd === '\r' ? '\n' : row.lineEnd }));
  return write(jsonRows(table, style), {
    ...style,
    rows,
    junk: style.junk.startsWith('\u00a0') ? style.junk : '',
  });
}

function writeDocument(table: Row[], rowsPath: string, style: WholeStyle): Buffer {
  const { before, after, isSpaced } = style.json;
  const array = `[${jsonRows(table, style).join(isSpaced ? ' ,\n' : ',')}]`;
  if (rowsPath === '') return Buffer.from(style.mark + array + (after === ']' ? after : '\n'));
  return Buffer.from(`${style.mark}{${before}"data":{${before}"items":${array}}${after}}`);
}

const FORMATS = ['csv', 'csv', 'csv', 'jsonl', 'jsonl', 'array', 'document'] as const;

export const feedPairs: fc.Arbitrary<FeedPair> = fc
  .record({
    format: fc.constantFrom(...FORMATS),
    charset: fc.oneof(
      { weight: 4, arbitrary: fc.constant('utf-8') },
      { weight: 1, arbitrary: fc.constantFrom('windows-1252', 'windows-1253', 'utf-16le', 'utf-16be') },
    ),
    table: fc.oneof({ weight: 9, arbitrary: distinctRows }, { weight: 1, arbitrary: rows }),
    steps,
    headers: fc.tuple(fc.nat(HEADERS.length - 1), fc.nat(60)),
    styles: fc.tuple(wholeStyle, wholeStyle),
    isStyleKept: fc.boolean(),
    titles: fc.tuple(fc.constantFrom(0, 0, 0, 1), fc.constantFrom(0, 0, 0, 0, 0, 1), fc.boolean()),
  })
  .map(({ format, headers: [header, other], styles: [first, second], isStyleKept, ...parts }) => {
    const { charset, table, steps, titles } = parts;
    const isTitled = format === 'csv' && titles[2];
    const headings = [HEADERS[header] ?? '', HEADERS[other] ?? HEADERS[header] ?? ''] as const;
    const rowsPath = format === 'document' ? 'data.items' : '';
    const bodyOf = (rows: Row[], heading: string, style: WholeStyle, title: number): Buffer => {
      if (format === 'csv') return writeCsv(heading, rows, style, isTitled ? (TITLES[title] ?? '') : '');
      return format === 'jsonl' ? writeJsonl(rows, style) : writeDocument(rows, rowsPath, style);
    };
    const before = bodyOf(table, headings[0], first, titles[0]);
    const now = bodyOf(
      steps.reduce(applyStep, table),
      headings[1],
      isStyleKept ? first : second,
      titles[0] ^ titles[1],
    );
    const isJson = format === 'array' || format === 'document';
    return {
      before: recode(before, charset),
      now: recode(now, charset),
      format: isJson ? 'json' : format,
      charset,
      rowsPath,
      headerRow: isTitled ? 3 : 1,
    };
  });

/** In a charset with a byte for each character, what is not in it becomes any of them. */
function recode(body: Buffer, charset: string): Buffer {
  if (charset === 'utf-8') return body;
  if (charset.startsWith('windows')) return Buffer.from(body.toString(), 'latin1');
  const units = Buffer.from(body.toString(), 'utf16le');
  return charset === 'utf-16le' ? units : units.swap16();
}
