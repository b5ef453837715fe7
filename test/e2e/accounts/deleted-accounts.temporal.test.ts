// Deletes an account while its checks and deliveries run, and kills the worker during the erasure. In the end nothing is left.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addUser } from '../../../api/auth/new-user.ts';
import { createLink } from '../../../api/auth/links.ts';
import { SCHEDULE_IDS } from '../../../workflows/contract.ts';
import { countLines } from '../../db/factories.ts';
import { takeMail } from '../../support/servers/mails.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { createRecord, startSystem, type System } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

const RECORDS = 12;
const EMAIL = 'leaving@example.com';
const blobs = mkdtempSync(join(tmpdir(), 'recordwatch-blobs-'));
let system: System;
let origin: Origin;
let sink: WebhookSink;

beforeAll(async () => {
  system = await startSystem({ BLOB_STORE: blobs });
  origin = await startOrigin();
  sink = await startSink();
});

afterAll(async () => {
  await sink.close();
  await origin.close();
  await system.stop();
  rmSync(blobs, { recursive: true, force: true });
});

const recordsLeft = async (): Promise<number> =>
  (await system.database.db('records').where({ accountId: system.accountId })).length;

/** Creates a record of many rows, all of which change with every check, and a webhook for it. */
async function watchSomething(number: number): Promise<void> {
  let version = 0;
  origin.set(`/${number}.csv`, () => ({
    body: `id,value\n${Array.from({ length: 2_000 }, (_, row) => `${row},${(version += 1)}`).join('\n')}`,
  }));
  const { id } = await createRecord(system, {
    url: `${origin.url}/${number}.csv`,
    checkIntervalMinutes: 0.03,
  });
  await system.database.db('records').where({ id }).update({ tier: 'max' });
  const { status } = await system.call('POST', `/v1/sources/${id}/webhooks`, { url: sink.url });
  expect(status).toBe(201);
}

/** Signs in as a new user of the account and deletes the account. */
async function deleteAccount(): Promise<void> {
  const user = await addUser(system.database.db, {
    accountId: system.accountId,
    email: EMAIL,
    name: 'Ada',
  });
  const token = await createLink(system.database.db, { kind: 'sign-in', userId: user.id });
  const page = { 'sec-fetch-site': 'same-origin' };
  const signedIn = await system.call('POST', '/auth/link', { token }, page);
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const { status } = await system.call('POST', '/auth/delete-account', { email: EMAIL }, { ...page, cookie });
  expect(status).toBe(200);
}

it('a deleted account stops at once and is erased, although API and worker are killed meanwhile', async () => {
  for (let number = 0; number < RECORDS; number += 1) await watchSomething(number);
  const ids = (await system.database.db('records').pluck('id')) as string[];
  for (const sources of [null, { ids }]) {
    const webhook = { url: `${sink.url}/all`, sources };
    expect((await system.call('POST', '/v1/webhooks', webhook)).status).toBe(201);
  }
  await until('deliveries', () => sink.deliveries.length > RECORDS);
  await until('deliveries of several records', () =>
    sink.deliveries.some(({ path }) => path.endsWith('/all')),
  );

  await deleteAccount();
  expect((await takeMail(system, EMAIL)).subject).toBe('Your account was deleted');
  expect((await system.call('GET', '/v1/sources')).status).toBe(401);
  await system.kill('api');
  await until('a part is erased', async () => (await recordsLeft()) < RECORDS);
  await system.kill('worker');
  const asked = origin.requests.length;
  const told = sink.deliveries.length;
  await system.start('worker');

  await until(
    'the account is erased',
    async () => {
      await system.temporal.client.schedule.getHandle(SCHEDULE_IDS.reconcile).trigger();
      return (await system.database.db('accounts')).length === 0;
    },
    { everyMs: 1_000 },
  );
  expect(origin.requests.length).toBe(asked);
  expect(sink.deliveries.length).toBe(told);
  const left = Object.entries(await countLines(system.database.db)).filter(
    // Counters expire with their minute, hour or day, the worker has a row, and another one holds how far
    // the blob store was swept.
    ([table, lines]) =>
      lines > 0 &&
      !table.startsWith('knex_') &&
      !['usage_counters', 'rate_counts', 'present_workers', 'body_sweep', 'schema_compatibility'].includes(
        table,
      ),
  );
  expect(left).toEqual([]);
  expect(
    readdirSync(blobs, { recursive: true, withFileTypes: true }).filter((file) => file.isFile()),
  ).toEqual([]);
  expect(system.logs()).toContain('a deleted account was erased');
});
