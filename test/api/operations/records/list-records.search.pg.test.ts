import { beforeAll, describe, expect, it } from 'vitest';
import { rawRows } from '../../../../db/driver/knex.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../../../support/rows/factories.ts';

const api = useApi();
let key: string;
const names = ['Émile', 'alpha', 'Beta', '100%_sure', 'beta', 'Zeta', 'gamma'];
let ids: string[];

const list = async (query: string): Promise<string[]> => {
  const found: string[] = [];
  for (let cursor: string | null = null, pages = 0; pages === 0 || cursor !== null; pages += 1) {
    const { status, body } = await api.call(
      'GET',
      `/v1/sources?${query}${cursor ? `&cursor=${cursor}` : ''}`,
      {
        key,
      },
    );
    expect(status).toBe(200);
    found.push(...body.sources.map(({ name }: { name: string }) => name));
    cursor = body.nextCursor;
  }
  return found;
};

beforeAll(async () => {
  const accountId = await createAccount(api.db);
  ({ value: key } = await createKey(api.db, accountId, 'read'));
  ids = [];
  for (const [at, name] of names.entries()) {
    const url = `https://data-${at}.example.com/Prices.csv`;
    ids.push(await createTestRecord(api.db, accountId, { name, url, slug: `slug-of-${at}` }));
  }
  const stranger = await createAccount(api.db);
  await createTestRecord(api.db, stranger, { name: 'alpha of a stranger' });
  const [, alpha = '', beta = '', sure = '', , zeta = '', gamma = ''] = ids;
  await commitRows(api.db, gamma, { a: '{"id":"a","price":1}' });
  await commitRows(api.db, gamma, { a: '{"id":"a","price":2}' });
  await commitRows(api.db, alpha, { a: '{"id":"a","price":1}' });
  await commitRows(api.db, alpha, { a: '{"id":"a","price":2}' });
  // This record does not change from here on.
  await commitRows(api.db, gamma, { a: '{"id":"a","price":2}' });
  await rawRows(
    api.db,
    `update record_heads set consecutive_failures = 2, last_outcome = 'failed' where record_id in (?, ?)`,
    [beta, zeta],
  );
  await rawRows(api.db, `update record_heads set last_outcome = 'held' where record_id = ?`, [sure]);
  await rawRows(api.db, `update records set status = 'paused' where id = ?`, [zeta]);
});

