// POST …/preview/condition: how often a webhook would have been called in the last 30 days.
import { beforeEach, expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../../../support/rows/factories.ts';

const api = useApi();

let accountId: string;
let key: string;
beforeEach(async () => {
  accountId = await createAccount(api.db);
  ({ value: key } = await createKey(api.db, accountId, 'full'));
});

const FELL = { some: [{ var: 'rows' }, { '<': [{ percent: 'price' }, -5] }] };

const commit = (recordId: string, prices: Record<string, string>) =>
  commitRows(
    api.db,
    recordId,
    Object.fromEntries(Object.entries(prices).map(([id, price]) => [id, JSON.stringify({ id, price })])),
  );

/** Falls by 4 %, by 6 %, and loses a row. */
async function makeHistory(): Promise<string> {
  const recordId = await createTestRecord(api.db, accountId);
  await commit(recordId, { a: '100', b: '1' });
  await commit(recordId, { a: '96', b: '1' });
  await commit(recordId, { a: '90.24', b: '1' });
  await commit(recordId, { a: '90.24' });
  return recordId;
}

const previewOf = (recordId: string, body: object) =>
  api.call('POST', `/v1/sources/${recordId}/preview/condition`, { key, body });

it('counts the events of a record that meet it, and that its filters let pass', async () => {
  const recordId = await makeHistory();
  const { status, body } = await previewOf(recordId, { condition: FELL });
  expect([status, body]).toEqual([
    200,
    { since: expect.any(String), events: 3, met: 1, undecided: 0, isWhole: true },
  ]);
  expect(Math.abs(Date.now() - 30 * 86_400_000 - Date.parse(body.since))).toBeLessThan(60_000);
  const deleted = await previewOf(recordId, { condition: FELL, filters: { changeTypes: ['deleted'] } });
  expect(deleted.body).toMatchObject({ events: 1, met: 0 });
  const gone = await previewOf(recordId, { condition: { '>': [{ var: 'deletedCount' }, 0] } });
  expect(gone.body).toMatchObject({ events: 3, met: 1 });
  for (const none of [{}, { condition: null }]) {
    expect((await previewOf(recordId, none)).body).toMatchObject({ events: 3, met: 3 });
  }
  await api
    .db('delta_events')
    .where({ recordId })
    .update({ detectedAt: new Date('2026-01-01T00:00:00Z') });
  expect((await previewOf(recordId, { condition: FELL })).body).toMatchObject({ events: 0, met: 0 });
});

it('sums over the records that a webhook of the account selects', async () => {
  const [first, second] = [await makeHistory(), await makeHistory()];
  await api
    .db('records')
    .where({ id: second })
    .update({ labels: { team: 'prices' } });
  await createTestRecord(api.db, await createAccount(api.db));
  const of = async (sources: unknown) =>
    (await api.call('POST', '/v1/webhooks/preview/condition', { key, body: { condition: FELL, sources } }))
      .body;
  expect(await of(null)).toMatchObject({ events: 6, met: 2, isWhole: true });
  expect(await of({ ids: [first] })).toMatchObject({ events: 3, met: 1, isWhole: true });
  expect(await of({ labels: { team: 'prices' } })).toMatchObject({ events: 3, met: 1, isWhole: true });
  expect(await of({ labels: { team: 'other' } })).toMatchObject({ events: 0, met: 0, isWhole: true });
  const foreign = await createTestRecord(api.db, await createAccount(api.db));
  expect(await of({ ids: [foreign] })).toMatchObject({ code: 'validation_failed' });
});

it('says where a condition is faulty', async () => {
  const recordId = await createTestRecord(api.db, accountId);
  const condition = { some: [{ var: 'rows' }, { '<': [{ percent: 'price' }, 'much'] }] };
  for (const path of [`/v1/sources/${recordId}`, '/v1/webhooks']) {
    const { status, body } = await api.call('POST', `${path}/preview/condition`, {
      key,
      body: { condition },
    });
    expect([status, body.code, body.errors]).toEqual([
      422,
      'validation_failed',
      [{ pointer: '/condition/some/1/<', code: 'invalid_value', detail: expect.stringContaining('1234.5') }],
    ]);
  }
});

it('says so when it has not looked at all events', async () => {
  const recordId = await createTestRecord(api.db, accountId);
  const rows = (price: string) =>
    Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`row ${at}`, price]));
  for (let price = 1; price <= 7; price += 1) await commit(recordId, rows(String(price)));
  const condition = { some: [{ var: 'rows' }, { '==': [{ after: 'price' }, 'none has this'] }] };
  const { body } = await previewOf(recordId, { condition });
  expect(body).toMatchObject({ events: 5, met: 0, undecided: 0, isWhole: false });
});
