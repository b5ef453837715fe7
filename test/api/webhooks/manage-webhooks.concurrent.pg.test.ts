// Changes of one webhook at the same time.
import { expect, it } from 'vitest';
import { rawRows } from '../../../db/driver/knex.ts';
import { useApi } from '../../support/api/api.ts';
import { createTestRecord } from '../../support/rows/factories.ts';
import { until } from '../../support/until.ts';

const api = useApi();
const BEFORE = { url: 'https://hooks.example.com/before', format: 'json' };

const isSomeoneWaiting = async (): Promise<boolean> => {
  const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await rawRows(api.db, sql)).length > 0;
};

/** Answers a change that waited while another one, with these columns, was committed. */
async function changeDuring(settings: object, columns: object, changes: object) {
  const recordId = await createTestRecord(api.db, api.accountId);
  const { body } = await api.call('POST', `/v1/sources/${recordId}/webhooks`, { body: settings });
  const trx = await api.db.transaction();
  await trx('webhooks').where({ id: body.id }).update(columns);
  const answer = api.call('PATCH', `/v1/sources/${recordId}/webhooks/${body.id}`, { body: changes });
  await until('the change waits for the other one', isSomeoneWaiting);
  await trx.commit();
  return answer;
}

const NTFY = 'https://ntfy.example.com/topic';

it.each([
  ['format', { url: NTFY }, { format: 'slack' }, { url: NTFY, format: 'slack' }],
  ['url', { format: 'slack' }, { url: NTFY }, { url: NTFY, format: 'slack' }],
])('regression: a change of the %s keeps what another change has set', async (_, columns, changes, after) => {
  expect(await changeDuring(BEFORE, columns, changes)).toMatchObject({ status: 200, body: after });
});

it('a URL has to fit the format that another change has set', async () => {
  const url = 'https://ntfy.example.com/a/b';
  expect(await changeDuring(BEFORE, { format: 'ntfy' }, { url })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/url' }] },
  });
});

it('regression: a digest has to fit the order that another change has set', async () => {
  const digest = { every: 'hour' };
  expect(await changeDuring({ ...BEFORE, format: 'slack' }, { ordered: true }, { digest })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/digest' }] },
  });
});
