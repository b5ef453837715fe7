// Changes settings of a watched record, through API and workflow.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchRecordId } from '../../../workflows/contract.ts';
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
  system = await startSystem();
  origin = await startOrigin();
});

afterAll(async () => {
  await origin.close();
  await system.stop();
});

const checksOf = (id: string) => readAll<CheckView>(system, `/v1/sources/${id}/checks?order=asc`, 'checks');

const untilChecks = (id: string, count: number) =>
  until(`${count} checks`, async () => {
    const checks = await checksOf(id);
    return checks.length >= count ? checks : undefined;
  });

describe('a new URL', () => {
  it('is fetched at once without validators, which belong to the old URL', async () => {
    const etag = '"same"';
    origin.set('/old.csv', { body: 'id,name\n1,a\n', etag });
    origin.set('/new.csv', { body: 'id,name\n1,b\n', etag });
    const { id } = await createRecord(system, { url: `${origin.url}/old.csv` });
    await checkAndWait(system, id);
    expect(origin.requests.at(-1)?.headers['if-none-match']).toBe(etag);
    await system.call('PATCH', `/v1/sources/${id}`, { url: `${origin.url}/new.csv` });
    const checks = await untilChecks(id, 3);
    expect(checks.at(-1)).toMatchObject({ outcome: 'changed', trigger: 'schedule' });
    expect(origin.requests.at(-1)?.headers['if-none-match']).toBeUndefined();
  });
});

describe('a new interval', () => {
  it('counts from the last check', async () => {
    origin.set('/often.csv', { body: 'id\n1\n' });
    const { id } = await createRecord(system, { url: `${origin.url}/often.csv` });
    await system.call('PATCH', `/v1/sources/${id}`, { checkIntervalMinutes: 0.001 });
    await untilChecks(id, 3);
    await system.call('PATCH', `/v1/sources/${id}`, { checkIntervalMinutes: 1_000 });
    await until('the next check is far away', async () => {
      const { body } = await system.call('GET', `/v1/sources/${id}`);
      return Date.parse(String(body['nextCheckAt'])) > Date.now() + 900 * 60_000;
    });
  });
});

describe('pause', () => {
  it('stops checks and refuses a requested one, and resuming runs one at once', async () => {
    origin.set('/paused.csv', { body: 'id\n1\n' });
    const { id } = await createRecord(system, {
      url: `${origin.url}/paused.csv`,
      checkIntervalMinutes: 0.001,
    });
    const { body: paused } = await system.call('POST', `/v1/sources/${id}/pause`);
    expect(paused).toMatchObject({ status: 'paused', nextCheckAt: null });
    expect((await system.call('POST', `/v1/sources/${id}/check`)).status).toBe(409);
    await until('the workflow knows', async () => {
      const { typedSearchAttributes } = await system.temporal.client.workflow
        .getHandle(watchRecordId(id))
        .describe();
      return typedSearchAttributes
        .getAll()
        .some(({ key, value }) => key.name === 'RecordStatus' && value === 'paused');
    });
    const { length } = await checksOf(id);
    await system.call('POST', `/v1/sources/${id}/resume`);
    await untilChecks(id, length + 1);
  });
});

describe('deletion', () => {
  it('makes the record vanish at once and erases its rows, bodies and workflow', async () => {
    origin.set('/gone.csv', { body: 'id\n1\n2\n' });
    const { id } = await createRecord(system, { url: `${origin.url}/gone.csv` });
    expect((await system.call('DELETE', `/v1/sources/${id}`)).status).toBe(204);
    expect((await system.call('GET', `/v1/sources/${id}`)).status).toBe(404);
    await system.temporal.client.workflow.getHandle(watchRecordId(id)).result();
    for (const table of ['records', 'checks', 'snapshots', 'delta_events', 'record_heads']) {
      const column = table === 'records' ? 'id' : 'record_id';
      expect(await system.database.db(table).where({ [column]: id })).toEqual([]);
    }
  });
});

describe('the summary in the Temporal UI', () => {
  it('regression: names the record, and holds no part of a URL that may be a credential', async () => {
    origin.set('/secret-link/named.csv', { body: 'id\n1\n' });
    const url = `${origin.url}/secret-link/named.csv?token=t0ken`;
    const { id } = await createRecord(system, { url, slug: 'named' });
    const workflow = await system.temporal.client.workflow.getHandle(watchRecordId(id)).describe();
    expect(await workflow.staticSummary()).toBe(`named at ${new URL(url).host}`);
  });
});

describe('logs', () => {
  it('do not contain the account’s key', () => {
    expect(system.logs()).not.toMatch(/cat_live_\w{20}/);
  });
});

describe('rows of a JSON document', () => {
  it('are read at rowsPath, flattened, with every digit', async () => {
    const feed = (price: string) =>
      `{"meta":{"pages":[{"n":1}]},"data":{"items":[{"sku":"a","price":{"eur":${price}}},{"sku":"b","tags":[1, 2]}]}}`;
    origin.set('/items.json', { body: feed('1.10'), headers: { 'content-type': 'application/json' } });
    const { id } = await createRecord(system, {
      url: `${origin.url}/items.json`,
      rowsPath: 'data.items',
      keyFields: ['sku'],
    });
    origin.set('/items.json', {
      body: feed('10000000000000000999'),
      headers: { 'content-type': 'application/json' },
    });
    await checkAndWait(system, id);
    const record = await system.call('GET', `/v1/sources/${id}`);
    expect(record.body).toMatchObject({ format: 'json', rowsPath: 'data.items', totalRows: 2 });
    const event = await system.call('GET', `/v1/sources/${id}/delta/latest`);
    expect(event.body).toMatchObject({ newCount: 0, changedCount: 1, deletedCount: 0, changedKeys: ['a'] });
    const rows = await system.call('GET', `/v1/sources/${id}/delta/${String(event.body['id'])}/rows`);
    expect(rows.text).toContain(
      '"before":{"sku":"a","price.eur":1.10},"after":{"sku":"a","price.eur":10000000000000000999}',
    );
  });
});
