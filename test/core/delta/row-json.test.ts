// Row data as text: written, split and compared field by field.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellText, changedFields, splitRowJson } from '../../../core/delta/json/row-json.ts';
import { rowToJson } from '../../support/row-json.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/property-runs.ts';

const token = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    'null',
    'true',
    '1.10',
    '-0',
    '1e2',
    '10000000000000000999',
    '[1,{"a":2}]',
    '{}',
    undefined,
  ),
);
const row = fc.uniqueArray(
  fc.tuple(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('__proto__')), token),
  {
    selector: ([column]) => column,
  },
);

test('splitting row data gives back what was written', PROPERTY_TIMEOUT, () => {
  fc.assert(
    fc.property(row, (members) => {
      const data = rowToJson(
        members.map(([column]) => column),
        members.map(([, cell]) => cell),
      );
      expect(splitRowJson(data)).toEqual(members.filter(([, cell]) => cell !== undefined));
      expect(JSON.parse(data)).toBeTypeOf('object');
    }),
    propertyRuns(),
  );
});

describe('changedFields', () => {
  test('tells missing, null and empty apart, and numbers by their text', () => {
    const before = '{"a":null,"b":"","c":1.0,"d":"1","e":[1],"f":"same"}';
    expect(changedFields(before, '{"f":"same","a":"","c":1,"d":1,"e":[1]}')).toEqual(['a', 'c', 'd', 'b']);
  });

  test('names the fields in the order of after, then of before', () => {
    expect(changedFields('{"x":1,"y":1,"b":1}', '{"c":1,"b":2,"a":1}')).toEqual(['c', 'b', 'a', 'x', 'y']);
  });

  test('names nothing for another order', () => {
    expect(changedFields('{"x":1,"__proto__":2}', '{"__proto__":2,"x":1}')).toEqual([]);
  });
});

test('cellText is the text of a string, and empty for nothing', () => {
  expect(['"a\\"b\\\\"', '""', 'null', undefined, '1.10', 'true', '[1]'].map(cellText)).toEqual([
    'a"b\\',
    '',
    '',
    '',
    '1.10',
    'true',
    '[1]',
  ]);
});
