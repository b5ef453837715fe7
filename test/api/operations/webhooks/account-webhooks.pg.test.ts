import { beforeEach, describe, expect, it } from 'vitest';
import { findLatestDeltaEvent } from '../../../../db/rows/delta-events.ts';
import { useApi } from '../../../support/api/api.ts';
import {
  commitRows,
  createAccount,
  createKey,
  createTestRecord,
  newTestId,
} from '../../../support/rows/factories.ts';

const api = useApi();
const url = 'https://hooks.example.com/all';

let key = '';
let accountId = '';
let recordId = '';
beforeEach(async () => {
  accountId = await createAccount(api.db);
  recordId = await createTestRecord(api.db, accountId);
  key = (await createKey(api.db, accountId, 'full')).value;
});

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  api.call(method, `/v1/webhooks${path}`, { key, ...(body && { body }) });
const make = async (settings: object = {}) => (await call('POST', '', { url, ...settings })).body;

/** @returns the event */
async function change(of = recordId): Promise<string> {
  await commitRows(api.db, of, { a: `{"id":"a","price":"${Math.random()}"}` });
  return (await findLatestDeltaEvent(api.db, of))?.id ?? '';
}

describe('webhooks of the account', () => {
  it('are created for all records, with the settings and the secret of a record’s webhook', async () => {
    const { status, body } = await call('POST', '', { url, ordered: true, filters: { minChanges: 2 } });
    expect(status).toBe(201);
    const { secret, ...shown } = body;
    expect(secret).toMatch(/^whsec_/);
    const ofRecord = await api.call('POST', `/v1/sources/${recordId}/webhooks`, { key, body: { url } });
    const { sourceId: _sourceId, ...settings } = ofRecord.body;
    expect(Object.keys({ ...settings, sources: null }).toSorted()).toEqual(Object.keys(body).toSorted());
    expect(shown).toMatchObject({ url, sources: null, ordered: true, filters: { minChanges: 2 } });
    const list = await call('GET', '');
    expect(list.body).toEqual({ count: 1, hasMore: false, nextCursor: null, webhooks: [shown] });
    expect((await call('GET', `/${body.id}`)).body).toEqual(shown);
  });

  it('are not among those of a record, nor those of a record among them', async () => {
    const { id } = await make();
    const ofRecord = await api.call('POST', `/v1/sources/${recordId}/webhooks`, { key, body: { url } });
    expect((await api.call('GET', `/v1/sources/${recordId}/webhooks`, { key })).body).toMatchObject({
      count: 1,
      webhooks: [{ id: ofRecord.body.id }],
    });
    for (const path of [`/v1/sources/${recordId}/webhooks/${id}`, `/v1/webhooks/${ofRecord.body.id}`]) {
      for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
        const body = method === 'PATCH' ? { enabled: false } : undefined;
        expect((await api.call(method, path, { key, ...(body && { body }) })).status).toBe(404);
      }
    }
    expect((await call('GET', '')).body).toMatchObject({ count: 1, webhooks: [{ id, enabled: true }] });
  });

  it('are for a list of records, or for those with labels, and for others after a change', async () => {
    const sibling = await createTestRecord(api.db, accountId);
    const sources = { ids: [sibling, recordId].toSorted() };
    const { id } = await make({ sources });
    const patch = async (body: object) => (await call('PATCH', `/${id}`, body)).body;
    expect(await patch({})).toMatchObject({ sources });
    expect(await patch({ description: 'Unchanged list' })).toMatchObject({ sources });
    expect(await patch({ sources: { labels: { team: 'a', env: 'b' } } })).toMatchObject({
      sources: { labels: { env: 'b', team: 'a' } },
    });
    expect(await patch({ sources: null })).toMatchObject({ sources: null });
    expect(await patch({ sources: { ids: [recordId] } })).toMatchObject({ sources: { ids: [recordId] } });
    await api.call('DELETE', `/v1/sources/${recordId}`, { key });
    expect((await call('GET', `/${id}`)).body).toMatchObject({ sources: { ids: [] } });
    expect(await patch({ sources: { ids: [] } })).toMatchObject({ sources: { ids: [] } });
    const { body } = await api.call('GET', '/v1/auditlog', { key });
    const [, { changes }] = body.entries.filter(
      ({ action }: { action: string }) => action === 'webhook.update',
    );
    expect(changes).toEqual([{ field: 'sources', before: null, after: { ids: [recordId] } }]);
  });

  it.each([
    [{ sources: {} }, '/sources', 'too_short'],
    [{ sources: { ids: [], labels: { a: 'b' } } }, '/sources', 'too_long'],
    [{ sources: [] }, '/sources', 'invalid_type'],
    [{ sources: { ids: [] } }, '/sources/ids', 'too_short'],
    [{ sources: { ids: ['src_1'] } }, '/sources/ids/0', 'invalid_value'],
    [{ sources: { ids: [`src_${'0'.repeat(32)}`] } }, '/sources/ids/0', 'invalid_value'],
    [{ sources: { labels: {} } }, '/sources/labels', 'too_short'],
    [{ sources: { labels: { 'a:b': 'c' } } }, '/sources/labels', 'invalid_value'],
    [{ sources: { labels: { a: 1 } } }, '/sources/labels/a', 'invalid_type'],
    [{ sources: { all: true } }, '/sources/all', 'unknown_field'],
    [{ sourceId: 'x' }, '/sourceId', 'unknown_field'],
  ])('refuse %j', async (body, pointer, code) => {
    const answer = await call('POST', '', { url, ...body });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer, code })]);
  });

  it('refuse the records of another account and deleted ones, with words that do not tell them apart', async () => {
    const foreign = await createTestRecord(api.db, await createAccount(api.db));
    const gone = await createTestRecord(api.db, accountId);
    await api.call('DELETE', `/v1/sources/${gone}`, { key });
    const { body } = await call('POST', '', { url, sources: { ids: [recordId, foreign, gone] } });
    const detail = 'is not the id of a record of this account';
    expect(body.errors).toEqual(
      [1, 2].map((at) => ({ pointer: `/sources/ids/${at}`, code: 'invalid_value', detail })),
    );
    expect(body.detail).not.toContain(foreign);
  });

  it('are at most twenty', async () => {
    for (let at = 0; at < 20; at += 1) await make();
    const { status, body } = await call('POST', '', { url });
    expect([status, body.code]).toEqual([409, 'conflict']);
    const page = await call('GET', '?limit=15');
    const rest = await call('GET', `?limit=15&cursor=${page.body.nextCursor}`);
    expect([page.body.count, rest.body.count]).toEqual([15, 5]);
  });

  it('rotate their secrets, and are deleted with their deliveries', async () => {
    const { id, secret } = await make();
    const rotated = (await call('POST', `/${id}/rotate-secret`, {})).body;
    expect(rotated.secret).not.toBe(secret);
    expect(Date.parse(rotated.previousSecretUntil)).toBeGreaterThan(Date.now());
    await change();
    await change();
    expect((await call('GET', `/${id}/deliveries`)).body.count).toBe(1);
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect(await api.db('deliveries').where({ webhookId: id })).toEqual([]);
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
  });

  it('count in the usage of the account', async () => {
    await make();
    expect((await api.call('GET', '/v1/usage', { key })).body).toMatchObject({ webhooks: 1 });
  });

  it('repeat no secret under the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': newTestId('check') };
    const post = () => api.call('POST', '/v1/webhooks', { key, headers, body: { url } });
    const [first, second] = [await post(), await post()];
    expect([second.status, second.body.id, second.body.secret]).toEqual([201, first.body.id, undefined]);
    expect((await call('GET', '')).body.count).toBe(1);
  });
});

