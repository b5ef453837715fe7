// Endpoints that hang, fail or are busy: the effect on other endpoints, what waits, and what is sent in the end.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SLOT_LIMITS } from '../../../activities/deliveries/endpoint-slots.ts';
import { deleteWebhook, updateWebhook } from '../../../db/webhooks/webhooks.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { createGate } from '../../support/gate.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { until } from '../../support/until.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

let bench: ActivityBench;
let origin: Origin;
let sink: WebhookSink;
let recordId: string;
let feeds = 0;
let rows = 0;

beforeAll(async () => {
  bench = await openActivityBench();
  origin = await startOrigin();
  sink = await startSink();
});

beforeEach(async () => {
  feeds += 1;
  recordId = await bench.makeRecord({ url: `${origin.url}/feed-${feeds}.csv`, keyFields: ['id'] });
  await change();
  bench.started.splice(0);
  sink.respondWith(200);
});

afterAll(async () => {
  await sink.close();
  await origin.close();
  await bench.close();
});

/** Adds a row and runs the check that finds it. @returns the check's id, for its deliveries */
async function change(): Promise<string> {
  rows += 1;
  const body = `id\n${Array.from({ length: rows }, (_, id) => id).join('\n')}\n`;
  origin.set(`/feed-${feeds}.csv`, { body });
  const { deliver } = await bench.check(recordId);
  return deliver?.checkId ?? '';
}

/** Creates a webhook whose deliveries go to their own path. */
const webhookAt = (path: string) => bench.makeWebhook(recordId, `${sink.url}/${feeds}${path}`);
const received = (path: string) =>
  sink.deliveries.filter((delivery) => delivery.path.endsWith(`/${feeds}${path}`));

const attemptFirst = (checkId: string) => bench.run(({ attemptDeliveries }) => attemptDeliveries(checkId));

interface Row {
  id: string;
  status: string;
  attemptCount: number;
  inBacklog: boolean;
  nextAttemptAt: Date | null;
}
const deliveriesOf = (webhookId: string): Promise<Row[]> =>
  bench.database.db('deliveries').where({ webhookId }).orderBy('id');
const statusesOf = async (webhookId: string) => (await deliveriesOf(webhookId)).map(({ status }) => status);

/** Fills an endpoint's slots with attempts that hang until the gate opens. */
async function fillShare(path: string): Promise<{ webhookId: string; open: () => Promise<void> }> {
  const gate = createGate();
  const webhookId = await webhookAt(path);
  sink.respondWith((delivery) => (delivery.path.endsWith(path) ? { until: gate.wait() } : {}));
  const running: Promise<unknown>[] = [];
  for (let made = 0; made < SLOT_LIMITS.perEndpoint; made += 1) running.push(attemptFirst(await change()));
  await until('all slots are in flight', () => received(path).length === SLOT_LIMITS.perEndpoint);
  return {
    webhookId,
    open: async () => {
      gate.open();
      await Promise.all(running);
    },
  };
}

