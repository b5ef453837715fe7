// Requests whose work is committed and whose result cannot be read: a repeat with their key does not do the work again.
import { expect, it } from 'vitest';
import { rawRows } from '../../../db/driver/knex.ts';
import { useApi } from '../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../support/rows/factories.ts';
import { makeHeldCheck } from '../../support/rows/new-held-check.ts';

const api = useApi();

/** Answers a request without a table, from the moment at which the API tells a workflow, and again with it. */
async function postWithout(table: string, path: string, key: string) {
  const rename = (from: string, to: string) => rawRows(api.db, `alter table ${from} rename to ${to}`);
  const { tell, attemptNow, onCheck } = api.workflows;
  const take = () => rename(table, 'away');
  Object.assign(api.workflows, { tell: take, attemptNow: take, onCheck: take });
  const post = () => api.call('POST', path, { headers: { 'idempotency-key': key, prefer: 'wait=1' } });
  const first = await post();
  Object.assign(api.workflows, { tell, attemptNow, onCheck });
  await rename('away', table);
  return { first, again: await post() };
}

async function makeDelivery(): Promise<{ webhook: string; deliveryId: string }> {
  const recordId = await createTestRecord(api.db, api.accountId);
  const webhooks = `/v1/sources/${recordId}/webhooks`;
  const { body } = await api.call('POST', webhooks, { body: { url: 'https://hooks.example.com/in' } });
  const webhook = `${webhooks}/${body.id}`;
  const { body: made } = await api.call('POST', `${webhook}/test`);
  return { webhook, deliveryId: made.id };
}

const deliveriesOf = async (webhook: string): Promise<number> =>
  (await api.call('GET', `${webhook}/deliveries`)).body.deliveries.length;

it('regression: a repeated test sends no second example', async () => {
  const { webhook } = await makeDelivery();
  const { first, again } = await postWithout('attempts', `${webhook}/test`, 'test');
  expect(first).toMatchObject({ status: 202, body: { status: 'pending', attempts: [] } });
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(await deliveriesOf(webhook)).toBe(2);
});

it('regression: a repeated request to deliver again does so once', async () => {
  const { webhook, deliveryId } = await makeDelivery();
  const path = `${webhook}/deliveries/${deliveryId}/redeliver`;
  const { first, again } = await postWithout('attempts', path, 'redeliver');
  expect(first).toMatchObject({ status: 202, body: { id: deliveryId, status: 'pending' } });
  expect(again.headers['idempotent-replayed']).toBe('true');
});

it('regression: a repeated request for a check requests one', async () => {
  const recordId = await createTestRecord(api.db, api.accountId);
  const { first, again } = await postWithout('checks', `/v1/sources/${recordId}/check`, 'check');
  expect(first).toMatchObject({ status: 202, body: { outcome: null } });
  expect([again.headers['idempotent-replayed'], again.body.id]).toEqual(['true', first.body.id]);
});

it('regression: a repeated decision about a held check is no conflict', async () => {
  const recordId = await createTestRecord(api.db, api.accountId);
  await commitRows(api.db, recordId, { a: '{"id":"a"}', b: '{"id":"b"}' });
  const checkId = await makeHeldCheck(api.db, recordId);
  const path = `/v1/sources/${recordId}/checks/${checkId}/accept`;
  const { first, again } = await postWithout('checks', path, 'accept');
  expect(first).toMatchObject({
    status: 202,
    body: { id: checkId, decision: 'accepted', isRecorded: false },
  });
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([202, 'true']);
});

it('regression: a paused record is answered as it was committed', async () => {
  const recordId = await createTestRecord(api.db, api.accountId);
  const { first, again } = await postWithout('record_heads', `/v1/sources/${recordId}/pause`, 'pause');
  expect(first).toMatchObject({ status: 200, body: { id: recordId, status: 'paused' } });
  expect(again.headers['idempotent-replayed']).toBe('true');
});

it('what was deleted meanwhile is not found', async () => {
  const { webhook, deliveryId } = await makeDelivery();
  const { attemptNow } = api.workflows;
  api.workflows.attemptNow = async () => {
    await api.db('deliveries').where({ id: deliveryId }).delete();
  };
  const answer = await api.call('POST', `${webhook}/deliveries/${deliveryId}/redeliver`);
  api.workflows.attemptNow = attemptNow;
  expect(answer.status).toBe(404);
});
