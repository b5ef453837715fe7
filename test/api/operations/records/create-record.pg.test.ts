// How many records an account may have before one of them is on a paid tier.
import { expect, it } from 'vitest';
import { rawRows } from '../../../../db/driver/knex.ts';
import { useApi } from '../../../support/api/api.ts';
import { createAccount, createKey } from '../../../support/rows/factories.ts';
import { until } from '../../../support/until.ts';

const api = useApi({ freeRecords: 2 });

/** Statements on this database that wait for a lock. */
async function waiting(): Promise<number> {
  const [row] = await rawRows<{ count: number }>(
    api.db,
    `select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

it('an account without a paid tier has a limited number of records', async () => {
  const { value: key } = await createKey(api.db, await createAccount(api.db), 'full');
  const create = (slug: string) =>
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
  expect((await create('fourth')).status).toBe(201);

  await api.db('records').where({ id: second.body.id }).update({ tier: 'watch' });
  expect((await create('paid')).status).toBe(201);
});

it('regression: requests at the same time with different names do not pass the limit', async () => {
  const { value: key } = await createKey(api.db, await createAccount(api.db), 'full');
  const create = (name: string) =>
    api.call('POST', '/v1/sources', { key, body: { url: 'https://example.com/list.csv', name } });
  expect((await create('first')).status).toBe(201);

  const holding = await api.db.transaction();
  let creating: ReturnType<typeof create>[] = [];
  try {
    // None can commit before all have inserted, or wait for each other.
    await holding.raw('lock table audit_entries in share mode');
    creating = [create('second'), create('third'), create('fourth')];
    await until('all of them wait', async () => (await waiting()) === creating.length);
  } finally {
    await holding.commit();
  }
  const atOnce = await Promise.all(creating);
  expect(atOnce.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([201, 409, 409]);
});