describe('while an endpoint hangs', () => {
  it('deliveries to other endpoints are recorded and retried before it answers', async () => {
    const gate = createGate();
    const [hanging, quick, failing] = [
      await webhookAt('/hang'),
      await webhookAt('/quick'),
      await webhookAt('/fail'),
    ];
    sink.respondWith(({ path }) => ({
      ...(path.endsWith('/hang') ? { until: gate.wait() } : {}),
      status: path.endsWith('/fail') ? 503 : 200,
    }));
    const running = attemptFirst(await change());
    await until('the quick one is recorded', async () => (await statusesOf(quick))[0] === 'delivered');
    await until('the failed one is retried', () => bench.started.length > 0);
    const id = (await deliveriesOf(failing))[0]?.id ?? '';
    expect(bench.started).toMatchObject([
      {
        workflowId: `delivery/${id}`,
        input: { deliveryId: id, words: 'Attempt 1 failed: http_error, status 503.' },
      },
    ]);
    expect(await statusesOf(hanging)).toEqual(['pending']);
    gate.open();
    expect(await running).toEqual({ delivered: 2 });
  });

  it('further deliveries to it join its backlog without an attempt once its slots are in flight', async () => {
    const { webhookId, open } = await fillShare('/full');
    const quick = await webhookAt('/other');
    expect(await attemptFirst(await change())).toEqual({ delivered: 1 });
    expect(received('/full')).toHaveLength(SLOT_LIMITS.perEndpoint);
    expect((await deliveriesOf(webhookId)).at(-1)).toMatchObject({
      status: 'pending',
      inBacklog: true,
      attemptCount: 0,
    });
    expect(await statusesOf(quick)).toEqual(['delivered']);
    expect(bench.started).toEqual([
      { workflowId: `backlog/${webhookId}`, input: { webhookId }, signal: 'backlogGrew' },
    ]);
    const none = await bench.run(({ sendBacklogBatch }) => sendBacklogBatch({ webhookId }));
    expect(none).toMatchObject({
      kind: 'more',
      words: expect.stringContaining('the endpoint was busy') as string,
    });
    expect('waitMs' in none ? none.waitMs : 0).toBeGreaterThanOrEqual(5_000);
    await open();
    const sent = await bench.run(({ sendBacklogBatch }) => sendBacklogBatch({ webhookId }));
    expect(sent).toEqual({ kind: 'empty', words: 'The backlog is empty; 1 delivered, 0 failed.' });
    expect(new Set(await statusesOf(webhookId))).toEqual(new Set(['delivered']));
  });

  it('its later attempts take no slot and are deferred, each to a different time', async () => {
    const { webhookId, open } = await fillShare('/later');
    const ids = [await change(), await change()].length;
    const waiting = (await deliveriesOf(webhookId)).slice(-ids);
    const waits: number[] = [];
    for (const { id } of waiting) {
      const result = await bench.run(({ attemptDelivery }) => attemptDelivery(id));
      if (result.kind !== 'wait') throw new Error(result.words);
      expect(result.words).toContain('busy');
      waits.push(result.waitMs);
    }
    expect(waits[1]).toBeGreaterThan(waits[0] ?? 0);
    // Reconciling must not treat waiting deliveries as lost.
    for (const { nextAttemptAt } of (await deliveriesOf(webhookId)).slice(-ids)) {
      expect(Number(nextAttemptAt)).toBeGreaterThan(Date.now());
    }
    await open();
  });
});

