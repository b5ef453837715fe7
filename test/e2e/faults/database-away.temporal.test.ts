// PostgreSQL is killed in the middle of checks on schedule, and comes back: each check is made, once, and none has failed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NOTHING_NEW } from '../../../workflows/contract.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { type PrivateServers, startPrivateServers } from '../../support/servers/private-servers.ts';
import { makeScheduledRecord } from '../../support/checks/scheduled-record.ts';
import { readAll, startSystem, type System } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';

let servers: PrivateServers;
let system: System;
let origin: Origin;

beforeAll(async () => {
  servers = await startPrivateServers();
  system = await startSystem({}, servers);
  origin = await startOrigin();
});

afterAll(async () => {
  await origin.close();
  await system.stop();
  await servers.stop();
});

type Scheduled = Awaited<ReturnType<typeof makeScheduledRecord>>;

/** Operators see the fault at the pending activity. */
function untilPollFails({ findPoll }: Scheduled): Promise<unknown> {
  return until('an attempt fails for want of the database', async () => {
    const type = (await findPoll())?.lastFailure?.applicationFailureInfo?.type ?? NOTHING_NEW;
    return type !== NOTHING_NEW;
  });
}

it('no check is missed, made twice or failed', { timeout: 600_000 }, async () => {
  const same = await makeScheduledRecord(system, origin, '/same.csv');
  const changed = await makeScheduledRecord(system, origin, '/changed.csv');
  const frequent = await makeScheduledRecord(system, origin, '/frequent.csv');
  await system.database.db('records').where({ id: frequent.id }).update({ checkIntervalSeconds: 1 });
  await frequent.due();
  await until('it is checked each second', async () => (await frequent.checks()).length >= 3);
  const gates = [(await same.beginCheck(30)).gate, (await changed.beginCheck(31)).gate];
  const made = (await frequent.checks()).length;

  await servers.kill('postgres');
  for (const gate of gates) gate.open();
  for (const record of [same, changed, frequent]) await untilPollFails(record);
  expect((await system.call('GET', `/v1/sources/${same.id}`)).status).toBe(503);
  await servers.start('postgres');

  await until('the API is back', async () => (await system.call('GET', '/v1/sources')).status === 200);
  await until('the check of the same body', async () => (await same.checks()).length === 2);
  await changed.untilOutcome('changed');
  await until('checks continue', async () => (await frequent.checks()).length >= made + 3);
  expect(await same.outcomes()).toEqual(['unchanged', 'unchanged']);
  expect(await changed.outcomes()).toEqual(['unchanged', 'changed']);
  const events = await readAll<{ newCount: number }>(
    system,
    `/v1/sources/${changed.id}/delta?order=asc`,
    'events',
  );
  expect(events.slice(1)).toMatchObject([{ newCount: 1, changedCount: 0, deletedCount: 0 }]);
  const checks = await frequent.checks();
  expect(checks.map(({ number }) => number)).toEqual(checks.map((_, index) => index + 1));
  expect(new Set(checks.map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']));
});
