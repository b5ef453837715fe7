// Origins that send a little now and then, without end, many at once: they hold up nobody else's checks, and let go when
// their records are deleted. DRIPPING_ORIGINS=300 tries it at full size and prints the figures.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedAccount } from '../../cli/start/seed-demo.ts';
import { parseConfig } from '../../core/config.ts';
import { startSystem, type System } from '../support/system.ts';
import { until } from '../support/until.ts';

const DRIPPING = Number(process.env['DRIPPING_ORIGINS'] ?? 30);
const CHECKS = 20;
/** Of a check that usually takes less than a tenth of a second. */
const DEADLINE_MS = 15_000;

let system: System;
let server: Server;
let isDripping = false;
const dripping = new Map<string, ServerResponse>();
let version = 0;

function answer(path: string, response: ServerResponse): void {
  response.setHeader('content-type', 'text/csv');
  if (path === '/quick.csv') {
    version += 1;
    response.end(
      `id,name\n${Array.from({ length: 1_000 }, (_, i) => `${i},row ${i} ${version}\n`).join('')}`,
    );
  } else if (!isDripping) {
    response.end('id,name\n1,Ann\n');
  } else {
    dripping.set(path, response);
    response.write('id,name\n');
    const timer = setInterval(() => response.write(`${'x'.repeat(5_000)}\n`), 1_000);
    response.on('close', () => {
      clearInterval(timer);
      dripping.delete(path);
    });
  }
}

beforeAll(async () => {
  server = createServer((request, response) => answer(request.url ?? '', response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});

afterAll(async () => {
  await system.stop();
  server.closeAllConnections();
  server.close();
});

/** The median time of some checks, one after the other, each of a body that changed. */
async function measureChecks(id: string, authorization: string): Promise<number> {
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
  return timesMs.toSorted((a, b) => a - b)[CHECKS / 2] ?? 0;
}

const memoryOf = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

it('regression: they hold up no check of another account', { timeout: 300_000 }, async () => {
  const keys = `test:${randomBytes(32).toString('base64')}`;
  system = await startSystem({ KEY_ENCRYPTION_KEYS: keys });
  const { db } = system.database;
  const { keyEncryptionKeys } = parseConfig({ KEY_ENCRYPTION_KEYS: keys });
  const { apiKey } = await seedAccount(db, keyEncryptionKeys);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
  // As the records of sessions are, which an address cannot have so many of.
  await db('records')
    .whereIn('id', slow.slice(0, DRIPPING / 3))
    .update({ tier: 'anonymous' });
  await measureChecks(quick, authorization);
  const aloneMs = await measureChecks(quick, authorization);
  const before = memoryOf(system.pidOf('worker'));
  isDripping = true;
  await Promise.all(slow.map((id) => system.call('POST', `/v1/sources/${id}/check`)));
  await until('all of them drip', () => dripping.size === DRIPPING, { deadlineMs: 30_000 });
  const besideMs = await measureChecks(quick, authorization);
  expect(dripping.size).toBe(DRIPPING);
  if (process.env['DRIPPING_ORIGINS'] !== undefined) {
    const eachKb = ((memoryOf(system.pidOf('worker')) - before) * 1024) / DRIPPING;
    process.stdout.write(
      `alone ${aloneMs.toFixed(1)} ms, beside ${DRIPPING} ${besideMs.toFixed(1)} ms: ${(besideMs / aloneMs).toFixed(2)}; ${eachKb.toFixed(0)} KB each\n`,
    );
  }
  // Deleted, a record lets go of its origin, long before the fetch would have to end.
  const last = slow.at(-1) ?? '';
  expect((await system.call('DELETE', `/v1/sources/${last}`)).status).toBe(204);
  await until('its fetch is over', () => !dripping.has(`/${DRIPPING - 1}.csv`), { deadlineMs: 20_000 });
  await until('it is erased', async () => (await db('records').where({ id: last }).first()) === undefined);
});