describe('their deliveries', () => {
  it('are those of all their records, and each is shown with its body', async () => {
    const sibling = await createTestRecord(api.db, accountId);
    const { id } = await make({ include: 'rows' });
    await change();
    await change(sibling);
    const events = [await change(), await change(sibling)];
    const { body } = await call('GET', `/${id}/deliveries?order=asc`);
    expect(body).toMatchObject({
      count: 2,
      deliveries: [recordId, sibling].map((sourceId, at) => ({
        sourceId,
        deltaEventId: events[at],
        webhookId: id,
      })),
    });
    expect(body).not.toHaveProperty('sourceId');
    const [first, second] = body.deliveries;
    const one = (await call('GET', `/${id}/deliveries/${first.id}`)).body;
    expect(JSON.parse(one.payload)).toMatchObject({
      sourceId: recordId,
      deltaEventId: events[0],
      rows: [{ key: 'a' }],
    });
    const since = await call('GET', `/${id}/deliveries?since=${events[0]}`);
    expect(since.body.deliveries).toMatchObject([{ id: second.id }]);
    expect((await call('GET', `/${id}/deliveries?since=2020-01-01`)).body.count).toBe(2);
    const unknown = await call('GET', `/${id}/deliveries?since=${newTestId('deltaEvent')}`);
    expect([unknown.status, unknown.body.code]).toEqual([410, 'gone']);
    const wrong = await call('GET', `/${id}/deliveries?since=yesterday`);
    expect([wrong.status, wrong.body.errors]).toMatchObject([400, [{ pointer: 'since' }]]);
  });

  it('have the body that the record’s own webhook gets, but for the webhook’s id', async () => {
    const { id } = await make();
    const own = (await api.call('POST', `/v1/sources/${recordId}/webhooks`, { key, body: { url } })).body;
    await change();
    await change();
    const payloadAt = async (path: string): Promise<string> => {
      const { body } = await api.call('GET', `${path}/deliveries`, { key });
      const { id: deliveryId } = body.deliveries[0];
      return (await api.call('GET', `${path}/deliveries/${deliveryId}`, { key })).body.payload;
    };
    const ofAccount = await payloadAt(`/v1/webhooks/${id}`);
    const ofRecord = await payloadAt(`/v1/sources/${recordId}/webhooks/${own.id}`);
    expect(ofAccount.replaceAll(id, own.id)).toBe(ofRecord);
  });

  it('are sent again, and recovered since an event of any of their records', async () => {
    const { id } = await make();
    await change();
    const [first, second] = [await change(), await change()];
    await api.db('deliveries').where({ webhookId: id }).update({ status: 'failed', nextAttemptAt: null });
    const { body } = await call('GET', `/${id}/deliveries?order=asc`);
    const [{ id: deliveryId }] = body.deliveries;
    expect((await call('POST', `/${id}/deliveries/${deliveryId}/redeliver`)).status).toBe(202);
    const recover = (since: string, dryRun: boolean) => call('POST', `/${id}/recover`, { since, dryRun });
    expect((await recover(first, true)).body).toEqual({
      webhookId: id,
      dryRun: true,
      count: 1,
      hasMore: false,
    });
    expect((await recover('2020-01-01', false)).status).toBe(202);
    expect(
      await api.db('deliveries').where({ webhookId: id, inBacklog: true }).pluck('delta_event_id'),
    ).toEqual([second]);
    const wrong = await recover('never', true);
    expect([wrong.status, wrong.body.errors]).toMatchObject([422, [{ pointer: '/since' }]]);
    await call('PATCH', `/${id}`, { enabled: false });
    expect((await recover('2020-01-01', true)).body.code).toBe('conflict');
  });

  it('a test names the newest record for which the webhook is; without one it is refused', async () => {
    const newest = await createTestRecord(api.db, accountId);
    const { id } = await make();
    const { status, body } = await call('POST', `/${id}/test`, {});
    expect([status, body]).toMatchObject([202, { webhookId: id, sourceId: newest, isTest: true }]);
    await call('PATCH', `/${id}`, { sources: { labels: { no: 'such' } } });
    expect((await call('POST', `/${id}/test`, {})).body).toMatchObject({ status: 409, code: 'conflict' });
  });
});

