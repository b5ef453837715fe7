import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { nameField, slugField } from '../../../api/input/fields.ts';
import { isReservedSlug, nameFromUrl, slugFromName } from '../../../api/records/slugs.ts';

it.each([
  ['https://example.com/data/prices.csv', 'example.com prices.csv', 'example-com-prices-csv'],
  ['https://example.com/', 'example.com', 'example-com'],
  ['https://example.com/a%20b/', 'example.com a b', 'example-com-a-b'],
  ['https://example.com/%zz', 'example.com %zz', 'example-com-zz'],
  ['https://example.com/Pr%C3%A9cios?x=1', 'example.com Précios', 'example-com-precios'],
])('names %s', (url, name, slug) => {
  expect(nameFromUrl(new URL(url))).toBe(name);
  expect(slugFromName(name)).toBe(slug);
});

it.each([
  ['', 'record'],
  ['—', 'record'],
  ['self', 'self-record'],
  ['LATEST!', 'latest-record'],
])('makes a usable slug of %j', (name, slug) => {
  expect(slugFromName(name)).toBe(slug);
});

it('always creates a valid slug and a valid name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const slug = slugFromName(name);
      expect(Value.Check(slugField, slug)).toBe(true);
      expect(isReservedSlug(slug)).toBe(false);
    }),
  );
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
      expect(Value.Check(nameField, nameFromUrl(new URL(url)))).toBe(true);
    }),
  );
});
