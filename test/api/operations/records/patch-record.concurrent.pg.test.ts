// Changes of one record's settings at the same time.
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

it.each([
  ['an ignored field', { keyFields: ['id'] }, { ignoreFields: ['id'] }, '/ignoreFields/0'],
  ['a key field', { ignoreFields: ['id'] }, { keyFields: ['id'] }, '/ignoreFields/0'],
  ['a rule', { keyFields: ['id'] }, { rules: { id: { trim: true } } }, '/rules/id'],
  ['a delimiter', { format: 'json' }, { delimiter: ';' }, '/delimiter'],
])('regression: %s has to fit what another change has set', async (_, columns, changes, pointer) => {
  const recordId = await createTestRecord(api.db, api.accountId);
  const trx = await api.db.transaction();
  await trx('records').where({ id: recordId }).update(columns);
  const answer = api.call('PATCH', `/v1/sources/${recordId}`, { body: changes });
  await until('it waits for the other change', isSomeoneWaiting);
  await trx.commit();
  const { status, body } = await answer;
  expect([status, body.errors?.[0].pointer]).toEqual([422, pointer]);
});

it('regression: the audit log names what another change has set as the value before', async () => {
  const recordId = await createTestRecord(api.db, api.accountId, { name: 'One' });
  const trx = await api.db.transaction();
  const changed = { name: 'Two', checkIntervalSeconds: 7_200, labels: { team: 'two' }, quietHours: 2 };
  await trx('records').where({ id: recordId }).update(changed);
  const body = { name: 'One', checkIntervalMinutes: 60, labels: { team: 'one' }, quietHours: 1 };
  const answer = api.call('PATCH', `/v1/sources/${recordId}`, { body });
  await until('it waits for the other change', isSomeoneWaiting);
  await trx.commit();
  expect((await answer).status).toBe(200);
  const [{ changes }] = await api.db('audit_entries').where({ targetId: recordId, action: 'record.update' });
  expect(changes).toEqual([
    { field: 'name', before: 'Two', after: 'One' },
    { field: 'checkIntervalMinutes', before: 120, after: 60 },
    { field: 'labels', before: { team: 'two' }, after: { team: 'one' } },
    { field: 'quietHours', before: 2, after: 1 },
  ]);
});
