// New key fields, previews and decisions on held checks, through API, workflow, worker and a real origin.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import {
  checkAndWait,
  type CheckView,
  createRecord,
  readAll,
  startSystem,
  type System,
} from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';

let system: System;
let origin: Origin;

beforeAll(async () => {
  // A held check waits for a person, not for the next one.
  system = await startSystem({ HELD_RECHECK_SECONDS: '3600' });
  origin = await startOrigin();
});

afterAll(async () => {
  await origin.close();
  await system.stop();
});

const WAIT = { prefer: 'wait=30' };
const latest = async (id: string) => (await system.call('GET', `/v1/sources/${id}/delta/latest`)).body;
const table = (count: number): string =>
  `id,sku,price\n${Array.from({ length: count }, (_, at) => `${at},s${at},${at * 2}\n`).join('')}`;

describe('new key fields', () => {
  it('are previewed, applied without a request to the origin, and end the comparison with older snapshots', async () => {
    origin.set('/keys.csv', { body: 'sku,shop,price\na,1,5\na,2,6\nb,1,7\n' });
    const { id } = await createRecord(system, { url: `${origin.url}/keys.csv`, keyFields: ['sku'] });
    const { body: first } = await system.call('GET', `/v1/sources/${id}`);
    expect(first).toMatchObject({ totalRows: 2 });
    const { status, body: preview } = await system.call('POST', `/v1/sources/${id}/preview`, {
      keyFields: ['sku', 'shop'],
    });
    expect([status, preview]).toEqual([
      200,
      expect.objectContaining({ rowCount: 3, totalRows: 3, warnings: [] }),
    ]);
    const { body: same } = await system.call('POST', `/v1/sources/${id}/preview`, {});
    expect(same).toMatchObject({
      rowCount: 3,
      totalRows: 2,
      warnings: [{ code: 'duplicate_key', count: 1 }],
    });
    const requests = origin.requests.length;
    const { body: patched } = await system.call(
      'PATCH',
      `/v1/sources/${id}`,
      { keyFields: ['sku', 'shop'] },
      WAIT,
    );
    expect(patched).toMatchObject({ isRekeyPending: false, totalRows: 3, keyFields: ['sku', 'shop'] });
    expect(origin.requests.length).toBe(requests);
    expect(await latest(id)).toMatchObject({ rekeyed: true, isNoChange: true, totalCount: 3, newCount: 0 });
    const from = String(first['latestSnapshotId']);
    const compared = await system.call('GET', `/v1/sources/${id}/compare?from=${from}`);
    expect(compared.body).toMatchObject({ status: 422, code: 'different_keys' });
    expect((await system.call('GET', `/v1/sources/${id}/rows/a/history`)).body).toMatchObject({
      code: 'different_keys',
    });
    const old = await readAll(system, `/v1/sources/${id}/snapshots/${from}/rows`, 'rows');
    expect(old).toHaveLength(2);
    origin.set('/keys.csv', { body: 'sku,shop,price\na,1,5\na,2,6.5\nb,1,7\n' });
    expect(await checkAndWait(system, id)).toMatchObject({ outcome: 'changed' });
    expect(await latest(id)).toMatchObject({ changedKeys: ['["a","2"]'], newCount: 0, deletedCount: 0 });
  });

  it('that the origin now sends are adopted by starting over', async () => {
    origin.set('/renamed.csv', { body: 'id,name\n1,a\n2,b\n' });
    const { id } = await createRecord(system, { url: `${origin.url}/renamed.csv`, keyFields: ['id'] });
    origin.set('/renamed.csv', { body: 'nr,name\n1,a\n2,b\n' });
    expect(await checkAndWait(system, id)).toMatchObject({ error: { code: 'missing_key_field' } });
    const path = `/v1/sources/${id}`;
    expect((await system.call('PATCH', path, { keyFields: ['nr'] })).status).toBe(422);
    const { body } = await system.call('PATCH', path, { keyFields: ['nr'], startOver: true }, WAIT);
    expect(body).toMatchObject({ isRekeyPending: false, lastOutcome: 'unchanged', lastError: null });
    expect(await latest(id)).toMatchObject({ rekeyed: true, totalCount: 2 });
  });
});

describe('another format', () => {
  it('repairs a failing record with an immediate check', async () => {
    origin.set('/semi.csv', { body: 'id;name\n1;a\n2;b\n' });
    const { id } = await createRecord(system, { url: `${origin.url}/semi.csv`, delimiter: ',' });
    await system.call('PATCH', `/v1/sources/${id}`, { delimiter: null, startOver: true }, WAIT);
    const { body } = await system.call('GET', `/v1/sources/${id}`);
    expect(body).toMatchObject({ delimiter: ';', keyFields: ['id'] });
  });
});

describe('a held check', () => {
  async function held(path: string): Promise<{ id: string; check: CheckView }> {
    origin.set(path, { body: table(50) });
    const { id } = await createRecord(system, { url: origin.url + path });
    origin.set(path, { body: table(5) });
    const check = await checkAndWait(system, id);
    expect(check).toMatchObject({ outcome: 'held' });
    return { id, check };
  }

  it('is recorded when a person accepts it', async () => {
    const { id, check } = await held('/accepted.csv');
    const path = `/v1/sources/${id}/checks/${check.id}`;
    const { body: shown } = await system.call('GET', path);
    expect(shown['heldChanges']).toMatchObject({ deletedCount: 45, totalCount: 5 });
    const requests = origin.requests.length;
    const { status, body } = await system.call('POST', `${path}/accept`, undefined, WAIT);
    expect([status, body['decision'], body['isRecorded']]).toEqual([200, 'accepted', true]);
    expect(origin.requests.length).toBe(requests);
    expect(await latest(id)).toMatchObject({ deletedCount: 45, totalCount: 5, rekeyed: false });
    const checks = await readAll<CheckView>(system, `/v1/sources/${id}/checks`, 'checks');
    expect(checks[0]).toMatchObject({ trigger: 'accepted', outcome: 'changed' });
    expect((await system.call('POST', `${path}/accept`)).status).toBe(409);
  });

  it('changes nothing when a person rejects it, however often the same body comes', async () => {
    const { id, check } = await held('/rejected.csv');
    const { status } = await system.call('POST', `/v1/sources/${id}/checks/${check.id}/reject`);
    expect(status).toBe(200);
    for (let again = 0; again < 2; again += 1) {
      expect(await checkAndWait(system, id)).toMatchObject({ outcome: 'held' });
    }
    await until('the record still has its rows', async () => {
      const { body } = await system.call('GET', `/v1/sources/${id}`);
      return body['totalRows'] === 50;
    });
  });
});
