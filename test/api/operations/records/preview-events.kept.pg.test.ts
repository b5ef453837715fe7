// A preview of events that retention deletes meanwhile.
import { expect, it } from 'vitest';
import { rawRows } from '../../../../db/driver/knex.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../../support/rows/factories.ts';
import { until } from '../../../support/until.ts';

const api = useApi();

const isSomeoneWaiting = async (): Promise<boolean> => {
  const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await rawRows(api.db, sql)).length > 0;
};

it('regression: leaves out an event that no longer exists', async () => {
  const recordId = await createTestRecord(api.db, api.accountId, { keyFields: ['id'] });
  for (const price of [1, 2, 3]) await commitRows(api.db, recordId, { a: `{"id":"a","price":${price}}` });
  const preview = () => api.call('POST', `/v1/sources/${recordId}/preview/events`, { body: {} });
  expect((await preview()).body).toMatchObject({ events: [{}, {}], isWhole: true });
  const trx = await api.db.transaction();
  await trx.raw('lock table row_versions in access exclusive mode');
  const answer = preview();
  await until('it waits for the rows', isSomeoneWaiting);
  const [newest, older] = await trx('delta_events').where({ recordId }).orderBy('number', 'desc').pluck('id');
  await trx('delta_events').where({ id: newest }).delete();
  await trx.commit();
  expect((await answer).body).toMatchObject({ events: [{ deltaEventId: older }], isWhole: false });
});