it('another account sees and changes nothing, and a key of a record may not ask', async () => {
  const { id } = await make();
  await change();
  await change();
  const { body } = await call('GET', `/${id}/deliveries`);
  const delivery = `/v1/webhooks/${id}/deliveries/${body.deliveries[0].id}`;
  const calls = [
    ['GET', `/v1/webhooks/${id}`],
    ['PATCH', `/v1/webhooks/${id}`, { enabled: false }],
    ['DELETE', `/v1/webhooks/${id}`],
    ['POST', `/v1/webhooks/${id}/rotate-secret`, {}],
    ['POST', `/v1/webhooks/${id}/test`, {}],
    ['GET', `/v1/webhooks/${id}/deliveries`],
    ['GET', delivery],
    ['POST', `${delivery}/redeliver`],
    ['POST', `/v1/webhooks/${id}/recover`, { since: '2020-01-01' }],
  ] as const;
  const stranger = await createAccount(api.db);
  const strangersRecord = await createTestRecord(api.db, stranger);
  const foreign = (await createKey(api.db, stranger, 'full')).value;
  const own = (await api.call('POST', '/v1/webhooks', { key: foreign, body: { url } })).body;
  const ofRecord = (await createKey(api.db, accountId, 'read', recordId)).value;
  const before = await api.db('webhooks').where({ id });
  for (const [method, path, sent] of calls) {
    const options = sent === undefined ? {} : { body: sent };
    expect([path, (await api.call(method, path, { key: foreign, ...options })).status]).toEqual([path, 404]);
    expect([path, (await api.call(method, path, { key: ofRecord, ...options })).status]).toEqual([path, 403]);
  }
  const underOwn = delivery.replace(id, own.id);
  expect((await api.call('GET', underOwn, { key: foreign })).status).toBe(404);
  expect((await api.call('POST', `${underOwn}/redeliver`, { key: foreign })).status).toBe(404);
  expect((await api.call('POST', '/v1/webhooks', { key: ofRecord, body: { url } })).status).toBe(403);
  expect((await api.call('GET', '/v1/webhooks', { key: ofRecord })).status).toBe(403);
  expect((await api.call('GET', '/v1/webhooks', { key: foreign })).body).toMatchObject({
    count: 1,
    webhooks: [{ id: own.id }],
  });
  expect(await api.db('webhooks').where({ id })).toEqual(before);
  await change(strangersRecord);
  await change(strangersRecord);
  expect((await call('GET', `/${id}/deliveries`)).body.count).toBe(1);
  expect((await api.call('GET', `/v1/webhooks/${own.id}/deliveries`, { key: foreign })).body.count).toBe(1);
});
