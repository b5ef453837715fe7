// Delta rows as files.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellText, splitRowJson } from '../../../core/delta/keys/keyed-row.ts';
import {
  type DeltaCsv,
  deltaCsvHeader,
  deltaCsvLines,
  deltaJsonLine,
  type DeltaLine,
} from '../../../core/export/delta-lines.ts';
import { cellString, sheet } from './rows.ts';

const CHANGED: DeltaLine = {
  key: 'a"1',
  changeType: 'changed',
  before: '{"id":"a\\"1","price":1.10,"old":"x"}',
  after: '{"id":"a\\"1","price":1.1,"tags":["a",\n"b"]}',
};
const NEW: DeltaLine = { key: 'b', changeType: 'new', before: null, after: '{"id":"b"}' };
const DELETED: DeltaLine = { key: 'c', changeType: 'deleted', before: '{"id":"c"}', after: null };
const COLUMNS = ['id', 'price', 'tags', 'old'];
const csvOf = (columns: readonly string[]): DeltaCsv => ({ columns, escape: 'none', hasPreviousKey: false });

describe('delta rows as JSON Lines', () => {
  it('equal the API’s, with numbers unchanged', () => {
    expect(deltaJsonLine(CHANGED)).toBe(
      '{"key":"a\\"1","changeType":"changed","before":{"id":"a\\"1","price":1.10,"old":"x"},' +
        '"after":{"id":"a\\"1","price":1.1,"tags":["a", "b"]},"changedFields":["price","tags","old"]}\n',
    );
    expect(JSON.parse(deltaJsonLine(NEW))).toEqual({
      key: 'b',
      changeType: 'new',
      before: null,
      after: { id: 'b' },
      changedFields: [],
    });
  });
});

describe('delta rows as CSV', () => {
  it('have a line before and a line after', () => {
    const lines = [CHANGED, NEW, DELETED].map((line) => deltaCsvLines(line, csvOf(COLUMNS)));
    expect(deltaCsvHeader(csvOf(COLUMNS)) + lines.join('')).toBe(
      [
        'change_type,row,key,id,price,tags,old',
        'changed,before,"a""1","a""1",1.10,,x',
        'changed,after,"a""1","a""1",1.1,"[""a"",""b""]",',
        'new,after,b,b,,,',
        'deleted,before,c,c,,,',
        '',
      ].join('\n'),
    );
  });

  it('keep the data’s column names when they equal the first columns', () => {
    expect(deltaCsvHeader(csvOf(['key', '_key', 'row']))).toBe('change_type,_row,__key,key,_key,row\n');
  });

  it('have the previous key of a pair on both lines, in a column of its own', () => {
    const file = { ...csvOf(['id', 'previous_key']), hasPreviousKey: true };
    const pair = { ...CHANGED, previousKey: 'a,0', before: '{"id":"1"}', after: '{"id":"2"}' };
    expect(deltaCsvHeader(file) + [pair, NEW].map((line) => deltaCsvLines(line, file)).join('')).toBe(
      [
        'change_type,row,key,_previous_key,id,previous_key',
        'changed,before,"a""1","a,0",1,',
        'changed,after,"a""1","a,0",2,',
        'new,after,b,,b,',
        '',
      ].join('\n'),
    );
  });

  it('are read back exactly', () => {
    fc.assert(
      fc.property(cellString, sheet, (key, { columns, texts }) => {
        const lines = texts.map((after): DeltaLine => ({ key, changeType: 'new', before: null, after }));
        const csv = lines.map((line) => deltaCsvLines(line, csvOf(columns))).join('');
        const wanted = texts.map((text) => {
          const tokens = new Map(splitRowJson(text));
          return ['new', 'after', key, ...columns.map((column) => cellText(tokens.get(column)))];
        });
        expect(parse(csv, { record_delimiter: '\n' })).toEqual(wanted);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are safe for spreadsheets, keys too', () => {
    const line = { ...NEW, key: '=1', after: '{"id":"=1"}' };
    expect(deltaCsvLines(line, { ...csvOf(['id']), escape: 'spreadsheet' })).toBe("new,after,'=1,'=1\n");
  });
});
