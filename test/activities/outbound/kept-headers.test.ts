// What goes further of an origin's headers.
import { expect, it } from 'vitest';
import { keptHeaders } from '../../../activities/outbound/kept-headers.ts';

it.each([
  ['text/csv', 'text/csv'],
  [' Text/CSV ; charset="windows-1252" ; seen=secret', 'Text/CSV; charset=windows-1252'],
  ['application/vnd.x+json;profile=secret;charset=utf-8', 'application/vnd.x+json; charset=utf-8'],
  ['; charset=utf-8', '; charset=utf-8'],
  ['secret', ''],
])('is of Content-Type %j only %j', (given, kept) => {
  expect(keptHeaders({ 'content-type': given }).contentType).toBe(kept);
});

const bearer = { headers: { authorization: 'Bearer s3cret' } };

it.each([
  ['"v1"', bearer, '"v1"'],
  ['"v-s3cret"', bearer, undefined],
  ['"v-s3cret"', { headers: { 'x-key': 's3cret' } }, undefined],
  ['"a%26b"', { query: { name: 'key', value: 'a&b' } }, undefined],
  ['"a&b"', { query: { name: 'key', value: 'a&b' } }, undefined],
  ['"v1"', { query: { name: 'key', value: 'a&b' } }, '"v1"'],
  ['"v-s3cret"', {}, '"v-s3cret"'],
])('is of the entity tag %s, for an origin that was shown %j, %s', (etag, shown, kept) => {
  expect(keptHeaders({ etag }, shown).etag).toBe(kept);
});
