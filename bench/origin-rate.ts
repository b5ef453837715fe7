// How often eight workers ask one origin that has far more due records than its limits allow. The origin itself counts.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { waitFor } from '../cli/process/wait-for.ts';
import { makeId } from '../core/ids.ts';
import { insertRecord } from '../db/records/records.ts';
import { close, listen } from '../demo/http-server.ts';
import { startExtraWorker } from './extra-worker.ts';
import { wakeAll } from './fleet/fleet.ts';
import type { System } from './system.ts';

/** What the origin is to be asked at most. */
export const RATE_SETTINGS = {
  MIN_CHECK_SECONDS: '0.001',
  ORIGIN_SPACING_SECONDS: '0.2',
  ORIGIN_CONCURRENCY: '8',
};

export interface OriginRateResult {
  workers: number;
  records: number;
  /** Requests of a minute by the settings. */
  set: number;
  /** Of all minutes that began with a request. */
  most: number;
  /** Of a minute, on average. */
  usual: number;
  mostAtOnce: number;
}

const WORKERS = 8;
const RECORDS = 400;
const MINUTE_MS = 60_000;
/** First checks, and until the workers know of each other. */
const WARM_UP_MS = 60_000;
const WINDOW_MS = 3 * MINUTE_MS;
/** How long the origin takes for an answer. */
const ANSWER_MS = 30;

/** @param settings those that the system was started with */
export async function measureOriginRate(
  system: System,
  settings: Readonly<Record<string, string>>,
  report: (text: string) => void,
): Promise<OriginRateResult> {
  const origin = await startCountingOrigin();
  const names = Array.from({ length: WORKERS - 1 }, (_, index) => `worker-${index + 2}`);
  const workers = [];
  for (const name of names) workers.push(await startExtraWorker(system, name, settings));
  const isPresent = async () => (await countWorkers(system)) === WORKERS || undefined;
  await waitFor(isPresent, { what: 'all workers are there', timeoutMs: MINUTE_MS });
  await makeDueRecords(system, origin.url);
  report(`origin rate: ${RECORDS} records are due, ${WORKERS} workers`);
  await pause(WARM_UP_MS);
  origin.forget();
  await pause(WINDOW_MS);
  const { arrivals, mostAtOnce } = origin.seen();
  const present = await countWorkers(system);
  for (const worker of workers) await worker.stop();
  await origin.close();
  if (present !== WORKERS) throw new Error(`${present} workers ran at the end`);
  return {
    workers: WORKERS,
    records: RECORDS,
    set: MINUTE_MS / (Number(RATE_SETTINGS.ORIGIN_SPACING_SECONDS) * 1_000),
    most: mostWithin(arrivals, MINUTE_MS),
    usual: (arrivals.length * MINUTE_MS) / WINDOW_MS,
    mostAtOnce,
  };
}

const countWorkers = async ({ db }: System): Promise<number> =>
  Number((await db('present_workers').count('* as n').first())?.['n']);

/** The most arrivals within so many milliseconds. @param arrivals in their order */
function mostWithin(arrivals: readonly number[], spanMs: number): number {
  let first = 0;
  let most = 0;
  for (const [last, atMs] of arrivals.entries()) {
    while (atMs - (arrivals[first] ?? atMs) >= spanMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

async function startCountingOrigin() {
  let arrivals: number[] = [];
  let running = 0;
  let mostAtOnce = 0;
  const server = createServer((request, response) => {
    arrivals.push(performance.now());
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    response.on('close', () => {
      running -= 1;
    });
    const isKnown = request.headers['if-none-match'] !== undefined;
    setTimeout(() => {
      if (isKnown) response.writeHead(304, { etag: '"1"' }).end();
      else response.writeHead(200, { 'content-type': 'text/csv', etag: '"1"' }).end('id,name\n1,Ann\n');
    }, ANSWER_MS);
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    seen: () => ({ arrivals, mostAtOnce }),
    forget: () => {
      arrivals = [];
      mostAtOnce = running;
    },
    close: () => {
      server.closeAllConnections();
      return close(server);
    },
  };
}

async function makeDueRecords({ db, dev }: System, originUrl: string): Promise<void> {
  const connection = await Connection.connect({ address: dev.temporalAddress });
  const temporal = new Client({ connection, namespace: dev.temporalNamespace });
  const ids = Array.from({ length: RECORDS }, () => makeId('record', Date.now(), randomUUID()));
  for (const id of ids) {
    await insertRecord(db, {
      id,
      accountId: dev.accountId,
      slug: id.replace('_', '-'),
      name: 'Due',
      url: `${originUrl}/${id}`,
      tier: 'max',
      format: null,
      delimiter: null,
      rowsPath: null,
      keyFields: ['id'],
      ignoreFields: [],
      checkIntervalSeconds: 1,
    });
  }
  await wakeAll(temporal, ids);
  await connection.close();
}

export function originRateRows({
  workers,
  records,
  set,
  most,
  usual,
  mostAtOnce,
}: OriginRateResult): string[][] {
  return [
    [
      `Requests of ${workers} workers at one origin in its busiest minute, to the set number`,
      (most / set).toFixed(3),
      '<= 1.05',
      `${most} of ${set}, ${usual.toFixed(0)} in a usual minute, at most ${mostAtOnce} at once; ${records} records due`,
    ],
  ];
}
