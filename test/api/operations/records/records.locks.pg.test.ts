// In which order operations lock a record and its head.
import { expect, it } from 'vitest';
import { rawRows } from '../../../../db/driver/knex.ts';
import { useApi } from '../../../support/api/api.ts';
import { createTestRecord } from '../../../support/rows/factories.ts';
import { until } from '../../../support/until.ts';

const api = useApi();

const isSomeoneWaiting = async (): Promise<boolean> => {
  const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await rawRows(api.db, sql)).length > 0;
};

it('regression: a record that is resumed during a commit does not stop the commit', async () => {
  const recordId = await createTestRecord(api.db, api.accountId);
  const pathOf = (what: string): string => `/v1/sources/${recordId}/${what}`;
  expect((await api.call('POST', pathOf('pause'))).status).toBe(200);
  const trx = await api.db.transaction();
  await trx.raw('select from record_heads where record_id = ? for update', [recordId]);
  const answer = api.call('POST', pathOf('resume'));
  await until('it waits for the commit', isSomeoneWaiting);
  // The end of a commit that begins a generation. Without `nowait` this would be a deadlock.
  try {
    const settings = 'select from records where id = ? for no key update nowait';
    expect((await trx.raw(settings, [recordId])).rowCount).toBe(1);
  } finally {
    await trx.commit();
  }
  expect(await answer).toMatchObject({ status: 200, body: { status: 'active' } });
});