describe('the list of records', () => {
  it('is sorted by age by default, newest first', async () => {
    expect(await list('limit=3')).toEqual(names.toReversed());
    expect(await list('limit=3&sort=created')).toEqual(names.toReversed());
    expect(await list('limit=3&order=asc')).toEqual(names);
  });

  it('can be sorted by name ignoring case, with any page size', async () => {
    const byName = ['100%_sure', 'alpha', 'Beta', 'beta', 'gamma', 'Zeta', 'Émile'];
    for (const limit of [1, 2, 3, 50]) expect(await list(`sort=name&limit=${limit}`)).toEqual(byName);
    expect(await list('sort=name&limit=2&order=desc')).toEqual(byName.toReversed());
  });

  it('can be sorted by health: failing checks first, then held ones', async () => {
    const byHealth = ['Zeta', 'Beta', '100%_sure', 'gamma', 'beta', 'alpha', 'Émile'];
    for (const limit of [1, 2, 50]) expect(await list(`sort=health&limit=${limit}`)).toEqual(byHealth);
    expect(await list('sort=health&limit=2&order=asc')).toEqual(byHealth.toReversed());
  });

  it('can be sorted by last change, records without one last', async () => {
    const byChange = ['alpha', 'gamma', 'Zeta', 'beta', '100%_sure', 'Beta', 'Émile'];
    for (const limit of [1, 2, 50]) expect(await list(`sort=lastChange&limit=${limit}`)).toEqual(byChange);
    expect(await list('sort=lastChange&limit=2&order=asc')).toEqual(byChange.toReversed());
  });

  it.each([
    ['ALPHA', ['alpha']],
    ['émile', ['Émile']],
    ['BET', ['Beta', 'beta']],
    ['%', ['100%_sure']],
    ['_', ['100%_sure']],
    ['slug-of-5', ['Zeta']],
    ['data-6.EXAMPLE.com/prices', ['gamma']],
    ['.csv', ['100%_sure', 'alpha', 'Beta', 'beta', 'gamma', 'Zeta', 'Émile']],
    ['nowhere', []],
    ["' or true --", []],
  ])('finds %s in names, slugs and URLs, and nothing of other accounts', async (search, found) => {
    expect(await list(`sort=name&limit=2&search=${encodeURIComponent(search)}`)).toEqual(found);
  });

  it('can be limited to one status, or to failing records', async () => {
    expect(await list('status=paused')).toEqual(['Zeta']);
    expect(await list('status=active&sort=name&limit=4')).toHaveLength(6);
    expect(await list('health=failing&limit=1')).toEqual(['Zeta', 'Beta']);
    expect(await list('health=failing&status=active&search=b')).toEqual(['Beta']);
  });

  it('can be limited to held or healthy records', async () => {
    expect(await list('health=held')).toEqual(['100%_sure']);
    expect(await list('health=healthy&limit=1')).toEqual(['gamma', 'alpha']);
    expect(await list('health=healthy&search=alpha')).toEqual(['alpha']);
  });

  it('counts the records by health on request, also those that it does not list', async () => {
    const countsOf = async (query: string, as = key): Promise<unknown> =>
      (await api.call('GET', `/v1/sources?${query}`, { key: as })).body.counts;
    const all = { all: 7, failing: 1, held: 1, healthy: 2, paused: 1 };
    expect(await countsOf('counts=true')).toEqual(all);
    expect(await countsOf('counts=true&health=held&status=active&limit=1')).toEqual(all);
    expect(await countsOf('counts=true&search=beta')).toEqual({
      all: 2,
      failing: 1,
      held: 0,
      healthy: 0,
      paused: 0,
    });
    const { value } = await createKey(api.db, await ownerOf(ids[1]), 'read', ids[1]);
    expect(await countsOf('counts=true', value)).toEqual({
      all: 1,
      failing: 0,
      held: 0,
      healthy: 1,
      paused: 0,
    });
    expect(await countsOf('counts=false')).toBeUndefined();
    expect(await countsOf('')).toBeUndefined();
  });

  it('has cursors that are valid for the same search only', async () => {
    const { body } = await api.call('GET', '/v1/sources?limit=1&sort=name', { key });
    const cursor = String(body.nextCursor);
    for (const query of ['limit=1', 'sort=health', 'sort=name&order=desc', 'sort=name&search=a']) {
      const refused = await api.call('GET', `/v1/sources?${query}&cursor=${cursor}`, { key });
      expect([query, refused.status, refused.body.code]).toEqual([query, 400, 'invalid_cursor']);
    }
    const plain = await api.call('GET', '/v1/sources?limit=1', { key });
    const next = await api.call('GET', `/v1/sources?sort=created&cursor=${plain.body.nextCursor}`, { key });
    expect(next.body.sources[0].name).toBe('Zeta');
  });

  it('has one record for a credential of one record', async () => {
    const { value } = await createKey(api.db, await ownerOf(ids[1]), 'read', ids[1]);
    const { body } = await api.call('GET', '/v1/sources?sort=health&search=a', { key: value });
    expect(body.sources.map(({ name }: { name: string }) => name)).toEqual(['alpha']);
  });

  it.each(['sort=age', 'health=good', 'status=deleted', 'search=', 'search=%00', 'order=up'])(
    'does not take %s',
    async (query) => {
      const { status, body } = await api.call('GET', `/v1/sources?${query}`, { key });
      expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    },
  );

  it('says when each record last changed, as reading the record does', async () => {
    const { body } = await api.call('GET', '/v1/sources?sort=lastChange&limit=3', { key });
    const [alpha, gamma, zeta] = body.sources;
    expect(Date.parse(alpha.lastChangeAt)).toBeGreaterThan(Date.parse(gamma.lastChangeAt));
    expect(Date.parse(gamma.lastCheckedAt)).toBeGreaterThan(Date.parse(gamma.lastChangeAt));
    expect(zeta.lastChangeAt).toBeNull();
    for (const record of [alpha, gamma, zeta]) {
      const { body: one } = await api.call('GET', `/v1/sources/${record.id}`, { key });
      expect(one.lastChangeAt).toBe(record.lastChangeAt);
    }
  });
});

async function ownerOf(id = ''): Promise<string> {
  const [record] = await rawRows<{ accountId: string }>(
    api.db,
    'select account_id as "accountId" from records where id = ?',
    [id],
  );
  return record?.accountId ?? '';
}
