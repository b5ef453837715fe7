// Workers killed with SIGKILL at every step of a check on schedule: it is made, and made once.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCHEDULE_IDS, settingsChanged } from '../../../workflows/contract.ts';
import { createGate } from '../../support/gate.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { csv, makeScheduledRecord } from '../../support/checks/scheduled-record.ts';
import { startSystem, type System } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

let system: System;
let origin: Origin;
let sink: WebhookSink;
let records = 0;

beforeAll(async () => {
  system = await startSystem();
  origin = await startOrigin();
  sink = await startSink();
  // Nothing is left to reconciling.
  await system.temporal.client.schedule.getHandle(SCHEDULE_IDS.reconcile).pause();
});

afterAll(async () => {
  await sink.close();
  await origin.close();
  await system.stop();
});

/** Rows of a body that the attempt which fetched it does not compare. */
const LARGE = 80_000;

const makeRecord = () => makeScheduledRecord(system, origin, `/scheduled-${(records += 1)}.csv`);

async function getHead(recordId: string): Promise<{ nextCheckAt: Date }> {
  const head = await system.database.db('record_heads').where({ recordId }).first<{ nextCheckAt: Date }>();
  return head;
}

function untilACommitWaits(): Promise<unknown> {
  return until('a commit waits for a lock', async () => {
    const { rows } = await system.database.db.raw<{ rows: unknown[] }>(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
}

async function restartWorker(): Promise<void> {
  await system.kill('worker');
  system.proxy.sever();
  await system.start('worker');
}

describe('a worker that is killed', () => {
  it('while it fetches: the next attempt makes the check', async () => {
    const record = await makeRecord();
    const { gate, requestsSince } = await record.beginCheck(31);
    await system.kill('worker');
    gate.open();
    await system.start('worker');
    await record.untilOutcome('changed');
    expect(requestsSince()).toBe(2);
    expect(await record.outcomes()).toEqual(['unchanged', 'changed']);
  });

  it('with a large changed body in store that nobody knows of: the next attempt fetches it again', async () => {
    const record = await makeRecord();
    const bodies = () => readdirSync(join(system.home, 'blobs', record.id)).length;
    const before = bodies();
    const { gate, requestsSince } = await record.beginCheck(LARGE);
    system.proxy.pause();
    gate.open();
    await until('the body is in store', () => bodies() > before);
    await restartWorker();
    await record.untilOutcome('changed');
    expect(requestsSince()).toBe(2);
    expect(await record.outcomes()).toEqual(['unchanged', 'changed']);
  });

  it.each([
    ['a small body: the next attempt fetches it again', 31, 2],
    ['a large body, which the workflow knows of: it is not fetched again', LARGE, 1],
  ])('while it compares %s', async (_what, rows, requests) => {
    const record = await makeRecord();
    const { gate, requestsSince } = await record.beginCheck(rows);
    const lock = await record.lock();
    gate.open();
    await untilACommitWaits();
    await system.kill('worker');
    await lock.rollback();
    await system.start('worker');
    await record.untilOutcome('changed');
    expect(requestsSince()).toBe(requests);
    expect(await record.outcomes()).toEqual(['unchanged', 'changed']);
  });

  it.each([
    ['', false],
    [', after a signal', true],
  ])(
    'after its commit and before it could say so%s: the recovery is delivered and shown',
    async (_when, isSignalled) => {
      const record = await makeRecord();
      const { id } = record;
      const events = { eventTypes: ['check.recovered'] };
      const path = `/recovered-${isSignalled}`;
      const url = sink.url + path;
      expect((await system.call('POST', `/v1/sources/${id}/webhooks`, { url, ...events })).status).toBe(201);
      origin.set(record.path, { status: 500 });
      await record.due();
      await record.untilOutcome('failed');
      const { gate } = await record.beginCheck(30);
      const lock = await record.lock();
      gate.open();
      await untilACommitWaits();
      if (isSignalled) await record.handle.signal(settingsChanged);
      system.proxy.pause();
      await lock.rollback();
      await until('it is committed', async () => (await record.checks()).length === 3);
      await restartWorker();
      const delivery = await sink.waitFor((sent) => sent.path.endsWith(path));
      expect(JSON.parse(delivery.body)).toMatchObject({ event: 'check.recovered', sourceId: id });
      await until('operators see it', async () => (await record.status()) === 'active');
      expect(await record.outcomes()).toEqual(['unchanged', 'failed', 'unchanged']);
    },
  );

  it('while it holds a sharp drop: holds it once, and the next check confirms it', async () => {
    const record = await makeRecord();
    const { gate, requestsSince } = await record.beginCheck(3);
    const lock = await record.lock();
    gate.open();
    await untilACommitWaits();
    await system.kill('worker');
    await lock.rollback();
    await system.start('worker');
    await record.untilOutcome('changed');
    expect(requestsSince()).toBe(3);
    expect(await record.outcomes()).toEqual(['unchanged', 'held', 'changed']);
  });

  it('while it fetches what may confirm a sharp drop: another one confirms it, once', async () => {
    const record = await makeRecord();
    const gate = createGate();
    let answers = 0;
    origin.set(record.path, () => {
      answers += 1;
      return answers === 1 ? { body: csv(3) } : { body: csv(3), until: gate.wait() };
    });
    await record.due();
    await until('the origin is asked again', () => answers === 2);
    await system.kill('worker');
    gate.open();
    await system.start('worker');
    await record.untilOutcome('changed');
    expect(await record.outcomes()).toEqual(['unchanged', 'held', 'changed']);
  });

  it('while the next check is not due: it comes when it is', async () => {
    const record = await makeRecord();
    const { id, due } = record;
    await system.database.db('records').where({ id }).update({ checkIntervalSeconds: 5 });
    await due();
    await until('the check is made', async () => (await record.checks()).length === 2);
    const { nextCheckAt } = await getHead(id);
    await record.untilPollSays(/./);
    await system.kill('worker');
    await system.start('worker');
    const next = await until('the next check', async () => (await record.checks())[2]);
    expect(next).toMatchObject({ trigger: 'schedule', outcome: 'unchanged' });
    expect(Date.parse(next.startedAt)).toBeGreaterThan(nextCheckAt.getTime() - 1_000);
  });
});
