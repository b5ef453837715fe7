// First attempts that the activity makes which committed the check: quick ones, slow ones, and those of a process that dies.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Activities } from '../../../activities/create-activities.ts';
import { createAttemptsUnderWay } from '../../../activities/deliveries/attempts-under-way.ts';
import type { AttemptsUnderWay } from '../../../activities/deps.ts';
import type { CommittedCheck } from '../../../workflows/contract.ts';
import { type ActivityBench, openActivityBench } from '../../support/activity-bench.ts';
import { startOrigin, type Origin } from '../../support/origin-server.ts';
import { until } from '../../support/until.ts';
import { startSink, type WebhookSink } from '../../support/webhook-sink.ts';

let bench: ActivityBench;
let origin: Origin;
let sink: WebhookSink;
let underWay: AttemptsUnderWay;
/** A worker that waits for quick attempts, and one that hardly waits. */
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

/** A record with a webhook for each name, and a body that changed. */
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

describe('first attempts', () => {
  it('are made by the activity that committed the check, so that nothing is left to do', async () => {
    const { id } = await changedRecord('quick', 'quick-too');
    expect(await checkBy(worker, id)).toMatchObject({ kind: 'committed', deliver: null });
    expect([sentTo('quick').length, sentTo('quick-too').length]).toEqual([1, 1]);
    expect(await deliveryOf(id)).toMatchObject({ status: 'delivered', attemptCount: 1 });
  });

  it('that fail are retried as ever', async () => {
    const { id } = await changedRecord('failing');
    sink.respondWith(500);
    expect(await checkBy(worker, id)).toMatchObject({ deliver: null });
    sink.respondWith(200);
    const [retry, ...others] = bench.started.splice(0);
    expect(retry).toMatchObject({ input: { words: 'Attempt 1 failed: http_error, status 500.' } });
    expect(others).toEqual([]);
    expect(await deliveryOf(id)).toMatchObject({ status: 'pending', attemptCount: 1 });
  });

  it('that are slow do not hold up the check, and are awaited by the next activity of their process', async () => {
    const { id } = await changedRecord('slow');
    const gate = Promise.withResolvers<void>();
    sink.respondWith({ until: gate.promise });
    const { deliver } = await checkBy(hasty, id);
    expect(deliver).toMatchObject({ count: 1 });
    const next = bench.run(() => worker.attemptDeliveries(deliver?.checkId ?? ''));
    await sink.waitFor(({ path }) => path.endsWith('/slow'));
    gate.resolve();
    await next;
    sink.respondWith(200);
    await isRecorded(id);
    expect(sentTo('slow')).toHaveLength(1);
    expect(bench.started.splice(0)).toEqual([]);
  });

  it('are not repeated by another process while they are under way', async () => {
    const { id } = await changedRecord('elsewhere');
    const gate = Promise.withResolvers<void>();
    sink.respondWith({ until: gate.promise });
    const { deliver } = await checkBy(hasty, id);
    const other = bench.otherProcess();
    await bench.run(() => other.attemptDeliveries(deliver?.checkId ?? ''));
    const [retry] = bench.started.splice(0);
    const { id: deliveryId, nextAttemptAt } = await deliveryOf(id);
    expect(retry).toMatchObject({ workflowId: `delivery/${String(deliveryId)}` });
    expect(await bench.run(() => other.attemptDelivery(String(deliveryId)))).toMatchObject({ kind: 'wait' });
    // The process that makes the attempt says so again and again.
    await until('the delivery is postponed again', async () => {
      const now = await deliveryOf(id);
      return Number(now['nextAttemptAt']) > Number(nextAttemptAt);
    });
    gate.resolve();
    await underWay.ended();
    sink.respondWith(200);
    expect(await deliveryOf(id)).toMatchObject({ status: 'delivered', attemptCount: 1 });
    expect(await bench.run(() => other.attemptDelivery(String(deliveryId)))).toMatchObject({ kind: 'final' });
    expect(sentTo('elsewhere')).toHaveLength(1);
  });

  it('of a process that died are made by another one', async () => {
    const { id } = await changedRecord('orphaned');
    sink.respondWith({ hang: true });
    // A process that postpones its attempt once, and is gone then.
    const dying: AttemptsUnderWay = { ...createAttemptsUnderWay(bench.deps), find: () => undefined };
    const { deliver } = await checkBy(bench.otherProcess({ underWay: dying, firstAttemptsWithinMs: 1 }), id);
    await bench.database
      .db('deliveries')
      .where({ recordId: id })
      .update({ nextAttemptAt: new Date(0) });
    sink.respondWith(200);
    expect(await bench.run(() => worker.attemptDeliveries(deliver?.checkId ?? ''))).toEqual({ delivered: 1 });
    expect(sentTo('orphaned')).toHaveLength(2);
    expect(new Set(sentTo('orphaned').map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('that cannot even begin are left to the next activity', async () => {
    const { id } = await changedRecord('later');
    const failing = bench.otherProcess({
      firstAttemptsWithinMs: 30_000,
      underWay: {
        ...underWay,
        find: () => {
          throw new Error('broken');
        },
      },
    });
    const { deliver } = await checkBy(failing, id);
    expect(deliver).toMatchObject({ count: 1 });
    expect(sentTo('later')).toHaveLength(0);
    expect(await bench.run(() => worker.attemptDeliveries(deliver?.checkId ?? ''))).toEqual({ delivered: 1 });
  });

  it('regression: are sent although the previous secret, which still signs, cannot be opened', async () => {
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
