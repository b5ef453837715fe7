// The alert rules, in Prometheus itself: the fault of each is injected into the running processes, and the alert fires and
// ends. `npm run alerts` tries all of them and prints what happened; without ALERTS=all, the quick ones.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScheduleHandle } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SCHEDULE_IDS, TASK_QUEUES } from '../../../workflows/contract.ts';
import { createTestDatabase } from '../../support/servers/database.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { createGate } from '../../support/gate.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import {
  ALERT_RULES,
  findProgram,
  type Prometheus,
  startPrometheus,
} from '../../support/servers/prometheus.ts';
import { checkAndWait, createRecord, startSystem, type System } from '../../support/servers/system.ts';
import { startTcpProxy, type TcpProxy } from '../../support/servers/tcp-proxy.ts';
import { openTemporal } from '../../support/servers/temporal.ts';
import { until } from '../../support/until.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

const program = findProgram('prometheus');
const isWhole = process.env['ALERTS'] === 'all';
if (isWhole && program === undefined) throw new Error('Prometheus is not installed');

const onLoopback = async (): Promise<string> => `127.0.0.1:${await freePort()}`;
const addresses = { api: await onLoopback(), worker: await onLoopback(), sdk: await onLoopback() };

let system: System;
let origin: Origin;
let sink: WebhookSink;
let database: TcpProxy;
let prometheus: Prometheus;
let ids: string[];

const rows = (count: number): string =>
  ['id,name', ...Array.from({ length: count }, (_, i) => `${i},row ${Math.random()}`)].join('\n');
const pathOf = (index: number): string => `/feed-${index}`;
const serve = (count = 30): void => {
  for (let index = 0; index < RECORDS; index += 1) origin.set(pathOf(index), { body: rows(count) });
};
const RECORDS = 7;
const check = (id: string | undefined) => system.call('POST', `/v1/sources/${id}/check`);
const checkAll = () => Promise.all(ids.map(check));

beforeAll(async () => {
  if (program === undefined) return;
  const [temporal, testDatabase] = await Promise.all([openTemporal(), createTestDatabase()]);
  const url = new URL(testDatabase.url);
  database = await startTcpProxy(url.host);
  url.host = database.address;
  const settings = {
    DATABASE_URL: url.href,
    DATABASE_PATIENCE_SECONDS: '20',
    FLEET_METRICS_SECONDS: '0.5',
    HELD_RECHECK_SECONDS: '3600',
    SPOOL_MAX_MB: '1',
  };
  system = await startSystem(
    settings,
    { temporal, database: testDatabase },
    {
      api: { METRICS_ADDRESS: addresses.api },
      worker: { METRICS_ADDRESS: addresses.worker, TEMPORAL_METRICS_ADDRESS: addresses.sdk },
    },
  );
  origin = await startOrigin();
  sink = await startSink();
  serve();
  const made = await Promise.all(
    Array.from({ length: RECORDS }, (_, index) =>
      createRecord(system, { url: origin.url + pathOf(index), keyFields: ['id'] }),
    ),
  );
  ids = made.map(({ id }) => id);
  await system.call('POST', `/v1/sources/${ids[0]}/webhooks`, { url: `${sink.url}/hook` });
  // Instead of hourly.
  const pruning = system.temporal.client.schedule.getHandle(SCHEDULE_IDS.pruneHistory);
  await pruning.update((found) => ({ ...found, spec: { intervals: [{ every: '20s' }] } }));
  prometheus = await startPrometheus(program, {
    'recordwatch-api': addresses.api,
    'recordwatch-worker': addresses.worker,
    'recordwatch-worker-sdk': addresses.sdk,
  });
});

afterAll(async () => {
  if (program === undefined) return;
  await prometheus.stop();
  await system.stop();
  await Promise.all([database.close(), sink.close(), origin.close()]);
  if (isWhole) console.table(tried);
});

interface Trial {
  alerts: readonly string[];
  /** Called again and again until all alerts fire. */
  inject: () => Promise<unknown>;
  /** Called once. */
  heal: () => Promise<unknown>;
}

const tried: { alert: string; 'fired after (s)': number; 'ended after (s)': number }[] = [];

