// Kills API and worker with SIGKILL at the worst moments. Accepted work is done exactly once.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SCHEDULE_IDS, watchRecordId } from '../../../workflows/contract.ts';
import { createGate } from '../../support/gate.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { createRecord, readAll, startSystem, type System, untilCheck } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

interface EventView {
  id: string;
  number: number;
  newCount: number;
  isNoChange: boolean;
}

let system: System;
let origin: Origin;
let sink: WebhookSink;

beforeAll(async () => {
  system = await startSystem();
  origin = await startOrigin();
  sink = await startSink();
});

afterAll(async () => {
  await sink.close();
  await origin.close();
  await system.stop();
});

const csv = (rows: number): string =>
  ['id,name', ...Array.from({ length: rows }, (_, i) => `${i},row ${i}`)].join('\n');

const events = (id: string) => readAll<EventView>(system, `/v1/sources/${id}/delta?order=asc`, 'events');

const schedule = () => system.temporal.client.schedule.getHandle(SCHEDULE_IDS.reconcile);
const reconcile = () => schedule().trigger();

async function findLost(): Promise<{ id: string } | undefined> {
  const [row] = await system.database.db('records').where({ slug: 'lost' }).select<{ id: string }[]>('id');
  return row;
}

/** Requests a check without waiting for it, because the worker is about to be killed. */
async function requestCheck(id: string): Promise<string> {
  const { status, body } = await system.call('POST', `/v1/sources/${id}/check`);
  expect(status).toBe(202);
  return String(body['id']);
}

function untilACommitWaits(): Promise<unknown> {
  return until('a commit waits for a lock', async () => {
    const { rows } = await system.database.db.raw<{ rows: unknown[] }>(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
}

/** Expects one check with this id, one event of it, and no other event with the new row. */
async function expectOneChange(id: string, checkId: string): Promise<void> {
  const check = await untilCheck(system, id, 'the check is done', (one) => one.id === checkId);
  expect(check).toMatchObject({ outcome: 'changed', error: null });
  const changes = (await events(id)).filter(({ isNoChange }) => !isNoChange);
  expect(changes).toHaveLength(1);
  expect(changes[0]).toMatchObject({ newCount: 1 });
  const numbers = (await events(id)).map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
}

describe('the API, killed between commit and signal', () => {
  it('leaves a record that reconciling starts', async () => {
    origin.set('/lost.csv', { body: csv(3) });
    // The schedule would run it every minute; this test triggers it.
    await schedule().pause();
    onTestFinished(() => schedule().unpause());
    await until('no run of the schedule is under way', async () => {
      const { info } = await schedule().describe();
      return info.runningActions.length === 0;
    });
    system.proxy.pause();
    const url = `${origin.url}/lost.csv`;
    const creating = system
      .call('POST', '/v1/sources', { url, slug: 'lost', checkIntervalMinutes: 1_000 })
      .catch(() => 'broken');
    const { id } = await until('the record is committed', () => findLost());
    await system.kill('api');
    expect(await creating).toBe('broken');
    system.proxy.sever();
    await system.start('api');
    await expect(system.temporal.client.workflow.getHandle(watchRecordId(id)).describe()).rejects.toThrow(
      /not found/i,
    );
    await until('reconciling starts the record', async () => {
      await reconcile();
      return (await events(id)).length === 1;
    });
    const workflow = await system.temporal.client.workflow.getHandle(watchRecordId(id)).describe();
    expect(await workflow.staticSummary()).toBe(`lost at ${new URL(url).host}`);
  });

  it('leaves a deleted record that reconciling erases', async () => {
    origin.set('/unloved.csv', { body: csv(3) });
    const { id } = await createRecord(system, { url: `${origin.url}/unloved.csv` });
    await system.database.db('records').where({ id }).update({ deletedAt: new Date() });
    await until('reconciling erases the record', async () => {
      await reconcile();
      return (await system.database.db('records').where({ id }).first()) === undefined;
    });
    const { rows } = await system.database.db.raw<{ rows: unknown[] }>(
      'select 1 from row_versions where record_no not in (select record_no from record_heads)',
    );
    expect(rows).toEqual([]);
  });
});

describe('the worker, killed in the middle of a check', () => {
  it('repeats it when the body was still arriving', async () => {
    origin.set('/half.csv', { body: csv(30) });
    const { id } = await createRecord(system, { url: `${origin.url}/half.csv`, keyFields: ['id'] });
    const gate = createGate();
    origin.set('/half.csv', { body: csv(31), pauseUntil: gate.wait() });
    const seen = origin.requests.length;
    const checkId = await requestCheck(id);
    await until('the origin is asked', () => origin.requests.length > seen);
    await system.kill('worker');
    gate.open();
    await system.start('worker');
    await expectOneChange(id, checkId);
  });

  it('repeats it when it waited for the record’s lock to commit', async () => {
    origin.set('/locked.csv', { body: csv(30) });
    const { id } = await createRecord(system, { url: `${origin.url}/locked.csv`, keyFields: ['id'] });
    origin.set('/locked.csv', { body: csv(31) });
    const { db } = system.database;
    const lock = await db.transaction();
    await lock.raw('select 1 from record_heads where record_id = ? for update', [id]);
    const checkId = await requestCheck(id);
    await untilACommitWaits();
    await system.kill('worker');
    await lock.rollback();
    await system.start('worker');
    await expectOneChange(id, checkId);
  });

  it('keeps its commit when the result was not reported yet, and a delivery waits', async () => {
    origin.set('/told.csv', { body: csv(30) });
    const { id } = await createRecord(system, { url: `${origin.url}/told.csv`, keyFields: ['id'] });
    const { status } = await system.call('POST', `/v1/sources/${id}/webhooks`, { url: `${sink.url}/told` });
    expect(status).toBe(201);
    origin.set('/told.csv', { body: csv(31) });
    const { db } = system.database;
    const lock = await db.transaction();
    await lock.raw('select 1 from record_heads where record_id = ? for update', [id]);
    const checkId = await requestCheck(id);
    await untilACommitWaits();
    system.proxy.pause();
    await lock.rollback();
    await until('the check is committed', () => db('checks').where({ id: checkId }).first());
    await system.kill('worker');
    system.proxy.sever();
    await system.start('worker');
    await expectOneChange(id, checkId);
    const delivery = await sink.waitFor(({ path }) => path.endsWith('/told'));
    expect(JSON.parse(delivery.body)).toMatchObject({
      event: 'delta',
      sourceId: id,
      summary: { newCount: 1 },
    });
  });
});
