// Damaged bodies give rows or a typed error, and the same result in chunks of any size.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReadOptions } from '../../../core/delta/read-rows.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';
import { outcomeOf } from './read-body.ts';
import { csvStyle, jsonlStyle, table, writeCsv, writeJsonl } from './tables.ts';

const delimited = fc.tuple(table, csvStyle).map(([given, style]) => writeCsv(given, style));
const lines = fc.tuple(table, jsonlStyle).map(([given, style]) => writeJsonl(given, style));
const list = lines.map((text) => `[${text.trim().replaceAll(/\n+/g, ',\n')}]`);
const document = list.map((rows) => `{"n":[1,{"x":[]}],"d":{"r":${rows}},"t":"é"}`);

type Edit = (body: Buffer) => Buffer;

const SIGNIFICANT = Buffer.from('"\\,;\t\n\r{}[]: 0a\0\xff\xc3\ud83d', 'latin1');
const edit: fc.Arbitrary<Edit> = fc
  .record({
    at: fc.nat(2_000),
    removed: fc.nat(3),
    added: fc.oneof(
      fc.uint8Array({ maxLength: 2 }),
      fc.nat(SIGNIFICANT.length - 1).map((n) => SIGNIFICANT.subarray(n, n + 1)),
    ),
    isCut: fc.boolean(),
  })
  .map(({ at, removed, added, isCut }) => (body) => {
    const offset = at % (body.length + 1);
    if (isCut) return body.subarray(0, offset);
    return Buffer.concat([body.subarray(0, offset), added, body.subarray(offset + removed)]);
  });

const FORMATS: [string, fc.Arbitrary<string>, Partial<ReadOptions>][] = [
  ['csv', delimited, { format: 'csv', delimiter: ',' }],
  ['jsonl', lines, { format: 'jsonl' }],
  ['a json list', list, { format: 'json' }],
  ['a json document', document, { format: 'json', rowsPath: 'd.r' }],
  ['something, to be told by its looks,', fc.oneof(delimited, lines, list, document), {}],
];

describe.each(FORMATS)('%s that was damaged', (_, bodies, format) => {
  test('gives rows or a typed error, in chunks of any size', PROPERTY_TIMEOUT, async () => {
    const property = fc.asyncProperty(
      bodies,
      fc.array(edit, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 64 }),
      async (text, edits, chunkBytes) => {
        const body = edits.reduce<Buffer>((old, change) => change(old), Buffer.from(text));
        const options = { ...format, keyFields: [] };
        expect(await outcomeOf(body, options, chunkBytes)).toEqual(await outcomeOf(body, options));
      },
    );
    await fc.assert(property, propertyRuns());
  });
});
