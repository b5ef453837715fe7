// Keys chosen in real tables, against the right ones, which were written down by hand. `node tools/detected-keys.ts` does the same
// for the tables of packages that are not npm's.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readBody } from './read-body.ts';
import tables from './real-tables.json' with { type: 'json' };

const folder = new URL('../../../node_modules/vega-datasets/data/', import.meta.url);

/** Real keys that the evidence in the table does not show. */
const NOT_FOUND = ['driving.json', 'lookup_groups.csv', 'windvectors.csv'];

describe('regression: no wrong key is detected in real tables', () => {
  test.each(Object.entries<string[]>(tables['vega-datasets']))('%s', async (file, right) => {
    const contentType = file.endsWith('.json') ? 'application/json' : 'text/csv';
    const { key } = await readBody(await readFile(new URL(file, folder)), { contentType });
    const isFound = right.length > 0 && !NOT_FOUND.includes(file);
    expect(isFound ? right : ['']).toContain(key.fields.join(' + '));
  });
});
