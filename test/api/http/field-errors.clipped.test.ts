// Errors of a large body are described from a clipped copy, which says the same.
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, it } from 'vitest';
import { clipped, toFieldErrors } from '../../../api/http/field-errors.ts';
import { nameField } from '../../../api/input/fields.ts';

const SCHEMA = Type.Object({
  name: nameField,
  fields: Type.Array(Type.String(), { maxItems: 16, uniqueItems: true }),
});
const validator = Compile(SCHEMA);
const first = (value: unknown) => toFieldErrors(validator.Errors(value), SCHEMA, 'field')[0];

it('regression: of long texts and long lists, with the same first error', () => {
  const long = { name: `${'a'.repeat(12_000)}\u0001`, fields: ['a'] };
  const many = { name: 'a', fields: Array.from({ length: 3_000 }, () => 1) };
  for (const value of [long, many]) {
    expect(first(clipped(value))).toEqual(first(value));
    expect(JSON.stringify(clipped(value)).length).toBeLessThan(11_000);
  }
});

it('leaves what is within the limits as it is, and survives deep nesting', () => {
  const value = { name: 'a', fields: ['a', 'b'], more: { list: [1, null, true, { x: 'y' }] } };
  expect(clipped(value)).toEqual(value);
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  expect(() => clipped(deep)).not.toThrow();
});
