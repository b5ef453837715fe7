// Format, delimiter and charset, from the record's settings, the response headers and the body.
import { describe, expect, test } from 'vitest';
import { charsetOf, detectFormat } from '../../../core/delta/detect-dialect.ts';
import { detectTable } from '../../../core/delta/delimited/detect-table.ts';
import { PARSER_VERSION } from '../../../core/delta/model.ts';
import { readBody } from './read-body.ts';

describe('detectFormat', () => {
  test.each([
    ['the setting wins', { setting: 'jsonl', contentType: 'text/csv', prefix: 'a,b' }, 'jsonl'],
    ['then the media type', { contentType: 'text/csv; charset=utf-8', prefix: '[1,2]' }, 'csv'],
    ['in any case of letters', { contentType: 'Text/Tab-Separated-Values', prefix: 'a' }, 'tsv'],
    ['also a media type with x-', { contentType: 'application/x-ndjson', prefix: '' }, 'jsonl'],
    ['JSON with a suffix', { contentType: 'application/geo+json', prefix: '[{}]' }, 'json'],
    [
      'JSONL under the media type of JSON',
      { contentType: 'application/json', prefix: '{"a":1}\n{"a":2}\n' },
      'jsonl',
    ],
    ['a media type that says nothing', { contentType: 'text/plain', prefix: '{"a":1}\n{"a":2}\n' }, 'jsonl'],
    ['an object over several lines', { prefix: '{\n  "rows": []\n}' }, 'json'],
    ['an object with a path into it', { prefix: '{"rows":[]}', rowsPath: 'rows' }, 'json'],
    ['a list', { prefix: ' [{"a":1}]' }, 'json'],
    ['anything else', { prefix: 'a;b\n' }, 'csv'],
    ['nothing', { prefix: '' }, 'csv'],
  ] as const)('%s', (_, given, format) => {
    expect(detectFormat(given)).toBe(format);
  });
});

describe('detectTable finds the delimiter', () => {
  test.each([
    ['comma', 'a,b\n1,2\n', ','],
    ['semicolon, with decimal commas', 'name;price;width\na;1,5;2,5\nb;3,5;4,5\n', ';'],
    ['tab, with commas in the text', 'a, or b\tc\nx, y, z\t1\np\t2\n', '\t'],
    ['pipe', 'a|b|c\n1|2,5|3\n', '|'],
    ['one in quotes does not count', '"a;b;c","d"\n"e;f;g","h"\n', ','],
    ['comma, for a single column', 'name\nx;y\nz\n', ','],
  ])('%s', (_, prefix, delimiter) => {
    expect(detectTable(prefix, true)).toMatchObject({ delimiter, headerRow: 1 });
  });

  test('ignores a row that the prefix truncates', () => {
    expect(detectTable('a;b\n1;2\n3,4,5,6', false).delimiter).toBe(';');
  });
});

test('text that could be CSV is TSV when its columns are separated by tabs', async () => {
  expect((await readBody('a\tb\n1\t2\n')).dialect).toEqual({
    format: 'tsv',
    delimiter: '\t',
    charset: 'utf-8',
    rowsPath: '',
    reading: PARSER_VERSION,
    headerRow: 1,
  });
  expect((await readBody('a\tb\n1\t2\n', { format: 'csv' })).dialect).toMatchObject({
    format: 'csv',
    delimiter: '\t',
  });
});

test('charsetOf reads the parameter', () => {
  expect(charsetOf('text/csv; header=present; Charset="ISO-8859-1"')).toBe('ISO-8859-1');
  expect(charsetOf('text/csv')).toBeUndefined();
});
