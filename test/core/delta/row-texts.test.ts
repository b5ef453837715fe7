// Rows of an event with some of their columns.
import { describe, expect, it } from 'vitest';
import { rowText, withFields } from '../../../core/delta/row-texts.ts';

describe('chosen columns', () => {
  it('keep their order and the digits of the origin; others are left out of the changed fields too', () => {
    const before = '{"b":10000000000000000999,"a":"1","c":1.10}';
    const after = '{"b":10000000000000000998,"a":"2","c":1.1}';
    const cut = withFields({ key: 'k', changeType: 'changed', before, after }, ['c', 'b', 'nowhere']);
    expect(rowText(cut)).toBe(
      '{"key":"k","changeType":"changed","before":{"b":10000000000000000999,"c":1.10},' +
        '"after":{"b":10000000000000000998,"c":1.1},"changedFields":["b","c"]}',
    );
  });

  it('of a row that has none of them are an empty object', () => {
    const cut = withFields({ key: 'k', changeType: 'deleted', before: '{"a":1}', after: null }, ['b']);
    expect(rowText(cut)).toBe(
      '{"key":"k","changeType":"deleted","before":{},"after":null,"changedFields":[]}',
    );
  });
});
