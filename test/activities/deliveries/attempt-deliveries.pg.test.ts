// First attempts, which the activity makes after it committed the check: quick ones, slow ones, and those of a killed process.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { attemptAtOnce } from '../../../activities/deliveries/attempt-deliveries.ts';
import { createDeliveryDeps } from '../../../activities/deliveries/delivery-deps.ts';
import { openDatabase } from '../../../db/driver/knex.ts';
import type { Activities } from '../../../activities/create-activities.ts';
import { createAttemptsUnderWay } from '../../../activities/deliveries/attempts-under-way.ts';
import type { AttemptsUnderWay } from '../../../activities/deps.ts';
import { postponeFirstAttempts } from '../../../db/webhooks/deliveries.ts';
import type { CommittedCheck } from '../../../workflows/contract.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { startOrigin, type Origin } from '../../support/servers/origin-server.ts';
import { until } from '../../support/until.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

// Called with the client that it was called on.
// oxlint-disable-next-line typescript/unbound-method
const send = pg.Client.prototype.query;
let bench: ActivityBench;
let origin: Origin;
let sink: WebhookSink;
let underWay: AttemptsUnderWay;
/** A worker that waits for quick attempts, and one that waits almost not at all. */
let worker: Activities;
let hasty: Activities;

beforeAll(async () => {
  bench = await openActivityBench();
  origin = await startOrigin();
  sink = await startSink();
  underWay = createAttemptsUnderWay(bench.deps);
  worker = bench.otherProcess({ underWay, firstAttemptsWithinMs: 30_000 });
  hasty = bench.otherProcess({ underWay, firstAttemptsWithinMs: 1 });
});

afterAll(async () => {
  await sink.close();
  await origin.close();
  await bench.close();
});

/** Creates a record with a webhook for each name, and changes its body. */
async function changedRecord(...hooks: string[]): Promise<{ id: string; path: string }> {
  const path = `/${hooks.join('-')}.csv`;
  origin.set(path, { body: 'id,price\n1,10\n2,20\n' });
  const id = await bench.makeRecord({ url: `${origin.url}${path}` });
  await bench.check(id);
  for (const hook of hooks) await bench.makeWebhook(id, `${sink.url}/${hook}`);
  origin.set(path, { body: 'id,price\n1,10\n2,21\n' });
  return { id, path };
}

async function checkBy(activities: Activities, recordId: string): Promise<CommittedCheck> {
  const input = bench.newCheck(recordId);
  const fetched = await bench.run(() => activities.fetchSource(input));
  if (fetched.kind !== 'fetched') throw new Error(`The body did not change: ${fetched.kind}`);
  return bench.run(() => activities.recordDelta({ ...input, ...fetched }));
}

const sentTo = (hook: string) => sink.deliveries.filter(({ path }) => path.endsWith(`/${hook}`));
const deliveryOf = async (recordId: string): Promise<Record<string, unknown>> => {
  const found = await bench.database.db('deliveries').where({ recordId }).first();
  if (found === undefined) throw new Error('No delivery');
  return found as Record<string, unknown>;
};
const isRecorded = (recordId: string) =>
  until('the attempt is recorded', async () => (await deliveryOf(recordId))['status'] === 'delivered');

/** Makes the endpoints wait for the gate before they answer. */
function holdAnswers(): { open: () => void } {
  const gate = Promise.withResolvers<void>();
  sink.respondWith({ until: gate.promise });
  return {
    open: () => {
      gate.resolve();
      sink.respondWith(200);
    },
  };
}

const passed = (ms: number): Promise<string> => pause(ms, 'passed');
const claimEnds = (recordId: string) =>
  bench.database
    .db('deliveries')
    .where({ recordId })
    .update({ nextAttemptAt: new Date(0) });

