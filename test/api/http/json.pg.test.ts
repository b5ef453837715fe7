import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeJson, rawJson } from '../../../api/http/json.ts';

it('prints the same as JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(encodeJson(value)).toBe(JSON.stringify(value));
    }),
  );
});

it('leaves out undefined members, as JSON.stringify does', () => {
  expect(encodeJson({ a: undefined, b: [undefined], c: null })).toBe('{"b":[null],"c":null}');
});

it('prints raw text unchanged, at any depth', () => {
  const raw = rawJson('{"n":10000000000000000999,"e":1e2,"z":-0,"__proto__":1.10}');
  expect(encodeJson({ rows: [{ data: raw, other: '<' }] })).toBe(
    '{"rows":[{"data":{"n":10000000000000000999,"e":1e2,"z":-0,"__proto__":1.10},"other":"<"}]}',
  );
});
