// Many origins at once that send a few bytes at a time without end. They delay no other account's checks, and their
// connections close when the records are deleted. `npm run bench -- --only dripping` measures it at full size.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DrippingOrigin, startDrippingOrigin } from '../../../bench/dripping.ts';
import { seedAccount } from '../../../cli/start/seed-demo.ts';
import { parseConfig } from '../../../core/config.ts';
import { startSystem, type System } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';

const DRIPPING = 30;
const CHECKS = 20;
/** The deadline of a check that usually takes less than a tenth of a second. */
const DEADLINE_MS = 15_000;

let system: System;
let origin: DrippingOrigin;

beforeAll(async () => {
  origin = await startDrippingOrigin();
});

afterAll(async () => {
  await system.stop();
  await origin.close();
});

/** Runs checks one after the other, each of a changed body. */
async function makeChecks(id: string, authorization: string): Promise<void> {
  const timesMs: number[] = [];
  for (let i = 0; i < CHECKS; i += 1) {
    const startedAtMs = performance.now();
    const { status, body } = await system.call('POST', `/v1/sources/${id}/check`, undefined, {
      authorization,
      prefer: 'wait=30',
    });
    expect({ status, outcome: body['outcome'] }).toEqual({ status: 200, outcome: 'changed' });
    timesMs.push(performance.now() - startedAtMs);
  }
  expect(Math.max(...timesMs)).toBeLessThan(DEADLINE_MS);
}

it('regression: dripping origins delay no check of another account', { timeout: 600_000 }, async () => {
  const keys = `test:${randomBytes(32).toString('base64')}`;
  system = await startSystem({ KEY_ENCRYPTION_KEYS: keys });
  const { db } = system.database;
  const { keyEncryptionKeys } = parseConfig({ KEY_ENCRYPTION_KEYS: keys });
  const { apiKey } = await seedAccount(db, keyEncryptionKeys);
  const { url: base, dripping } = origin;
  const create = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const url = `${base}${path}`;
    const settings = { url, checkIntervalMinutes: 1_000 };
    const { status, body } = await system.call('POST', '/v1/sources', settings, {
      prefer: 'wait=30',
      ...headers,
    });
    expect(status).toBe(201);
    return String(body['id']);
  };
  const authorization = `Bearer ${apiKey}`;
  const quick = await create('/quick.csv', { authorization });
  const slow: string[] = [];
  while (slow.length < DRIPPING) {
    const few = Array.from({ length: Math.min(10, DRIPPING - slow.length) }, (_, i) => slow.length + i);
    slow.push(...(await Promise.all(few.map((number) => create(`/${number}.csv`)))));
  }
  // Some become records of sessions, which one address could not create in this number.
  await db('records')
    .whereIn('id', slow.slice(0, DRIPPING / 3))
    .update({ tier: 'anonymous' });
  origin.drip();
  await Promise.all(slow.map((id) => system.call('POST', `/v1/sources/${id}/check`)));
  await until('all of them drip', () => dripping.size === DRIPPING);
  await makeChecks(quick, authorization);
  expect(dripping.size).toBe(DRIPPING);
  // Deleting a record ends its fetch long before the fetch would time out.
  const last = slow.at(-1) ?? '';
  expect((await system.call('DELETE', `/v1/sources/${last}`)).status).toBe(204);
  await until('its fetch is over', () => !dripping.has(`/${DRIPPING - 1}.csv`));
  // The end of a session does the same without a deletion.
  const open = await system.call('POST', '/v1/sessions', { url: `${base}/session.csv` });
  expect(open.status).toBe(201);
  await until('the session drips', () => dripping.has('/session.csv'));
  await db('ephemeral_sessions').update({ expiresAt: db.fn.now() });
  await until('its fetch is over as well', () => !dripping.has('/session.csv'));
  expect(dripping.has(`/${DRIPPING - 2}.csv`)).toBe(true);
  await until('it is erased', async () => (await db('records').where({ id: last }).first()) === undefined);
});
