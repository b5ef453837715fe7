// Labels of records: what a name and a value may be, how they change, and which records a list finds by them.
import { beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { createAccount, createKey, createTestRecord } from '../../support/rows/factories.ts';

const api = useApi();
let accountId: string;
let key: string;
beforeEach(async () => {
  accountId = await createAccount(api.db);
  key = (await createKey(api.db, accountId, 'full')).value;
});

const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
  api.call(method, path, { key, ...(body === undefined ? {} : { body }) });

const create = async (labels?: object | null) =>
  call('POST', '/v1/sources', {
    url: 'https://example.com/prices.csv',
    ...(labels === undefined ? {} : { labels }),
  });

describe('labels', () => {
  it('are given at creation, and shown by name', async () => {
    const labels = { team: 'Pricing & Stock', 'shop/region': 'eu:west', constructor: 'a', 0: 'zero' };
    const { status, body } = await create(labels);
    expect([status, body.labels]).toEqual([201, labels]);
    expect((await call('GET', `/v1/sources/${body.id}`)).body.labels).toEqual(labels);
    expect((await create()).body.labels).toEqual({});
    expect((await create(null)).body.labels).toEqual({});
  });

  it('are replaced by PATCH as a whole, and removed by null or an empty object', async () => {
    const { id } = (await create({ team: 'pricing', env: 'test' })).body;
    const change = async (labels: object | null) =>
      (await call('PATCH', `/v1/sources/${id}`, { labels })).body.labels;
    expect(await change({ env: 'live' })).toEqual({ env: 'live' });
    expect((await call('PATCH', `/v1/sources/${id}`, { name: 'Other' })).body.labels).toEqual({
      env: 'live',
    });
    expect(await change(null)).toEqual({});
    expect(await change({ a: 'b' })).toEqual({ a: 'b' });
    expect(await change({})).toEqual({});
    expect(await api.db('record_labels').where({ accountId })).toEqual([]);
  });

  it.each([
    ['an upper-case name', { Team: 'a' }, '/labels'],
    ['a name with a colon', { 'a:b': 'a' }, '/labels'],
    ['an empty name', { '': 'a' }, '/labels'],
    ['a name that ends with a dot', { 'a.': 'a' }, '/labels'],
    ['a name of 64 characters', { ['a'.repeat(64)]: 'a' }, '/labels'],
    ['an empty value', { a: '' }, '/labels/a'],
    ['a value of spaces', { a: '  ' }, '/labels/a'],
    ['a value with a line end', { a: 'b\nc' }, '/labels/a'],
    ['a value of 101 characters', { a: 'b'.repeat(101) }, '/labels/a'],
    ['a number', { a: 1 }, '/labels/a'],
    ['null for a value', { a: null }, '/labels/a'],
    ['21 names', Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`n${at}`, 'a'])), '/labels'],
    ['a list', ['a'], '/labels'],
  ])('refuse %s', async (_what, labels, pointer) => {
    const { status, body } = await create(labels);
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  it('say in words what a name must be', async () => {
    const { body } = await create({ Team: 'a' });
    expect(body.errors[0]).toEqual({
      pointer: '/labels',
      code: 'invalid_value',
      detail: expect.stringContaining('lower-case letters'),
    });
  });
});

describe('a list', () => {
  it('has the records with all of the labels, and no others', async () => {
    const ids: string[] = [];
    for (const labels of [{ team: 'a', env: 'live' }, { team: 'a' }, { team: 'b', env: 'live' }, {}]) {
      ids.push((await create(labels)).body.id);
    }
    const other = await createAccount(api.db);
    await createTestRecord(api.db, other, { labels: { team: 'a', env: 'live' } });
    const found = async (query: string) => {
      const { body } = await call('GET', `/v1/sources?order=asc&${query}`);
      return body.sources.map(({ id }: { id: string }) => ids.indexOf(id));
    };
    expect(await found('')).toEqual([0, 1, 2, 3]);
    expect(await found('label=team:a')).toEqual([0, 1]);
    expect(await found('label=team:a&label=env:live')).toEqual([0]);
    expect(await found('label=team:a&label=team:b')).toEqual([]);
    expect(await found('label=env:live&sort=name')).toEqual([0, 2]);
    await call('PATCH', `/v1/sources/${ids[0]}`, { labels: { team: 'b' } });
    expect(await found('label=team:b')).toEqual([0, 2]);
  });

  it('has pages that are bound to the labels', async () => {
    for (let round = 0; round < 3; round += 1) await create({ team: 'a' });
    const first = (await call('GET', '/v1/sources?limit=2&label=team:a')).body;
    expect(first).toMatchObject({ count: 2, hasMore: true });
    const second = await call('GET', `/v1/sources?limit=2&label=team:a&cursor=${first.nextCursor}`);
    expect(second.body).toMatchObject({ count: 1, hasMore: false });
    const unbound = await call('GET', `/v1/sources?limit=2&cursor=${first.nextCursor}`);
    expect([unbound.status, unbound.body.code]).toEqual([400, 'invalid_cursor']);
  });

  it.each(['team', 'Team:a', ':a', 'team:'])('refuses the label %s', async (label) => {
    const { status, body } = await call('GET', `/v1/sources?label=${label}`);
    expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_parameter', 'label']);
  });
});

it('follow a record to the account that keeps it', async () => {
  const session = (
    await api.call('POST', '/v1/sessions', {
      key: null,
      body: { url: 'https://example.com/prices.csv', labels: { team: 'a' } },
    })
  ).body;
  await call('POST', '/v1/sources/self/keep', { token: session.token });
  const { body } = await call('GET', '/v1/sources?label=team:a');
  expect(body.sources.map(({ id }: { id: string }) => id)).toEqual([session.source.id]);
});