const whileDown = async (name: 'api' | 'worker'): Promise<void> => {
  if (system.isRunning(name)) await system.kill(name);
};
let isBroken = false;
/** Runs the work on the first call only. */
const once = async (work: () => unknown): Promise<void> => {
  if (isBroken) return;
  isBroken = true;
  await work();
};

const eachSchedule = (work: (schedule: ScheduleHandle) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Object.values(SCHEDULE_IDS).map((id) => work(system.temporal.client.schedule.getHandle(id))));

const blobs = (): string => join(system.home, 'blobs');
const gate = createGate();
let waiting: Promise<unknown>[] = [];
const SECOND = 1_000;

const TRIALS: Readonly<Record<string, Trial>> = {
  'a worker that dies': {
    alerts: ['NoWorker', 'ProcessDown'],
    inject: () => whileDown('worker'),
    heal: () => system.start('worker'),
  },
  'an API that dies': {
    alerts: ['NoApi'],
    inject: () => whileDown('api'),
    heal: () => system.start('api'),
  },
  'a blob store that refuses': {
    alerts: ['BlobStoreFailing'],
    inject: async () => {
      await once(() => {
        renameSync(blobs(), `${blobs()}-away`);
        writeFileSync(blobs(), '');
      });
      serve();
      await checkAll();
    },
    heal: async () => {
      rmSync(blobs());
      renameSync(`${blobs()}-away`, blobs());
    },
  },
  'a workflow that the code does not know': {
    alerts: ['WorkflowTasksFailing'],
    inject: () =>
      once(() =>
        system.temporal.client.workflow.start('noSuchWorkflow', {
          taskQueue: TASK_QUEUES.records,
          workflowId: 'no-such-workflow',
        }),
      ),
    heal: () => system.temporal.client.workflow.getHandle('no-such-workflow').terminate(),
  },
  'origins that fail': {
    alerts: ['ManyRecordsFailing'],
    inject: async () => {
      for (let index = 0; index < RECORDS; index += 1) origin.set(pathOf(index), { status: 500 });
      await checkAll();
    },
    heal: async () => {
      serve();
      await checkAll();
    },
  },
  'bodies that shrink': {
    alerts: ['RecordsHeld'],
    inject: async () => {
      serve(3);
      await checkAll();
      const longAgo = new Date(Date.now() - 7 * 3_600 * SECOND);
      await system.database.db('record_heads').whereIn('recordId', ids).update({ heldSince: longAgo });
    },
    heal: async () => {
      serve();
      await checkAll();
    },
  },
  'credentials that do not open': {
    alerts: ['ChecksFailOnOurSide'],
    // regression: one failed check is enough, also one that ends before Prometheus first reads the worker.
    inject: () =>
      once(async () => {
        await system.call('PATCH', `/v1/sources/${ids[1]}`, { authType: 'bearer', authToken: 'x' });
        // Ends the check that the change set off.
        await checkAndWait(system, ids[1] ?? '');
        const sealed = system.database.db('source_credentials').where({ recordId: ids[1] });
        await sealed.update({ sealed: Buffer.alloc(40) });
        expect(await checkAndWait(system, ids[1] ?? '')).toMatchObject({ outcome: 'failed' });
      }),
    heal: () => system.call('PATCH', `/v1/sources/${ids[1]}`, { authType: 'none' }),
  },
  'an endpoint that fails': {
    alerts: ['DeliveriesFailing'],
    inject: async () => {
      sink.respondWith(500);
      serve();
      await check(ids[0]);
    },
    heal: async () => sink.respondWith(200),
  },
  'a Temporal that is silent': {
    alerts: ['TemporalUnreachable', 'ChecksOverdue', 'DeliveriesOverdue'],
    inject: () =>
      once(async () => {
        system.proxy.silence({ newOnes: true });
        const { db } = system.database;
        const longAgo = new Date(Date.now() - 3_600 * SECOND);
        await db('record_heads').where({ recordId: ids[2] }).update({ nextCheckAt: longAgo });
        const some = await db('deliveries').first<{ id: string }>('id');
        await db('deliveries').where({ id: some?.id }).update({ status: 'pending', nextAttemptAt: longAgo, finishedAt: null }); // prettier-ignore
      }),
    heal: async () => {
      system.proxy.heal();
      system.proxy.sever();
    },
  },
  'a database that is silent': {
    alerts: ['FleetUnread', 'RequestsFailing'],
    inject: async () => {
      await once(() => database.silence({ newOnes: true }));
      await Promise.all(ids.map((id) => system.call('GET', `/v1/sources/${id}`)));
    },
    heal: async () => {
      database.heal();
      database.sever();
    },
  },
  'a lock that holds up reads': {
    alerts: ['RequestsSlow'],
    inject: () =>
      system.database.db.transaction(async (trx) => {
        await trx.raw('lock table records in access exclusive mode');
        waiting.push(...ids.map((id) => system.call('GET', `/v1/sources/${id}`)));
        await trx.raw('select pg_sleep(4)');
      }),
    heal: () => Promise.allSettled(waiting),
  },
  'a lock that holds up writes': {
    alerts: ['DatabaseConnectionsExhausted'],
    inject: () =>
      system.database.db.transaction(async (trx) => {
        await trx('records').where({ id: ids[3] }).forUpdate();
        const write = () => system.call('PATCH', `/v1/sources/${ids[3]}`, { name: `${Math.random()}` });
        waiting.push(...Array.from({ length: 20 }, write));
        await trx.raw('select pg_sleep(4)');
      }),
    heal: () => Promise.allSettled(waiting),
  },
  'a body that fills the spool': {
    alerts: ['SpoolFilling'],
    inject: () =>
      once(async () => {
        origin.set(pathOf(4), { body: `id,name\n${'1,x\n'.repeat(240_000)}`, pauseUntil: gate.wait() });
        await check(ids[4]);
      }),
    heal: async () => gate.open(),
  },
  'a process without processor time': {
    alerts: ['EventLoopBlocked'],
    inject: async () => {
      const pid = system.pidOf('api') ?? 0;
      process.kill(pid, 'SIGSTOP');
      await system.database.db.raw('select pg_sleep(1.2)');
      process.kill(pid, 'SIGCONT');
    },
    heal: async () => undefined,
  },
  'schedules that are paused': {
    alerts: ['ReconcileMissing', 'PruneMissing'],
    inject: () => once(() => eachSchedule((schedule) => schedule.pause())),
    heal: () => eachSchedule((schedule) => schedule.unpause()),
  },
};

