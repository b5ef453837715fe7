// The headers of an origin that are stored.
import { expect, it } from 'vitest';
import { keptHeaders } from '../../../activities/fetch/kept-headers.ts';

it.each([
  ['text/csv', 'text/csv'],
  [' Text/CSV ; charset="windows-1252" ; seen=secret', 'text/csv; charset=windows-1252'],
  ['text/csv; charset=Latin1', 'text/csv; charset=latin1'],
  ['application/vnd.x+json;profile=secret;charset=utf-8', 'application/json; charset=utf-8'],
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

it.each([
  ['content-type', 'text/csv; charset=s3cret'],
  ['content-type', 'text/csv; charset="s3cret"'],
  ['content-type', 'text/csv; charset=utf-8-s3cret'],
  ['content-type', 's3cret/csv; charset=utf-8'],
  ['content-type', 'application/s3cret+json'],
  ['last-modified', 'Thu, 01 Jan 2026 00:00:00 GMT (s3cret)'],
  ['last-modified', 's3cret Thu, 01 Jan 2026 00:00:00 GMT'],
  ['etag', '"s3cret"'],
])('regression: of a credential that an origin echoes as %s: %s, nothing', (name, value) => {
  const shown = { headers: { authorization: `Basic ${btoa('user:s3cret')}` } };
  const kept = keptHeaders({ [name]: value, date: 'Fri, 02 Jan 2026 00:00:00 GMT' }, shown);
  expect(JSON.stringify(kept)).not.toContain('s3cret');
});

it('regression: an unknown charset is distinguished from none', () => {
  expect(keptHeaders({ 'content-type': 'text/csv; charset=klingon' }).contentType).toBe(
    'text/csv; charset=unknown',
  );
});

it.each([
  ['upper case', (secret: string) => secret.toUpperCase()],
  ['percent encoding in lower case', (secret: string) => encodeURIComponent(secret).toLowerCase()],
  ['plus for space', (secret: string) => encodeURIComponent(secret).replaceAll('%20', '+')],
])('regression: of a credential that an origin echoes in the entity tag in %s, nothing', (_form, write) => {
  const secret = 'p@ss/Word abc';
  const shown = { query: { name: 'key', value: secret } };
  expect(keptHeaders({ etag: `"v-${write(secret)}"` }, shown).etag).toBeUndefined();
});

it('regression: a credential that is a date is not stored', () => {
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
  const shown = { headers: { 'x-key': date } };
  expect(keptHeaders({ 'last-modified': date.toUpperCase() }, shown).lastModified).toBeUndefined();
  expect(keptHeaders({ 'last-modified': date }, shown).lastModified).toBeUndefined();
  expect(keptHeaders({ 'last-modified': date }).lastModified).toBe(date);
});
