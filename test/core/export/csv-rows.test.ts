// Snapshot rows as CSV, read back with a third-party parser.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellText } from '../../../core/delta/keys/keyed-row.ts';
import { COMMAS, splitDelimited } from '../../../core/delta/delimited/split-delimited.ts';
import { type CsvEscape, csvHeader } from '../../../core/export/csv-cell.ts';
import { createCsvRows } from '../../../core/export/csv-rows.ts';
import { PROPERTY_TIMEOUT } from '../../support/runner/property-runs.ts';
import { pageOf, restoreCell, sheet } from './rows.ts';

function toCsv(columns: readonly string[], texts: readonly string[], escape: CsvEscape = 'none'): string {
  const lines = createCsvRows(columns, escape)(pageOf(texts));
  return csvHeader(columns, escape) + Buffer.from(lines).toString();
}

const read = (csv: string): string[][] => parse(csv, { bom: true, record_delimiter: '\n' });

const FORMULA = /^(?:[\0\t\r\n]|[\s\ufeff]*[=+\-@＝＋－＠])/;
const NUMBER = /^[+-]?[\d.]+(?:[eE][+-]?\d+)?$/;

describe('csv rows', () => {
  it('are read back exactly', PROPERTY_TIMEOUT, () => {
    fc.assert(
      fc.property(sheet, ({ columns, rows, texts }) => {
        const csv = toCsv(columns, texts);
        const wanted = [columns, ...rows.map((cells) => cells.map((cell) => cellText(cell)))];
        expect(read(csv)).toEqual(wanted);
        expect(splitDelimited(csv, COMMAS, true).rows).toEqual(wanted);
      }),
      { numRuns: 3_000 },
    );
  });

  it('have no formula when escaped for a spreadsheet, and can be restored', () => {
    fc.assert(
      fc.property(sheet, ({ columns, rows, texts }) => {
        const found = read(toCsv(columns, texts, 'spreadsheet'));
        const wanted = [columns, ...rows.map((cells) => cells.map((cell) => cellText(cell)))];
        expect(found.map((cells) => cells.map(restoreCell))).toEqual(wanted);
        expect(found.flat().filter((cell) => FORMULA.test(cell) && !NUMBER.test(cell))).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });

  it('are the same text with either implementation', () => {
    fc.assert(
      fc.property(sheet, fc.constantFrom('none', 'spreadsheet'), ({ columns, texts }, escape) => {
        // White space between tokens sends a row the slower way.
        const spaced = texts.map((text) => text.replace(/^\{/, '{ '));
        expect(toCsv(columns, spaced, escape)).toBe(toCsv(columns, texts, escape));
      }),
      { numRuns: 1_000 },
    );
  });

  it('keep values that a reader could lose: a lone empty cell, edges, numbers, missing cells', () => {
    expect(toCsv(['a'], ['{"a":""}', '{}', '{"a":null}', '{"a":" x"}'])).toBe('a\n""\n""\n""\n" x"\n');
    expect(toCsv(['a', 'b', 'c'], ['{"b":1e2}', '{"a":10000000000000000999,"c":[1,"x"]}', '{}'])).toBe(
      'a,b,c\n,1e2,\n10000000000000000999,,"[1,""x""]"\n,,\n',
    );
  });

  it('write escapes as the characters that they encode', () => {
    expect(toCsv(['a', 'b'], ['{"a":"\\u0001\\u00e9","b":"\\"\\\\\\/\\b\\f\\n\\r\\t"}'])).toBe(
      'a,b\n"\u0001é","""\\/\b\f\n\r\t"\n',
    );
  });

  it('quote text that looks like the beginning of a file in another format', () => {
    expect(toCsv(['ID', 'ID'], [])).toBe('"ID",ID\n');
    expect(toCsv(['\ufeffid', '\ufeff'], [])).toBe('"\ufeffid",\ufeff\n');
  });

  it('are empty without columns', () => {
    expect(toCsv([], ['{}', '{}'])).toBe('');
  });

  it('never lose a cell silently', () => {
    expect(() => toCsv(['a'], ['{"a":1,"b":2}'])).toThrow('a column that its snapshot does not name');
  });
});
