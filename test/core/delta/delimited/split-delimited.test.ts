// Splitting delimited text into rows: rules by example, and a kept parser as the other opinion.
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CheckError } from '../../../../core/errors.ts';
import { COMMAS, splitDelimited, splitStream } from '../../../../core/delta/delimited/split-delimited.ts';
import type { Quoting } from '../../../../core/delta/model.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';
import { collect } from '../read-body.ts';

const splitCsv = (text: string, isEnd: boolean) => splitDelimited(text, COMMAS, isEnd);
const whole = (text: string, delimiter = ',', quoting: Quoting = 'double'): string[][] =>
  splitDelimited(text, { delimiter, quoting }, true).rows;

async function* streamOf(chunks: Iterable<string>): AsyncGenerator<string> {
  yield* chunks;
}

describe('splitDelimited', () => {
  test.each([
    [
      'mixed line ends',
      'a,b\r\n1,2\n3,4\r5,6',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
      ],
    ],
    ['empty lines are no rows', '\n\na\r\r\n\nb\n\n', [['a'], ['b']]],
    ['a quoted empty field is a row', 'a\n""\n', [['a'], ['']]],
    [
      'an empty last field',
      'a,\n,',
      [
        ['a', ''],
        ['', ''],
      ],
    ],
    ['delimiters, quotes and line ends in quotes', '"a,b","c""d","e\r\nf"\n', [['a,b', 'c"d', 'e\r\nf']]],
    ['a quote inside an unquoted field', 'a"b,5" disk\n', [['a"b', '5" disk']]],
    [
      'text after a closing quote',
      '"x" ,2\n"a"b"c,3',
      [
        ['"x" ', '2'],
        ['"a"b"c', '3'],
      ],
    ],
    ['spaces are kept', ' a , b \n', [[' a ', ' b ']]],
  ])('%s', (_, text, rows) => {
    expect(whole(text)).toEqual(rows);
  });

  test.each([
    ['before text', '"a""b"x'],
    ['before a space', '"a""b" '],
    ['at the start', '"""b"x'],
    ['at the end', '"a""" x'],
    ['and nothing else', '"""" x'],
    ['twice', '"a""""b"x'],
    ['and again in the text', '"a""b"x""y"'],
    ['next to a line end', '"a""\nb"x'],
    ['next to a delimiter', '"a"",""b"x'],
    ['none: the quotes are empty', '""x'],
  ])('regression: a literal cell keeps its doubled quotes: %s', (_what, cell) => {
    expect(whole(`1,${cell},2\n`)).toEqual([['1', cell, '2']]);
    expect(whole(cell)).toEqual([[cell]]);
  });

  test('accepts another delimiter', () => {
    expect(whole('a;"b;c"\n1,5;2', ';')).toEqual([
      ['a', 'b;c'],
      ['1,5', '2'],
    ]);
  });

  test('leaves a row with an open quote', () => {
    expect(splitDelimited('a,b\n1,"2\n3,4\n', COMMAS, true)).toEqual({
      rows: [['a', 'b']],
      consumedLength: 4,
    });
  });

  test('leaves a row that may continue', () => {
    expect(splitDelimited('a\nb', COMMAS, false).consumedLength).toBe(2);
    expect(splitDelimited('a\n""', COMMAS, false).consumedLength).toBe(2);
  });

  const dirtyText = fc
    .array(
      fc.constantFrom('a', 'é', ' ', ',', ',', '"', '"', '""', '\n', '\n', '\r', '\r\n', '",', '"\n', ',"'),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''));

  test('agrees with csv-parse on dirty text', PROPERTY_TIMEOUT, () => {
    fc.assert(
      fc.property(dirtyText, (text) => {
        expect(singleQuotes(wholeOr(text, 'open quote'))).toEqual(singleQuotes(otherOpinion(text)));
      }),
      propertyRuns(3_000),
    );
  });

  test('chunk boundaries do not matter', PROPERTY_TIMEOUT, async () => {
    await fc.assert(
      fc.asyncProperty(dirtyText, fc.integer({ min: 1, max: 5 }), async (text, size) => {
        const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const stream = collect(splitStream(streamOf(chunks), splitCsv, 1_000)).then((lists) => lists.flat());
        expect(await stream.catch(codeOf)).toEqual(wholeOr(text, 'body_truncated'));
      }),
      propertyRuns(),
    );
  });
});

function wholeOr(text: string, refusal: string): string[][] | string {
  const { rows, consumedLength } = splitCsv(text, true);
  return consumedLength === text.length ? rows : refusal;
}

/** csv-parse drops one of two quotes in a cell that turns out to be literal. Here they stay as they are written. */
const singleQuotes = (rows: string[][] | string): string[][] | string =>
  typeof rows === 'string' ? rows : rows.map((cells) => cells.map((cell) => cell.replaceAll(/"+/g, '"')));

const codeOf = (error: unknown): unknown => (error instanceof CheckError ? error.code : error);

function otherOpinion(text: string): string[][] | 'open quote' {
  try {
    return parse(text, {
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

describe('splitStream', () => {
  test('a row that is too long fails before it is complete', async () => {
    const endless = (async function* () {
      for (;;) yield 'x'.repeat(100);
    })();
    await expect(collect(splitStream(endless, splitCsv, 1_000))).rejects.toMatchObject({
      code: 'row_too_large',
      message: expect.stringContaining('row 1'),
    });
  });

  test('a long row that is completed together with others is not too long', async () => {
    const texts = ['x'.repeat(700), `y\n${'z\n'.repeat(299)}`];
    expect((await collect(splitStream(streamOf(texts), splitCsv, 1_000))).flat()).toHaveLength(300);
  });

  test('NUL fails with the number of its row', async () => {
    await expect(collect(splitStream(streamOf(['a\nb\n', 'c\0\n']), splitCsv, 1_000))).rejects.toMatchObject({
      code: 'invalid_character',
      message: expect.stringContaining('row 3'),
    });
  });

  test('a long row in tiny chunks costs no more than its length', async () => {
    let scannedLength = 0;
    const counting = (text: string, isEnd: boolean) => {
      scannedLength += text.length;
      return splitCsv(text, isEnd);
    };
    const row = `"${'x'.repeat(100_000)}"`;
    await collect(splitStream(streamOf(row), counting, 1_000_000));
    expect(scannedLength).toBeLessThan(4 * row.length);
  });
});
