// Checks of one account while origins of other accounts send a little now and then, without end.
import { createServer, type ServerResponse } from 'node:http';
import { seedAccount } from '../cli/start/seed-demo.ts';
import { openApi, type ApiClient } from '../cli/start/api-client.ts';
import { waitFor } from '../cli/process/wait-for.ts';
import { parseConfig } from '../core/config.ts';
import { close, listen } from '../demo/http-server.ts';
import { median } from './statistics.ts';
import type { System } from './system.ts';

export interface DrippingOrigin {
  url: string;
  /** From now on all feeds but `/quick.csv` begin and do not end. */
  drip: () => void;
  /** Paths of the feeds that drip. */
  dripping: ReadonlyMap<string, ServerResponse>;
  close: () => Promise<void>;
}

/** `/quick.csv` has 1,000 rows, another version in each answer. */
export async function startDrippingOrigin(): Promise<DrippingOrigin> {
  const dripping = new Map<string, ServerResponse>();
  let isDripping = false;
  let version = 0;
  const answer = (path: string, response: ServerResponse): void => {
    response.setHeader('content-type', 'text/csv');
    if (path === '/quick.csv') {
      version += 1;
      const rows = Array.from({ length: 1_000 }, (_, i) => `${i},row ${i} ${version}\n`);
      response.end(`id,name\n${rows.join('')}`);
    } else if (!isDripping) {
      response.end('id,name\n1,Ann\n');
    } else {
      dripping.set(path, response);
      response.write('id,name\n');
      // Faster than the least rate of any tier.
      const timer = setInterval(() => response.write(`${'x'.repeat(5_000)}\n`), 1_000);
      response.on('close', () => {
        clearInterval(timer);
        dripping.delete(path);
      });
    }
  };
  const server = createServer((request, response) => answer(request.url ?? '', response));
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    drip: () => {
      isDripping = true;
    },
    dripping,
    close: () => {
      server.closeAllConnections();
      return close(server);
    },
  };
}

export interface DrippingResult {
  origins: number;
  /** Medians of checks, one after the other, each of a body that changed. */
  aloneMs: number;
  besideMs: number;
}

const CHECKS = 40;
const AT_A_TIME = 10;

/** @param keys KEY_ENCRYPTION_KEYS of the system @param origins so many drip, a third of them for anonymous records */
export async function measureDripping(
  system: System,
  { keys, origins }: { keys: string; origins: number },
  report: (text: string) => void,
): Promise<DrippingResult> {
  const origin = await startDrippingOrigin();
  const { keyEncryptionKeys } = parseConfig({ KEY_ENCRYPTION_KEYS: keys });
  const { apiKey } = await seedAccount(system.db, keyEncryptionKeys);
  const other = openApi(system.dev.baseUrl, apiKey);
  const quick = await create(other, `${origin.url}/quick.csv`);
  const slow: string[] = [];
  report(`dripping: ${origins} records`);
  const numbers = Array.from({ length: origins }, (_, number) => number);
  await someAtATime(numbers, async (n) => void slow.push(await create(system.api, `${origin.url}/${n}.csv`)));
  const anonymous = slow.slice(0, origins / 3);
  // As the records of sessions are, which an address cannot have so many of.
  await system.db('records').whereIn('id', anonymous).update({ tier: 'anonymous' });
  await timeChecks(other, quick);
  const aloneMs = await timeChecks(other, quick);
  origin.drip();
  // Fetches of anonymous records end after a minute, so they begin last.
  await someAtATime(slow.toReversed(), (id) => system.api.call('POST', `/v1/sources/${id}/check`));
  await waitFor(() => origin.dripping.size === origins || undefined, {
    what: 'all of them drip',
    timeoutMs: 60_000,
  });
  const besideMs = await timeChecks(other, quick);
  if (origin.dripping.size < origins) throw new Error('Some of them ended meanwhile');
  await Promise.all(
    [...slow, quick].map((id) => system.db('records').where({ id }).update({ status: 'paused' })),
  );
  await origin.close();
  return { origins, aloneMs, besideMs };
}

/** All at once would be more than a busy worker takes up in time. */
async function someAtATime<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < items.length; from += AT_A_TIME) {
    await Promise.all(items.slice(from, from + AT_A_TIME).map(work));
  }
}

async function create(api: ApiClient, url: string): Promise<string> {
  const settings = { url, checkIntervalMinutes: 1_000 };
  return String((await api.call('POST', '/v1/sources', settings, { prefer: 'wait=10' }))['id']);
}

async function timeChecks(api: ApiClient, id: string): Promise<number> {
  const timesMs: number[] = [];
  for (let i = 0; i < CHECKS; i += 1) {
    const startedAtMs = performance.now();
    const check = await api.call('POST', `/v1/sources/${id}/check`, undefined, { prefer: 'wait=10' });
    if (check['outcome'] !== 'changed') throw new Error(`A check came to ${String(check['outcome'])}`);
    timesMs.push(performance.now() - startedAtMs);
  }
  return median(timesMs);
}
