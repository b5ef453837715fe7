// Compares the keys detected in real tables with keys that people chose. `node tools/detected-keys.ts` does the same with
// tables from packages outside npm.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readBody } from '../read-body.ts';
import tables from '../real-tables.json' with { type: 'json' };

const folder = new URL('../../../../node_modules/vega-datasets/data/', import.meta.url);

/** Keys for which the table itself gives no evidence. */
const NOT_FOUND = ['driving.json', 'lookup_groups.csv', 'windvectors.csv'];

describe('regression: no wrong key is detected in real tables', () => {
  test.each(Object.entries<string[]>(tables['vega-datasets']))('%s', async (file, right) => {
    const contentType = file.endsWith('.json') ? 'application/json' : 'text/csv';
    const { key } = await readBody(await readFile(new URL(file, folder)), { contentType });
    const isFound = right.length > 0 && !NOT_FOUND.includes(file);
    expect(isFound ? right : ['']).toContain(key.fields.join(' + '));
  });
});