const QUICK = ['a worker that dies', 'a workflow that the code does not know'];

describe.skipIf(program === undefined)('an alert fires and ends', () => {
  const chosen = Object.entries(TRIALS).filter(([name]) => isWhole || QUICK.includes(name));

  it.each(chosen)('with %s', { timeout: 600_000 }, async (name, { alerts, inject, heal }) => {
    isBroken = false;
    waiting = [];
    const began = Date.now();
    const hasEnded = async (): Promise<boolean> => {
      const firing = await prometheus.firing();
      return !alerts.some((alert) => firing.has(alert));
    };
    await until(`${alerts.join(', ')} do not fire`, hasEnded, { deadlineMs: 240_000 });
    const seen = new Set<string>();
    await until(
      `${alerts.join(', ')} fire with ${name}`,
      async () => {
        await inject();
        for (const alert of await prometheus.firing()) seen.add(alert);
        return alerts.every((alert) => seen.has(alert));
      },
      { deadlineMs: 240_000, everyMs: 500 },
    );
    const firedMs = Date.now() - began;
    await heal();
    await until(`${alerts.join(', ')} end after ${name}`, hasEnded, { deadlineMs: 240_000 });
    const endedMs = Date.now() - began - firedMs;
    for (const alert of alerts) {
      tried.push({
        alert,
        'fired after (s)': Math.round(firedMs / SECOND),
        'ended after (s)': Math.round(endedMs / SECOND),
      });
    }
  });
});

it('every rule is tried', () => {
  const { groups } = parse(readFileSync(ALERT_RULES, 'utf8')) as {
    groups: { rules: { alert: string }[] }[];
  };
  const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  expect(new Set(Object.values(TRIALS).flatMap(({ alerts }) => alerts))).toEqual(new Set(names));
});
