// Ordered webhooks: the events of a record one at a time and in their order, whatever fails, waits, dies or is sent again.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi, onTestFinished } from 'vitest';
import pg from 'pg';
import type { Activities } from '../../../activities/create-activities.ts';
import { createAttemptsUnderWay } from '../../../activities/deliveries/attempts-under-way.ts';
import { SLOT_LIMITS } from '../../../activities/deliveries/endpoint-slots.ts';
import type { AttemptsUnderWay } from '../../../activities/deps.ts';
import { findDelivery } from '../../../db/webhooks/deliveries.ts';
import { findDeliveryLog } from '../../../db/webhooks/delivery-log.ts';
import { leaseLines } from '../../../db/webhooks/lines.ts';
import { recoverDeliveries, reopenDelivery } from '../../../db/webhooks/reopen-deliveries.ts';
import { updateWebhook, type WebhookSettings } from '../../../db/webhooks/webhooks.ts';
import { listOverdueBacklogs } from '../../../db/upkeep/overdue.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { until } from '../../support/until.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

// Called with the client that it was called on.
// oxlint-disable-next-line typescript/unbound-method
const send = pg.Client.prototype.query;

let bench: ActivityBench;
let origin: Origin;
let sink: WebhookSink;
let underWay: AttemptsUnderWay;
/** Processes that make first attempts at once. */
let worker: Activities;
let other: Activities;
let records = 0;
let recordId = '';
let webhookId = '';
let hook = '';
let version = 0;

beforeAll(async () => {
  bench = await openActivityBench();
  origin = await startOrigin();
  sink = await startSink();
  underWay = createAttemptsUnderWay(bench.deps);
  worker = bench.otherProcess({ underWay, firstAttemptsWithinMs: 30_000 });
  other = bench.otherProcess({
    underWay: createAttemptsUnderWay(bench.deps),
    firstAttemptsWithinMs: 30_000,
  });
});

afterAll(async () => {
  await sink.close();
  await origin.close();
  await bench.close();
});

beforeEach(async () => {
  sink.respondWith(200);
  records += 1;
  hook = `hook-${records}`;
  ({ recordId, webhookId } = await newRecord(hook));
});

async function newRecord(
  path: string,
  settings: Partial<WebhookSettings> = { ordered: true },
): Promise<{ recordId: string; webhookId: string }> {
  origin.set(`/${path}.csv`, { body: 'id,price\n1,0\n' });
  const id = await bench.makeRecord({ url: `${origin.url}/${path}.csv` });
  await bench.check(id);
  const made = await bench.makeWebhook(id, `${sink.url}/${path}`);
  await updateWebhook(bench.database.db, { recordId: id }, made, settings);
  return { recordId: id, webhookId: made };
}

/** Commits another price. @returns the check's id, once the first attempts that it makes at once have ended */
async function change(by: Activities = worker, id = recordId, path = hook): Promise<string> {
  version += 1;
  origin.set(`/${path}.csv`, { body: `id,price\n1,${version}\n` });
  const input = bench.newCheck(id);
  const fetched = await bench.run(() => by.fetchSource(input));
  if (fetched.kind !== 'fetched') throw new Error(`The body did not change: ${fetched.kind}`);
  await bench.run(() => by.recordDelta({ ...input, ...fetched }));
  return input.checkId;
}

interface Row {
  id: string;
  status: string;
  checkId: string | null;
  attemptCount: number;
}
const rows = (of = webhookId): Promise<Row[]> =>
  bench.database.db('deliveries').where({ webhookId: of }).orderBy(['line_position', 'id']);
const statuses = async (): Promise<string[]> => (await rows()).map(({ status }) => status);
const idOf = async (index: number): Promise<string> => (await rows())[index]?.id ?? '';

/** The arrivals, as positions in the line. */
async function arrived(of = webhookId, path = hook): Promise<number[]> {
  const ids = (await rows(of)).map(({ id }) => id);
  return sink.deliveries
    .filter((one) => one.path.endsWith(`/${path}`))
    .map(({ headers }) => ids.indexOf(String(headers['webhook-id'])));
}

const ascending = (count: number) => Array.from({ length: count }, (_, index) => index);
const untilStatuses = (wanted: string[]) =>
  until(wanted.join(), async () => (await statuses()).join() === wanted.join());
const waitsFor = async (id: string) => (await findDeliveryLog(bench.database.db, id))?.waitsFor;
const retry = (id: string, by: Activities = worker) => bench.run(() => by.attemptDelivery(id));
const sendBacklog = (by: Activities = worker, of = webhookId) =>
  bench.run(() => by.sendBacklogBatch({ webhookId: of }));
/** Nothing happens when another process has ended it meanwhile. */
const becomesDue = (id: string) =>
  bench.database
    .db('deliveries')
    .where({ id, status: 'pending' })
    .update({ nextAttemptAt: new Date(0) });
/** The next attempt is the last one. */
const exhaust = (id: string) =>
  bench.database
    .db('deliveries')
    .where({ id })
    .update({ attemptsBefore: -100, nextAttemptAt: new Date(0) });
