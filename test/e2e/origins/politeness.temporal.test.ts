// Many records of one origin are due at once. Real workflows take turns at it, and every record is checked.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchRecordId } from '../../../workflows/contract.ts';
import { startSystem, type System } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';

const RECORDS = 12;
const AT_ONCE = 2;

let system: System;
let origin: Server;
let running = 0;
let mostAtOnce = 0;
const asked: string[] = [];

beforeAll(async () => {
  origin = createServer((request, response) => {
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    asked.push(request.url ?? '');
    response.on('close', () => {
      running -= 1;
    });
    setTimeout(() => response.setHeader('content-type', 'text/csv').end('id,name\n1,Ann\n'), 200);
  });
  await new Promise<void>((resolve) => {
    origin.listen(0, '127.0.0.1', resolve);
  });
  // Far enough apart that the last records have to return later, without holding a slot.
  system = await startSystem({ ORIGIN_CONCURRENCY: String(AT_ONCE), ORIGIN_SPACING_SECONDS: '1' });
});

afterAll(async () => {
  await system.stop();
  origin.close();
});

it('an origin never gets more than its share at once, and each record is checked once and not again early', async () => {
  const { port } = origin.address() as AddressInfo;
  const created = await Promise.all(
    Array.from({ length: RECORDS }, (_, i) =>
      system.call('POST', '/v1/sources', {
        url: `http://127.0.0.1:${port}/${i}.csv`,
        checkIntervalMinutes: 1_000,
      }),
    ),
  );
  expect(created.map(({ status }) => status)).toEqual(created.map(() => 201));
  const handles = created.map(({ body }) =>
    system.temporal.client.workflow.getHandle(watchRecordId(String(body['id']))),
  );
  const words: string[] = [];
  await until(
    'every record is checked',
    async () => {
      for (const { raw } of await Promise.all(handles.map((handle) => handle.describe()))) {
        words.push(...(raw.pendingActivities ?? []).map(({ lastFailure }) => lastFailure?.message ?? ''));
      }
      const [row] = await system.database.db('checks').count({ count: '*' });
      return Number(row?.['count']) === RECORDS;
    },
    { everyMs: 200 },
  );
  expect(asked.toSorted()).toEqual(Array.from({ length: RECORDS }, (_, i) => `/${i}.csv`).toSorted());
  expect(mostAtOnce).toBeLessThanOrEqual(AT_ONCE);
  const outcomes = await system.database.db('checks').distinct('outcome', 'trigger');
  expect(outcomes).toEqual([{ outcome: 'unchanged', trigger: 'created' }]);
  // Operators see that records stayed away, and why.
  expect(words).toContainEqual(expect.stringMatching(/^Waits for its turn/));
});
