// Files of filtered rows contain the same rows as the list, through REST, links and MCP.
import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../../../api/app.ts';
import { createRateLimits } from '../../../../api/access/rate-limits.ts';
import { openDatabase } from '../../../../db/driver/knex.ts';
import { callTool, ERAS } from '../../mcp/caller.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../../support/rows/factories.ts';
import { until } from '../../../support/until.ts';

const api = useApi({ baseUrl: 'https://recordwatch.example' });
const COLUMNS = ['id', 'name', 'price', 'a,b', 'x][y', '__proto__'];
const NAMES = ['Größe', 'Straße 5', '', 'say "hi"\n', 'name', '100', '=1'];
const PRICES = ['9', '10.0', '10', '1e1', '-0.5', '10000000000000000999', '""', '"n/a"', 'null'];

/** Some 60 rows with all combinations of values. */
const ROWS = Object.fromEntries(
  NAMES.flatMap((name, n) =>
    PRICES.map((price, p) => {
      const id = `${n}${p}`;
      const rest = p % 2 === 0 ? '' : `,"a,b":"${n}","x][y":"in","__proto__":"own ${p}"`;
      return [id, `{"id":"${id}","name":${JSON.stringify(name)},"price":${price}${rest}}`] as const;
    }),
  ),
);

let id = '';
beforeAll(async () => {
  id = await createTestRecord(api.db, api.accountId, { slug: 'prices', tier: 'max' });
  await commitRows(api.db, id, ROWS, COLUMNS);
});

interface Selection {
  search?: string;
  field?: string[];
  filter?: Record<string, Record<string, string | string[] | boolean>>;
}

const snapshotUrl = (path: string, query: URLSearchParams): string =>
  `/v1/sources/${id}/snapshots/latest/${path}?${query.toString()}`;

function queryOf({ search, field = [], filter = {} }: Selection, more: Record<string, string> = {}) {
  const query = new URLSearchParams(more);
  if (search !== undefined) query.set('search', search);
  for (const column of field) query.append('field', column);
  for (const [column, operators] of Object.entries(filter))
    for (const [operator, value] of Object.entries(operators))
      for (const each of [value].flat()) query.append(`filter[${column}][${operator}]`, String(each));
  return query;
}

/** The rows of all pages of the list. */
async function listAll(selection: Selection, limit: number): Promise<{ key: string; data: object }[]> {
  const rows = [];
  let cursor: string | null = null;
  do {
    const more = { limit: String(limit), ...(cursor === null ? {} : { cursor }) };
    const { status, body } = await api.call('GET', snapshotUrl('rows', queryOf(selection, more)));
    expect(status).toBe(200);
    rows.push(...body.rows);
    cursor = body.nextCursor;
  } while (cursor !== null);
  return rows;
}

