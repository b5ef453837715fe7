// The load of a soak: records at an origin whose tables change on a plan, webhooks, and callers of the API.
import { createServer } from 'node:http';
import { close, listen } from '../../demo/http-server.ts';
import type { System } from '../system.ts';

export interface SoakLoad {
  /** Answers of the API that were not 2xx. */
  failures: () => number;
  calls: () => number;
  deliveries: () => number;
  stop: () => Promise<void>;
}

export interface LoadOptions {
  records: number;
  /** Between two checks of a record. */
  intervalSeconds: number;
}

const ROWS = 200;
/** Of ten checks of a record, one finds a change. */
const UNCHANGED_CHECKS = 9;
const CALLS_PER_SECOND = 2;

export async function startSoakLoad(
  { api, db }: System,
  { records, intervalSeconds }: LoadOptions,
): Promise<SoakLoad> {
  let [failures, calls, deliveries, turn] = [0, 0, 0, 0];
  const changeMs = intervalSeconds * 1_000 * (UNCHANGED_CHECKS + 1);
  const origin = createServer((request, response) => {
    const number = Number(/\d+/.exec(request.url ?? '')?.[0]);
    // Not all at the same time.
    const version = Math.floor((Date.now() + (number / records) * changeMs) / changeMs);
    const etag = `"${version}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { etag, 'content-type': 'text/csv' }).end(tableOf(version));
  });
  const receiver = createServer((request, response) => {
    deliveries += 1;
    request.resume();
    response.writeHead(204).end();
  });
  const originUrl = `http://127.0.0.1:${await listen(origin, 0)}`;
  const receiverUrl = `http://127.0.0.1:${await listen(receiver, 0)}`;
  const ids: string[] = [];
  for (let number = 0; number < records; number += 1) {
    const settings = { url: `${originUrl}/${number}.csv`, slug: `soak-${number}`, keyFields: ['id'] };
    const { id } = await api.call('POST', '/v1/sources', {
      ...settings,
      checkIntervalMinutes: intervalSeconds / 60,
    });
    ids.push(String(id));
    // Only operators set tiers; the API cannot.
    await db('records')
      .where({ id: String(id) })
      .update({ tier: 'max' });
    await api.call('PATCH', `/v1/sources/${String(id)}`, { checkIntervalMinutes: intervalSeconds / 60 });
    await api.call('POST', `/v1/sources/${String(id)}/webhooks`, { url: receiverUrl });
  }
  const paths = ['', '/delta?limit=20', '/checks?limit=20', '/delta/latest', '/snapshots?limit=5'];
  const timer = setInterval(() => {
    turn += 1;
    calls += 1;
    const path = `/v1/sources/${ids[turn % ids.length] ?? ''}${paths[turn % paths.length] ?? ''}`;
    api.call('GET', path).catch(() => (failures += 1));
  }, 1_000 / CALLS_PER_SECOND);
  return {
    failures: () => failures,
    calls: () => calls,
    deliveries: () => deliveries,
    stop: async () => {
      clearInterval(timer);
      await close(origin);
      await close(receiver);
    },
  };
}

function tableOf(version: number): string {
  const rows = Array.from({ length: ROWS }, (_, row) =>
    [`item-${row}`, `A thing of the kind number ${row}`, row === version % ROWS ? version : row * 7].join(
      ',',
    ),
  );
  return `id,name,price\n${rows.join('\n')}\n`;
}