describe('a backlog', () => {
  async function backlogOf(count: number, path: string): Promise<string> {
    const webhookId = await webhookAt(path);
    for (let made = 0; made < count; made += 1) await change();
    await bench.database.db('deliveries').where({ webhookId }).update({ inBacklog: true });
    return webhookId;
  }

  /** Like `backlogOf`, but with notices, which need no check each. */
  async function noticesFor(count: number, path: string): Promise<string> {
    const webhookId = await webhookAt(path);
    await bench.database.db.raw(
      `insert into deliveries (id, webhook_id, record_id, event_type, event_data, next_attempt_at, in_backlog)
       select 'dlv_' || replace(uuidv7()::text, '-', ''), ?, ?, 'check.failed', '{}', now(), true
       from generate_series(1, ?::integer)`,
      [webhookId, recordId, count],
    );
    return webhookId;
  }

  it('is sent oldest first, and each failed delivery gets its own workflow', async () => {
    const webhookId = await backlogOf(6, '/some');
    const ids = (await deliveriesOf(webhookId)).map(({ id }) => id);
    sink.respondWith(({ headers }) => ({ status: headers['webhook-id'] === ids[2] ? 500 : 200 }));
    const result = await bench.run(({ sendBacklogBatch }) => sendBacklogBatch({ webhookId }));
    expect(result).toEqual({ kind: 'empty', words: 'The backlog is empty; 5 delivered, 1 failed.' });
    expect(bench.started.map(({ workflowId }) => workflowId)).toEqual([`delivery/${ids[2]}`]);
    expect((await deliveriesOf(webhookId))[2]).toMatchObject({
      status: 'pending',
      inBacklog: false,
      attemptCount: 1,
    });
  });

  it('of many pages sends each delivery once while outcomes are being recorded', async () => {
    const webhookId = await noticesFor(350, '/many');
    const result = await bench.run(({ sendBacklogBatch }) => sendBacklogBatch({ webhookId }));
    expect(result).toEqual({ kind: 'empty', words: 'The backlog is empty; 350 delivered, 0 failed.' });
    const ids = received('/many').map(({ headers }) => String(headers['webhook-id']));
    expect(ids).toHaveLength(350);
    expect(ids.toSorted()).toEqual((await deliveriesOf(webhookId)).map(({ id }) => id));
    expect(new Set(await statusesOf(webhookId))).toEqual(new Set(['delivered']));
  });

  it('waits longer each time for a dead endpoint and leaves the remaining deliveries unattempted', async () => {
    const webhookId = await backlogOf(70, '/dead');
    sink.respondWith(500);
    const waits: number[] = [];
    for (const failedBatches of [0, 1]) {
      const result = await bench.run(({ sendBacklogBatch }) =>
        sendBacklogBatch({ webhookId, failedBatches }),
      );
      if (result.kind !== 'more') throw new Error(result.words);
      expect(result.failedBatches).toBe(failedBatches + 1);
      waits.push(result.waitMs);
    }
    expect(waits[0]).toBeGreaterThanOrEqual(4_000);
    expect(waits[1]).toBeGreaterThanOrEqual(240_000);
    const left = (await deliveriesOf(webhookId)).filter(({ inBacklog }) => inBacklog);
    expect(left.length).toBeGreaterThan(0);
    expect(left.every(({ attemptCount }) => attemptCount === 0)).toBe(true);
  });

  describe('whose endpoint accepts eight and then asks to wait', () => {
    /** Asks for the longest time first. */
    function takeEight(path: string, status: number, retryAfter: string | null): void {
      sink.respondWith(() => {
        const count = received(path).length;
        if (count <= 8) return {};
        const headers = retryAfter === null ? {} : { 'retry-after': count === 9 ? retryAfter : '60' };
        return { status, headers };
      });
    }

    it.each([
      [429, '600', 600_000, 'asked to wait 10 min.'],
      [503, '600', 600_000, 'asked to wait 10 min.'],
      [503, '86400', 3_600_000, 'asked to wait 1 d.'],
    ])(
      'with %i and Retry-After %s waits that long, and at most an hour',
      async (status, asked, waitMs, words) => {
        const path = `/asks-${status}-${asked}`;
        const webhookId = await noticesFor(100, path);
        takeEight(path, status, asked);
        const result = await bench.run(({ sendBacklogBatch }) => sendBacklogBatch({ webhookId }));
        expect(result).toMatchObject({ kind: 'more', waitMs, failedBatches: 0 });
        expect(result.words).toContain(words);
        expect(received(path).length).toBeLessThanOrEqual(8 + SLOT_LIMITS.perEndpointBacklog);
        const left = (await deliveriesOf(webhookId)).filter(({ attemptCount }) => attemptCount === 0);
        expect(left).toHaveLength(100 - received(path).length);
      },
    );

    it.each([
      [500, '600'],
      [503, null],
    ])('is sent to the end when the endpoint answers %i with Retry-After %s', async (status, asked) => {
      const path = `/goes-on-${status}`;
      const webhookId = await noticesFor(100, path);
      takeEight(path, status, asked);
      const result = await bench.run(({ sendBacklogBatch }) => sendBacklogBatch({ webhookId }));
      expect(result).toEqual({ kind: 'empty', words: 'The backlog is empty; 8 delivered, 92 failed.' });
    });

    it('waits longer when a second batch in a row delivers nothing', async () => {
      const webhookId = await noticesFor(100, '/down');
      sink.respondWith({ status: 503, headers: { 'retry-after': '1' } });
      const result = await bench.run(({ sendBacklogBatch }) =>
        sendBacklogBatch({ webhookId, failedBatches: 1 }),
      );
      expect(result).toMatchObject({ kind: 'more', failedBatches: 2 });
      expect('waitMs' in result ? result.waitMs : 0).toBeGreaterThanOrEqual(240_000);
    });
  });

  it('of a disabled webhook is not sent', async () => {
    const webhookId = await backlogOf(3, '/off');
    await bench.database.db('webhooks').where({ id: webhookId }).update({ enabled: false });
    const result = await bench.run(({ sendBacklogBatch }) => sendBacklogBatch({ webhookId }));
    expect(result.kind).toBe('empty');
    expect(received('/off')).toEqual([]);
    expect(await statusesOf(webhookId)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  const DOINGS: [string, (webhookId: string) => Promise<unknown>, string[]][] = [
    [
      'disabled',
      (id) => updateWebhook(bench.database.db, { recordId }, id, { enabled: false }),
      ['delivered', 'cancelled'],
    ],
    ['deleted', (id) => deleteWebhook(bench.database.db, { recordId }, id), []],
    [
      'moved',
      (id) => updateWebhook(bench.database.db, { recordId }, id, { url: `${sink.url}/moved` }),
      ['delivered'],
    ],
  ];
  it.each(DOINGS)(
    'stops after the deliveries in flight when its webhook is %s meanwhile',
    async (_what, doIt, statuses) => {
      const webhookId = await backlogOf(40, '/going');
      const gate = createGate();
      sink.respondWith(() => ({ until: gate.wait() }));
      const sending = bench.run(({ sendBacklogBatch }) => sendBacklogBatch({ webhookId }));
      await until(
        'the batch is in flight',
        () => received('/going').length === SLOT_LIMITS.perEndpointBacklog,
      );
      await doIt(webhookId);
      await until(
        'the webhook as read is out of date',
        () => Date.now() > (received('/going')[0]?.receivedAtMs ?? 0) + 1_000,
      );
      gate.open();
      expect((await sending).kind).toBe('empty');
      expect(received('/going')).toHaveLength(SLOT_LIMITS.perEndpointBacklog);
      expect(new Set(await statusesOf(webhookId))).toEqual(new Set(statuses));
    },
  );

  it('whose workflow was lost is restarted by reconciling, as one workflow', async () => {
    const webhookId = await backlogOf(3, '/lost');
    const long = new Date(Date.now() - 3_600_000);
    await bench.database.db('deliveries').where({ webhookId }).update({ nextAttemptAt: long });
    await bench.run(({ reconcile }) => reconcile());
    const started = bench.started.filter(({ workflowId }) => /^(delivery|backlog)/.test(workflowId));
    expect(started).toEqual([{ workflowId: `backlog/${webhookId}`, input: { webhookId }, signal: null }]);
  });
});

describe('a delivery', () => {
  it('reuses the connection of the previous delivery', async () => {
    await webhookAt('/kept');
    const ports = new Set<number>();
    for (let sent = 0; sent < 5; sent += 1) await attemptFirst(await change());
    for (const { port } of received('/kept')) ports.add(port);
    expect(received('/kept')).toHaveLength(5);
    expect(ports.size).toBe(1);
  });

  it('that is overdue is restarted by reconciling, and its sleeping workflow is woken', async () => {
    const webhookId = await webhookAt('/overdue');
    await change();
    const id = (await deliveriesOf(webhookId))[0]?.id ?? '';
    const long = new Date(Date.now() - 3_600_000);
    await bench.database.db('deliveries').where({ id }).update({ attemptCount: 1, nextAttemptAt: long });
    await bench.run(({ reconcile }) => reconcile());
    expect(bench.started.filter(({ workflowId }) => workflowId === `delivery/${id}`)).toMatchObject([
      { input: { deliveryId: id, waitMs: 0 }, signal: 'attemptNow' },
    ]);
  });

  it('is stamped with the time of the attempt, not of its creation', async () => {
    const webhookId = await webhookAt('/old');
    const checkId = await change();
    const old = new Date(Date.now() - 3_600_000);
    await bench.database.db('deliveries').where({ webhookId }).update({ createdAt: old });
    expect(await attemptFirst(checkId)).toEqual({ delivered: 1 });
    const { headers, receivedAtMs = 0 } = received('/old')[0] ?? {};
    const sentAtMs = Number(headers?.['webhook-timestamp']) * 1_000;
    expect(Math.abs(receivedAtMs - sentAtMs)).toBeLessThan(600_000);
  });

  it.each([
    ['until an hour from now', 3_600_000, 2],
    ['until an hour ago', -3_600_000, 1],
  ])('is also signed with the previous secret: %s', async (_until, inMs, count) => {
    const webhookId = await webhookAt('/signed');
    const { db } = bench.database;
    await db('webhooks')
      .where({ id: webhookId })
      .update({
        previousSealedSecret: db.ref('sealed_secret'),
        previousSecretUntil: new Date(Date.now() + inMs),
      });
    expect(await attemptFirst(await change())).toEqual({ delivered: 1 });
    const signatures = String(received('/signed')[0]?.headers['webhook-signature']).split(' ');
    expect(signatures).toHaveLength(count);
  });

  it('whose secret cannot be decrypted is not sent, and fails after the last attempt', async () => {
    const webhookId = await bench.makeWebhook(recordId, `${sink.url}/${feeds}/sealed`, 'wh_other');
    await attemptFirst(await change());
    const id = (await deliveriesOf(webhookId))[0]?.id ?? '';
    expect((await deliveriesOf(webhookId))[0]).toMatchObject({ status: 'pending', attemptCount: 1 });
    expect(bench.started.map(({ workflowId }) => workflowId)).toEqual([`delivery/${id}`]);
    await bench.database
      .db('deliveries')
      .where({ id })
      .update({ attemptCount: 9, nextAttemptAt: new Date(0) });
    const result = await bench.run(({ attemptDelivery }) => attemptDelivery(id));
    expect(result).toEqual({ kind: 'final', words: 'Attempt 10 failed: secret_unreadable.' });
    expect(await statusesOf(webhookId)).toEqual(['failed']);
    const attempts = await bench.database.db('attempts').where({ deliveryId: id }).orderBy('number');
    expect(attempts.map(({ errorCode }) => errorCode)).toEqual(['secret_unreadable', 'secret_unreadable']);
    expect(received('/sealed')).toEqual([]);
  });

  it('waits as long as its endpoint asks when that exceeds the schedule', async () => {
    const webhookId = await webhookAt('/asks');
    await change();
    const id = (await deliveriesOf(webhookId))[0]?.id ?? '';
    await bench.database.db('deliveries').where({ id }).update({ attemptCount: 10, attemptsBefore: 10 });
    sink.respondWith({ status: 503, headers: { 'retry-after': '120' } });
    const result = await bench.run(({ attemptDelivery }) => attemptDelivery(id));
    expect(result).toMatchObject({ kind: 'wait', words: 'Attempt 11 failed: http_error, status 503.' });
    expect('waitMs' in result ? result.waitMs : 0).toBeGreaterThanOrEqual(120_000);
    const [row] = await deliveriesOf(webhookId);
    expect(Number(row?.nextAttemptAt)).toBeGreaterThan(Date.now() + 60_000);
  });

  it('starts its schedule again when it was reopened', async () => {
    const webhookId = await webhookAt('/again');
    await change();
    const id = (await deliveriesOf(webhookId))[0]?.id ?? '';
    await bench.database.db('deliveries').where({ id }).update({ attemptCount: 10, attemptsBefore: 10 });
    sink.respondWith(500);
    const result = await bench.run(({ attemptDelivery }) => attemptDelivery(id));
    expect(result).toMatchObject({ kind: 'wait', words: 'Attempt 11 failed: http_error, status 500.' });
    expect('waitMs' in result ? result.waitMs : Infinity).toBeLessThanOrEqual(6_000);
  });
});