const linesOf = (text: string): object[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const download = (selection: Selection, more: Record<string, string> = {}, headers = {}) =>
  api.call('GET', snapshotUrl('download', queryOf(selection, more)), { headers });

async function makeLink(body: object): Promise<string> {
  const path = `/v1/sources/${id}/snapshots/latest/download-links`;
  const { status, body: link } = await api.call('POST', path, { body });
  expect(status).toBe(201);
  return link.url.replace('https://recordwatch.example', '');
}

const follow = (path: string) => api.call('GET', path, { key: null });

const text = fc.constantFrom('9', '10', '0', 'ß', 'strasse', '"', '\n', 'n', '', 'm', '11', 'own 1');
const filter = fc.dictionary(
  fc.constantFrom(...COLUMNS),
  fc.oneof(
    fc.record({ eq: text }),
    fc.record({ ne: text, contains: text }),
    fc.record({ gte: text, lt: text }, { requiredKeys: [] }),
    fc.record({ in: fc.array(fc.constantFrom('00', '11', '12', '66', '9'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ empty: fc.boolean() }),
    fc.record({ exists: fc.boolean() }),
  ),
  { maxKeys: 2 },
);
const search = fc.record(
  {
    search: text.filter((one) => one !== ''),
    field: fc.subarray(COLUMNS, { minLength: 1 }),
  },
  { requiredKeys: ['search'] },
);
const selections: fc.Arbitrary<Selection> = fc
  .tuple(filter, fc.option(search))
  .map(([chosen, found]) => ({ filter: chosen, ...found }));

describe('a file of selected rows', () => {
  it('has the rows of all pages of the list, downloaded and linked, as JSON Lines and as CSV', async () => {
    await fc.assert(
      fc.asyncProperty(selections, fc.integer({ min: 5, max: 100 }), async (selection, limit) => {
        const listed = await listAll(selection, limit);
        const jsonl = await download(selection, { format: 'jsonl' });
        expect(linesOf(jsonl.text)).toEqual(listed.map(({ data }) => data));
        const csv = await download(selection);
        const [header, ...cells] = parse(csv.text);
        expect(header).toEqual(COLUMNS);
        expect(cells.map(([key]) => key)).toEqual(listed.map(({ key }) => key));
        const link = await makeLink({ format: 'jsonl', ...selection });
        expect((await follow(link)).text).toBe(jsonl.text);
      }),
      { numRuns: 60 },
    );
  });

  it.each(ERAS)('is the one to which a tool’s link leads (%s)', async (era) => {
    const args = {
      source: 'prices',
      format: 'jsonl',
      search: 'own',
      searchColumns: ['__proto__'],
      filter: { price: { gt: '9' } },
    };
    const { isError, value } = await callTool(api, 'get_download_link', args, { era });
    expect(isError).toBe(false);
    // The tool answers like the operation.
    const { url } = value as unknown as { url: string };
    const linked = await follow(url.replace('https://recordwatch.example', ''));
    const { searchColumns: field, search: own, filter: dear } = args;
    const listed = await listAll({ search: own, field, filter: dear }, 100);
    expect(listed.length).toBeGreaterThan(5);
    expect(linesOf(linked.text)).toEqual(listed.map(({ data }) => data));
  });

  it('keeps digits, says in its name that it is filtered, and is safe for a spreadsheet on request', async () => {
    const large = await download({ filter: { id: { eq: '05' } } }, { format: 'jsonl' });
    expect(large.text).toBe(`${ROWS['05']}\n`);
    expect(large.headers['content-disposition']).toMatch(/"prices-1-filtered-[\d-]{10}\.jsonl"$/);
    const safe = await download({ filter: { name: { startsWith: '=' } } }, { escape: 'spreadsheet' });
    expect(safe.text).toContain(`,'=1,`);
  });

  it('is a header, or empty, when no row matches', async () => {
    const none = { search: 'nothing like it' };
    expect((await download(none)).text).toBe('id,name,price,"a,b",x][y,__proto__\n');
    expect((await download(none, { format: 'jsonl' })).text).toBe('');
  });

  it('has its own ETag, which is the same for the same selection in any order', async () => {
    const tagOf = async (selection: Selection) => (await download(selection)).headers['etag'];
    const tags = [
      await tagOf({}),
      await tagOf({ search: '9' }),
      await tagOf({ search: '9', field: ['id'] }),
      await tagOf({ filter: { price: { gt: '9' }, id: { ne: '9' } } }),
      await tagOf({ filter: { price: { gt: '9' } } }),
    ];
    expect(new Set(tags).size).toBe(tags.length);
    expect(await tagOf({ filter: { id: { ne: '9' }, price: { gt: '9' } } })).toBe(tags[3]);
    const known = { 'if-none-match': String(tags[1]) };
    expect((await download({ search: '9' }, {}, known)).status).toBe(304);
    expect((await download({ search: '10' }, {}, known)).status).toBe(200);
  });

  it('is refused for unknown columns, with the known ones', async () => {
    const wrong = { search: 'x', field: ['nope'], filter: { gone: { eq: '1' } } };
    const direct = await download(wrong);
    const path = `/v1/sources/${id}/snapshots/latest/download-links`;
    const linked = await api.call('POST', path, { body: wrong });
    expect([direct.status, linked.status]).toEqual([422, 422]);
    const pointersOf = ({ body }: typeof direct) =>
      body.errors.map((each: { pointer: string }) => each.pointer);
    expect(pointersOf(direct)).toEqual(['field', 'filter[gone][eq]']);
    expect(pointersOf(linked)).toEqual(['/field', '/filter/gone/eq']);
    expect(direct.body.detail).toContain('it has id, name, price');
    const aimless = await api.call('POST', path, { body: { field: ['id'] } });
    expect([aimless.status, aimless.body.errors[0].pointer]).toEqual([422, '/field']);
    expect((await download({ field: ['id'] })).status).toBe(400);
  });
});

describe('a link', () => {
  const path = () => `/v1/sources/${id}/snapshots/latest/download-links`;

  it('contains what fits in a URL, and refuses more', async () => {
    // Each character takes two bytes, or four: quotes are escaped.
    const fits = { filter: { name: { ne: 'é'.repeat(250), contains: '"'.repeat(200) } } };
    const link = await makeLink(fits);
    expect(link.length).toBeLessThan(2_000);
    expect((await follow(link)).status).toBe(200);
    for (const [name, body] of [
      ['filter', { search: 'x', filter: { name: { ne: 'x'.repeat(1_000), eq: 'x'.repeat(100) } } }],
      ['field', { search: 'x', field: Array.from({ length: 20 }, () => 'x'.repeat(60)) }],
      ['search', { search: '\u0001'.repeat(200) }],
    ] as const) {
      const { status, body: problem } = await api.call('POST', path(), { body });
      expect({ status, errors: problem.errors }).toMatchObject({
        status: 422,
        errors: [{ pointer: `/${name}`, code: 'too_long' }],
      });
    }
  });

  it('does not reveal the search', async () => {
    const link = await makeLink({ search: 'confidential' });
    const token = link.slice(link.indexOf('=') + 1);
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('confidential');
  });
});

describe('the queue of searches', () => {
  it('includes files: a file that finds it full is refused before it begins', async () => {
    const heavyDb = openDatabase(api.db.client.config.connection.connectionString, { poolSize: 4 });
    const app = buildApp(
      { ...api.services, heavyDb },
      { rateLimits: createRateLimits({ multiplier: 1_000 }) },
    );
    const headers = { authorization: `Bearer ${api.fullKey}` };
    const get = async (url: string) => app.inject({ url, headers });
    try {
      const trx = await api.db.transaction();
      await trx.raw('lock table row_versions in access exclusive mode');
      const url = snapshotUrl('download', queryOf({ search: 'own' }));
      const searches = Array.from({ length: 8 }, () => get(snapshotUrl('rows', queryOf({ search: 'own' }))));
      await until('two are under way', () => heavyDb.client.pool.numUsed() === 2);
      const refused = await get(url);
      expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited']);
      await trx.rollback();
      for (const { statusCode } of await Promise.all(searches)) expect(statusCode).toBe(200);
      expect((await get(url)).statusCode).toBe(200);
    } finally {
      await app.close();
      await heavyDb.destroy();
    }
  });

  it('ends a file that takes too long with advice', async () => {
    const heavyDb = openDatabase(api.db.client.config.connection.connectionString, { poolSize: 4 });
    const app = buildApp(
      { ...api.services, heavyDb },
      { rateLimits: createRateLimits({ multiplier: 1_000 }) },
    );
    const headers = { authorization: `Bearer ${api.fullKey}` };
    try {
      const trx = await api.db.transaction();
      await trx.raw('lock table row_versions in access exclusive mode');
      const asked = app.inject({ url: snapshotUrl('download', queryOf({ search: 'own' })), headers });
      await until('it waits', async () => {
        const { rows } = await api.db.raw(
          `select pg_cancel_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%row_versions%'`,
        );
        return rows.length > 0;
      });
      const answer = await asked;
      await trx.rollback();
      expect([answer.statusCode, answer.json().code]).toEqual([422, 'query_too_expensive']);
    } finally {
      await app.close();
      await heavyDb.destroy();
    }
  });
});