describe('first attempts', () => {
  it('are made by the activity that committed the check, which leaves nothing to do', async () => {
    const { id } = await changedRecord('quick', 'quick-too');
    expect(await checkBy(worker, id)).toMatchObject({ kind: 'committed', deliver: null });
    expect([sentTo('quick').length, sentTo('quick-too').length]).toEqual([1, 1]);
    expect(await deliveryOf(id)).toMatchObject({ status: 'delivered', attemptCount: 1 });
  });

  it('leave with what the commit has read: no statement comes between', async () => {
    const { id } = await changedRecord('at-once');
    const statements: string[] = [];
    const atArrival = { count: Infinity };
    sink.respondWith(() => {
      atArrival.count = Math.min(atArrival.count, statements.length);
      return { status: 200 };
    });
    const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      const [first] = args as [string | { text?: string }];
      statements.push(typeof first === 'string' ? first : (first.text ?? ''));
      return Reflect.apply(send, this, args) as never;
    });
    onTestFinished(() => query.mockRestore());
    await checkBy(worker, id);
    sink.respondWith(200);
    const committedAt = statements.findLastIndex((text) => /^commit/i.test(text));
    expect(committedAt).toBeGreaterThan(0);
    // The bodies that are no longer needed are removed meanwhile.
    const between = statements.slice(committedAt + 1, atArrival.count);
    expect(between.filter((text) => !text.includes('loose_bodies'))).toEqual([]);
    expect(statements.some((text) => text.includes('isClaimed'))).toBe(false);
  });

  it('that fail are retried', async () => {
    const { id } = await changedRecord('failing');
    sink.respondWith(500);
    expect(await checkBy(worker, id)).toMatchObject({ deliver: null });
    sink.respondWith(200);
    const [retry, ...others] = bench.started.splice(0);
    expect(retry).toMatchObject({ input: { words: 'Attempt 1 failed: http_error, status 500.' } });
    expect(others).toEqual([]);
    expect(await deliveryOf(id)).toMatchObject({ status: 'pending', attemptCount: 1 });
  });

  it('that are slow do not delay the check, and the next activity of their process awaits them', async () => {
    const { id } = await changedRecord('slow');
    const gate = holdAnswers();
    const { deliver } = await checkBy(hasty, id);
    expect(deliver).toMatchObject({ count: 1 });
    const next = bench.run(() => worker.attemptDeliveries(deliver?.checkId ?? ''));
    await sink.waitFor(({ path }) => path.endsWith('/slow'));
    expect(await Promise.race([next, passed(50)])).toBe('passed');
    gate.open();
    expect(await next).toEqual({ delivered: 1 });
    expect(sentTo('slow')).toHaveLength(1);
    expect(bench.started.splice(0)).toEqual([]);
  });

  it('are not repeated by another process while they are in flight', async () => {
    const { id } = await changedRecord('elsewhere');
    const gate = holdAnswers();
    const { deliver } = await checkBy(hasty, id);
    const other = bench.otherProcess();
    await bench.run(() => other.attemptDeliveries(deliver?.checkId ?? ''));
    const [retry] = bench.started.splice(0);
    const { id: deliveryId, nextAttemptAt } = await deliveryOf(id);
    expect(retry).toMatchObject({ workflowId: `delivery/${String(deliveryId)}` });
    for (const activities of [other, worker]) {
      const result = await bench.run(() => activities.attemptDelivery(String(deliveryId)));
      expect(result).toMatchObject({ kind: 'wait', words: 'The first attempt is under way.' });
    }
    // The process that makes the attempt renews its claim.
    await until('the delivery is postponed again', async () => {
      const now = await deliveryOf(id);
      return Number(now['nextAttemptAt']) > Number(nextAttemptAt);
    });
    gate.open();
    await underWay.ended();
    expect(await deliveryOf(id)).toMatchObject({ status: 'delivered', attemptCount: 1 });
    expect(await bench.run(() => other.attemptDelivery(String(deliveryId)))).toMatchObject({ kind: 'final' });
    expect(sentTo('elsewhere')).toHaveLength(1);
  });

  it('are made once by two simultaneous runs of a check', async () => {
    const { id } = await changedRecord('twice');
    const gate = holdAnswers();
    const input = bench.newCheck(id);
    const fetched = await bench.run(() => worker.fetchSource(input));
    if (fetched.kind !== 'fetched') throw new Error('The body did not change');
    const runs = [hasty, bench.otherProcess({ firstAttemptsWithinMs: 1 })].map((activities) =>
      bench.run(() => activities.recordDelta({ ...input, ...fetched })),
    );
    await Promise.all(runs);
    gate.open();
    await isRecorded(id);
    expect(sentTo('twice')).toHaveLength(1);
    bench.started.splice(0);
  });

  it('of a killed process are made by another one', async () => {
    const { id } = await changedRecord('orphaned');
    sink.respondWith({ hang: true });
    // Nothing renews its claim, and no other process knows its attempts.
    const dead: AttemptsUnderWay = { ...createAttemptsUnderWay(bench.deps), add: () => undefined };
    const dying = bench.otherProcess({ underWay: dead, firstAttemptsWithinMs: 1 });
    const { deliver } = await checkBy(dying, id);
    await sink.waitFor(({ path }) => path.endsWith('/orphaned'));
    await claimEnds(id);
    sink.respondWith(200);
    expect(await bench.run(() => worker.attemptDeliveries(deliver?.checkId ?? ''))).toEqual({ delivered: 1 });
    expect(sentTo('orphaned')).toHaveLength(2);
    expect(new Set(sentTo('orphaned').map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('whose result cannot be recorded fail the next activity, which is then repeated', async () => {
    const { id } = await changedRecord('unrecorded');
    const gate = holdAnswers();
    const { deliver } = await checkBy(hasty, id);
    const next = bench.run(() => worker.attemptDeliveries(deliver?.checkId ?? ''));
    next.catch(() => undefined);
    await sink.waitFor(({ path }) => path.endsWith('/unrecorded'));
    const { db } = bench.database;
    await db.raw('alter table attempts rename to attempts_away');
    gate.open();
    await expect(next).rejects.toThrow('attempts');
    await db.raw('alter table attempts_away rename to attempts');
    await claimEnds(id);
    expect(await bench.run(() => worker.attemptDeliveries(deliver?.checkId ?? ''), 2)).toEqual({
      delivered: 1,
    });
  });

  it('of a row that another statement locks are renewed or left, without waiting', async () => {
    const { id } = await changedRecord('locked');
    const gate = holdAnswers();
    await checkBy(hasty, id);
    const { id: deliveryId } = await deliveryOf(id);
    await bench.database.db.transaction(async (trx) => {
      await trx.raw('select from deliveries where id = ? for update', [String(deliveryId)]);
      await postponeFirstAttempts(bench.deps.db, [String(deliveryId)], 60_000);
    });
    gate.open();
    await underWay.ended();
    expect(await deliveryOf(id)).toMatchObject({ status: 'delivered' });
  });

  it('are left to other processes by a stopping one, which waits for those in flight', async () => {
    const stopping = createAttemptsUnderWay(bench.deps);
    const activities = bench.otherProcess({ underWay: stopping, firstAttemptsWithinMs: 1 });
    const { id } = await changedRecord('in-flight');
    const gate = holdAnswers();
    await checkBy(activities, id);
    await sink.waitFor(({ path }) => path.endsWith('/in-flight'));
    stopping.close();
    const ended = stopping.ended();
    const { id: late } = await changedRecord('late');
    const { deliver } = await checkBy(activities, late);
    expect(deliver).toMatchObject({ count: 1 });
    expect(sentTo('late')).toEqual([]);
    gate.open();
    await ended;
    expect(await deliveryOf(id)).toMatchObject({ status: 'delivered' });
  });

  it('that cannot begin are left to the next activity', async () => {
    const { id } = await changedRecord('later');
    const committed = await bench.check(id);
    const db = openDatabase(bench.database.url, { poolSize: 1 });
    await db.destroy();
    const broken = createDeliveryDeps({ ...bench.deps, db, firstAttemptsWithinMs: 30_000 });
    expect(await bench.run(() => attemptAtOnce(broken, committed))).toEqual(committed);
    expect(sentTo('later')).toHaveLength(0);
    const { checkId = '' } = committed.deliver ?? {};
    expect(await bench.run(() => worker.attemptDeliveries(checkId))).toEqual({ delivered: 1 });
  });

  it('regression: are sent although the previous secret, which still signs, cannot be decrypted', async () => {
    const { id } = await changedRecord('replaced');
    await bench.database
      .db('webhooks')
      .where({ recordId: id })
      .update({
        previousSealedSecret: Buffer.from('sealed under a key that is lost'),
        previousSecretUntil: new Date(Date.now() + 3_600_000),
      });
    expect(await checkBy(worker, id)).toMatchObject({ deliver: null });
    expect(await deliveryOf(id)).toMatchObject({ status: 'delivered' });
    expect(sentTo('replaced')[0]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
  });
});