/** As when the process that has the lease was killed, and its time is over. */
const turnEnds = () =>
  bench.database
    .db('delivery_turns')
    .where({ webhookId })
    .update({ until: new Date(0) });

/** The endpoint answers the first request only when the gate opens. */
function holdFirst(status = 200): { open: () => void } {
  const gate = Promise.withResolvers<void>();
  let isFirst = true;
  sink.respondWith(() => {
    const answer = isFirst ? { status, until: gate.promise } : { status: 200 };
    isFirst = false;
    return answer;
  });
  return { open: () => gate.resolve() };
}

describe('the events of a record', () => {
  it('wait until the one before has arrived; those of other records do not', async () => {
    const elsewhere = await newRecord(`${hook}-else`);
    const gate = holdFirst();
    const first = change();
    await until('the first is being sent', async () => (await arrived()).length === 1);
    await change(other);
    await change(other);
    expect(await waitsFor(await idOf(1))).toBe(await idOf(0));
    expect(await waitsFor(await idOf(2))).toBe(await idOf(0));
    expect(await waitsFor(await idOf(0))).toBeNull();
    await change(other, elsewhere.recordId, `${hook}-else`);
    expect(await arrived(elsewhere.webhookId, `${hook}-else`)).toEqual([0]);
    expect(await arrived()).toEqual([0]);
    gate.open();
    await first;
    // No workflow runs here: the process that had the lease continues with those that waited.
    await untilStatuses(['delivered', 'delivered', 'delivered']);
    expect(await arrived()).toEqual([0, 1, 2]);
    await underWay.ended();
  });

  it('wait for the retries of one that fails, and continue when it arrives', async () => {
    sink.respondWith(500);
    await change();
    sink.respondWith(200);
    await change();
    await sendBacklog();
    expect(await statuses()).toEqual(['pending', 'pending']);
    expect(await retry(await idOf(1))).toMatchObject({ kind: 'final' });
    expect(await arrived()).toEqual([0]);
    await becomesDue(await idOf(0));
    await retry(await idOf(0));
    await untilStatuses(['delivered', 'delivered']);
    expect(await arrived()).toEqual([0, 0, 1]);
  });

  it.each([
    ['block', ['failed', 'pending']],
    // The one that failed has left the line, so it comes last here.
    ['skip', ['delivered', 'failed']],
  ] as const)('with onFailure %s end as %j when one is given up', async (onFailure, ended) => {
    await updateWebhook(bench.database.db, { recordId }, webhookId, { onFailure });
    sink.respondWith(500);
    await change();
    await change();
    await exhaust(await idOf(0));
    const refusing = { count: 0 };
    sink.respondWith(() => ({ status: refusing.count++ === 0 ? 500 : 200 }));
    await retry(await idOf(0));
    await underWay.ended();
    await sendBacklog();
    expect(await statuses()).toEqual(ended);
    if (onFailure === 'skip') {
      // A failure that was skipped does not block later.
      await updateWebhook(bench.database.db, { recordId }, webhookId, { onFailure: 'block' });
      await change();
      await untilStatuses(['delivered', 'delivered', 'failed']);
      return;
    }
    expect(await waitsFor(await idOf(1))).toBe(await idOf(0));
    // Sent again, it goes first.
    await reopenDelivery(bench.database.db, await idOf(0));
    await retry(await idOf(0));
    await untilStatuses(['delivered', 'delivered']);
    expect(await arrived()).toEqual([0, 0, 0, 1]);
  });

  it('are taken up by another process once the lease of one that died is over', async () => {
    sink.respondWith(500);
    await change();
    await change();
    const id = await idOf(0);
    await becomesDue(id);
    const due = await findDelivery(bench.database.db, id);
    if (due === undefined) throw new Error('No delivery');
    expect((await leaseLines(bench.database.db, [due])).has(id)).toBe(true);
    sink.respondWith(200);
    const before = (await arrived()).length;
    expect(await retry(id, other)).toMatchObject({ kind: 'final' });
    const result = await sendBacklog(other);
    expect(result).toMatchObject({ kind: 'more' });
    // Longer than the attempt that the dead process may have made.
    expect(result.kind === 'more' ? result.waitMs : 0).toBeGreaterThan(15_000);
    expect((await arrived()).length).toBe(before);
    await turnEnds();
    await sendBacklog(other);
    await untilStatuses(['delivered', 'delivered']);
    expect(await arrived()).toEqual([0, 0, 1]);
  });

  it('that are sent again go before those that wait', async () => {
    for (let count = 0; count < 2; count += 1) await change();
    sink.respondWith(500);
    await change();
    sink.respondWith(200);
    await reopenDelivery(bench.database.db, await idOf(0));
    await becomesDue(await idOf(2));
    expect(await retry(await idOf(2))).toMatchObject({ kind: 'final' });
    expect(await waitsFor(await idOf(2))).toBe(await idOf(0));
    await retry(await idOf(0));
    await untilStatuses(['delivered', 'delivered', 'delivered']);
    expect(await arrived()).toEqual([0, 1, 2, 0, 2]);
  });

  it('that a disabled webhook missed are recovered in their order, before those that wait', async () => {
    const { db } = bench.database;
    await updateWebhook(db, { recordId }, webhookId, { enabled: false });
    for (let count = 0; count < 3; count += 1) await change();
    await updateWebhook(db, { recordId }, webhookId, { enabled: true });
    sink.respondWith(500);
    await change();
    sink.respondWith(200);
    const request = { since: new Date(0), isDryRun: false, limit: 100 };
    expect(await recoverDeliveries(db, webhookId, request)).toMatchObject({ count: 3 });
    await sendBacklog();
    await becomesDue(await idOf(3));
    await retry(await idOf(3));
    await untilStatuses(['delivered', 'delivered', 'delivered', 'delivered']);
    expect(await arrived()).toEqual([3, 0, 1, 2, 3]);
  });

  it('are sent without order again when the webhook is no longer ordered', async () => {
    sink.respondWith(500);
    for (let count = 0; count < 3; count += 1) await change();
    sink.respondWith(200);
    await updateWebhook(bench.database.db, { recordId }, webhookId, { ordered: false });
    await sendBacklog();
    expect((await statuses()).toSorted()).toEqual(['delivered', 'delivered', 'pending']);
  });

  it('get their positions when a webhook becomes ordered', async () => {
    await updateWebhook(bench.database.db, { recordId }, webhookId, { ordered: false });
    sink.respondWith(500);
    await change();
    await updateWebhook(bench.database.db, { recordId }, webhookId, { ordered: true });
    sink.respondWith(200);
    await change();
    expect(await arrived()).toEqual([0]);
    await becomesDue(await idOf(0));
    await retry(await idOf(0));
    await untilStatuses(['delivered', 'delivered']);
    expect(await arrived()).toEqual([0, 0, 1]);
  });

  it('regression: are sent after the database has failed where it leases lines, however often', async () => {
    const { db } = bench.database;
    sink.respondWith(500);
    await change();
    await underWay.ended();
    const id = await idOf(0);
    await becomesDue(id);
    sink.respondWith(200);
    await db.schema.renameTable('delivery_turns', 'moved_turns');
    const failing = Array.from({ length: SLOT_LIMITS.perEndpoint }, () => retry(id));
    const outcomes = await Promise.allSettled(failing);
    await db.schema.renameTable('moved_turns', 'delivery_turns');
    expect(new Set(outcomes.map(({ status: outcome }) => outcome))).toEqual(new Set(['rejected']));
    expect(await retry(id)).toMatchObject({ kind: 'final', words: expect.stringContaining('Delivered') });
  });

  it('are overdue only where nobody is about to send them', async () => {
    sink.respondWith(500);
    for (let count = 0; count < 2; count += 1) await change();
    await underWay.ended();
    await becomesDue(await idOf(1));
    const overdue = () => listOverdueBacklogs(bench.database.db, 0, 1_000);
    expect(await overdue()).not.toContain(webhookId);
    await bench.database
      .db('deliveries')
      .where({ id: await idOf(0) })
      .delete();
    expect(await overdue()).toContain(webhookId);
  });

  it('are never sent side by side or out of order by processes that all try at once', async () => {
    const count = 12;
    let most = 0;
    let now = 0;
    let requests = 0;
    sink.respondWith(() => {
      now += 1;
      most = Math.max(most, now);
      requests += 1;
      const answered = Promise.withResolvers<void>();
      setImmediate(() => {
        now -= 1;
        answered.resolve();
      });
      // Every third one fails, and is tried again.
      return { status: requests % 3 === 0 ? 500 : 200, until: answered.promise };
    });
    const silent = bench.otherProcess({ firstAttemptsWithinMs: 0 });
    const checks: string[] = [];
    for (let made = 0; made < count; made += 1) checks.push(await change(silent));
    const processes = [worker, other, silent];
    await until('all have arrived', async () => {
      const pending = (await rows()).filter(({ status }) => status === 'pending');
      await Promise.all(
        processes.flatMap((by) => [
          sendBacklog(by),
          ...checks.slice(0, 3).map((id) => bench.run(() => by.attemptDeliveries(id))),
          ...pending.slice(0, 2).map(async ({ id }) => {
            await becomesDue(id);
            return retry(id, by);
          }),
        ]),
      );
      await underWay.ended();
      return (await statuses()).every((status) => status === 'delivered');
    });
    const order = await arrived();
    expect(order).toEqual(order.toSorted((left, right) => left - right));
    expect(new Set(order)).toEqual(new Set(ascending(count)));
    expect(most).toBe(1);
  });
});

describe('webhooks without order', () => {
  it('pay nothing for it: no statement knows of leases', async () => {
    await updateWebhook(bench.database.db, { recordId }, webhookId, { ordered: false });
    const statements: string[] = [];
    const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      const [first] = args as [string | { text?: string }];
      statements.push(typeof first === 'string' ? first : (first.text ?? ''));
      return Reflect.apply(send, this, args) as never;
    });
    onTestFinished(() => query.mockRestore());
    await change();
    expect(await statuses()).toEqual(['delivered']);
    expect(statements.filter((text) => text.includes('delivery_turns'))).toEqual([]);
  });
});
