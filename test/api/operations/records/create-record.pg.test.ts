// How many records an account may have before one of them is on a paid tier.
import { expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { createAccount, createKey } from '../../../support/rows/factories.ts';

const api = useApi({ freeRecords: 2 });

it('an account without a paid tier has a limited number of records', async () => {
  const { value: key } = await createKey(api.db, await createAccount(api.db), 'full');
  const create = (slug?: string) =>
    api.call('POST', '/v1/sources', { key, body: { url: 'https://example.com/list.csv', slug } });
  const [first, second] = [await create('first'), await create('second')];
  expect([first.status, second.status]).toEqual([201, 201]);

  const third = await create('third');
  expect(third).toMatchObject({
    status: 409,
    body: { code: 'conflict', detail: expect.stringContaining('at most 2 records') },
  });
  const { body } = await api.call('GET', '/v1/sources', { key });
  expect(body.sources.map(({ slug }: { slug: string }) => slug).toSorted()).toEqual(['first', 'second']);

  await api.call('DELETE', `/v1/sources/${first.body.id}`, { key });
  const atOnce = await Promise.all([create(), create(), create()]);
  expect(atOnce.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([201, 409, 409]);

  await api.db('records').where({ id: second.body.id }).update({ tier: 'watch' });
  expect((await create('paid')).status).toBe(201);
});
