// Checks on schedule in the whole product: what is asked while an attempt runs, and what operators see.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { PROGRAMS } from '../../support/servers/programs.ts';
import { csv, makeScheduledRecord } from '../../support/checks/scheduled-record.ts';
import { startSystem, type System, untilCheck } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';

let system: System;
let origin: Origin;
let records = 0;

beforeAll(async () => {
  system = await startSystem();
  origin = await startOrigin();
});

afterAll(async () => {
  await origin.close();
  await system.stop();
});

const makeRecord = () => makeScheduledRecord(system, origin, `/scheduled-${(records += 1)}.csv`);

/** PENDING_ACTIVITY_STATE_CANCEL_REQUESTED */
const CANCEL_REQUESTED = 3;

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('an attempt that waits for a slow origin', () => {
  it('regression: comes to its end, however often the settings change and checks are asked for', async () => {
    const record = await makeRecord();
    const { id } = record;
    const { gate, requestsSince } = await record.beginCheck(31);
    const ask = async () => {
      const name = `name ${Math.random()}`;
      expect((await system.call('PATCH', `/v1/sources/${id}`, { name })).status).toBe(200);
      return system.call('POST', `/v1/sources/${id}/check`);
    };
    const { body } = await ask();
    const heartbeats = new Set<number>();
    await until('the worker hears that it is to stop, by a heartbeat', async () => {
      const { state, lastHeartbeatTime: heard } = (await record.findPoll()) ?? {};
      if (heard === undefined || heard === null || Number(state) !== CANCEL_REQUESTED) return false;
      heartbeats.add(Number(heard.seconds));
      return heartbeats.size >= 2;
    });
    await ask();
    expect(requestsSince()).toBe(1);
    origin.set(record.path, { body: csv(31) });
    gate.open();
    await untilCheck(system, id, 'the check that was asked for', ({ id: made }) => made === body['id']);
    const checks = await record.checks();
    expect(checks.map(({ trigger, outcome }) => `${trigger} ${outcome}`).slice(0, 3)).toEqual([
      'created unchanged',
      'schedule changed',
      'manual unchanged',
    ]);
  });

  it('continues in another worker when its own is replaced', async () => {
    const record = await makeRecord();
    const { gate } = await record.beginCheck(31);
    const old = system.pidOf('worker');
    // The old one gives its attempts 20 s, and every attempt gives its origin 30 s.
    if (old !== undefined) process.kill(old, 'SIGTERM');
    await Promise.all([
      system.start('worker'),
      until('the old one has ended', () => !isAlive(old)).finally(() => gate.open()),
    ]);
    await record.untilOutcome('changed');
    expect(await record.outcomes()).toEqual(['unchanged', 'changed']);
  });
});

describe('what operators see', () => {
  it('is the last check in words, how many there were, and when the next one comes', async () => {
    const record = await makeRecord();
    await record.untilPollSays(/^First check: 30 rows\. \(20.*Z\) Next check at 20.*Z\.$/);
    await record.due();
    const poll = await record.untilPollSays(/^Unchanged: 30 rows, status 200\.$/);
    expect(poll.lastFailure?.stackTrace ?? '').toBe('');
    const waitMs = Number(poll.nextAttemptScheduleTime?.seconds) * 1_000 - Date.now();
    expect(waitMs).toBeGreaterThan(900 * 60_000);
    expect(await record.status()).toBe('active');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [PROGRAMS.cli.path, 'record', 'show', record.id],
      { env: { PATH: process.env['PATH'], ...system.env } },
    );
    expect(stdout).toMatch(/^Its poll +Unchanged: 30 rows, status 200; attempt \d+$/m);
  });
});
