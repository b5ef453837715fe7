// Hostile bodies from a real origin to a real worker: each check ends in a typed error, and the worker stays
// up, in bounded memory. HOSTILE_MB=1024 makes them as large as that.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BOMBS, HOSTILE_BODIES } from '../../hostile/bodies.ts';
import {
  createRecord,
  readAll,
  startSystem,
  type CheckView,
  type System,
} from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';

const WANTED_MB = process.env['HOSTILE_MB'];
const SIZE_BYTES = Number(WANTED_MB ?? 24) * 1024 * 1024;
/** The limit of the whole worker process, which runs with the options of `npm start`. */
const MAX_PEAK_MIB = 512;
const NODE_OPTIONS = '--max-semi-space-size=4';
const DEADLINE_MS = 240_000;

const TRIED_ALWAYS = [
  'a line without end',
  'a quote that never closes',
  'a million columns',
  'lists in lists in a row, a million deep',
];
/** The bodies that end early. The others fill their limit, which takes time and disk space. */
const TRIED = Object.keys(HOSTILE_BODIES).filter(
  (name) => !/rows/.test(HOSTILE_BODIES[name]?.outcome.source ?? ''),
);

let system: System;
let origin: Server;
let isHostile = false;

beforeAll(async () => {
  system = await startSystem({ NODE_OPTIONS });
  origin = createServer((request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? '');
    response.setHeader('content-type', 'text/plain');
    if (!isHostile) response.writeHead(503).end();
    // A client that has received enough closes the connection.
    else send(name).catch(() => response.destroy());
    async function send(wanted: string): Promise<void> {
      const bomb = BOMBS[wanted];
      if (bomb?.encoding !== undefined) response.setHeader('content-encoding', bomb.encoding);
      const chunks = bomb === undefined ? HOSTILE_BODIES[wanted]?.chunks(SIZE_BYTES) : undefined;
      await pipeline(Readable.from(chunks ?? [await bomb?.make(SIZE_BYTES)]), response);
    }
  });
  await new Promise<void>((resolve) => {
    origin.listen(0, '127.0.0.1', resolve);
  });
});

afterAll(async () => {
  await system.stop();
  origin.closeAllConnections();
  origin.close();
});

const checksOf = (id: string) => readAll<CheckView>(system, `/v1/sources/${id}/checks`, 'checks');

/** Creates a record for one body and returns its check. */
async function checkOf(name: string, format: string | undefined): Promise<CheckView> {
  isHostile = false;
  // A server that listens on a port has an AddressInfo.
  const { port } = origin.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/${encodeURIComponent(name)}`;
  const { id } = await createRecord(system, { url, ...(format === undefined ? {} : { format }) });
  await system.database.db('records').where({ id }).update({ tier: 'max' });
  isHostile = true;
  const { body } = await system.call('POST', `/v1/sources/${id}/check`);
  return until(
    'the check is done',
    async () => (await checksOf(id)).find((check) => check.id === body['id']),
    { deadlineMs: DEADLINE_MS },
  );
}

function peakMib(): number {
  const status = readFileSync(`/proc/${system.pidOf('worker')}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

const names = [...(WANTED_MB === undefined ? TRIED_ALWAYS : TRIED), ...Object.keys(BOMBS)];

it.each(names)('%s', { timeout: DEADLINE_MS + 60_000 }, async (name) => {
  const { outcome = /^body_too_large$/, format } = HOSTILE_BODIES[name] ?? {};
  const { error } = await checkOf(name, format);
  expect(error?.code).toMatch(outcome);
  expect(system.isRunning('worker')).toBe(true);
  expect(peakMib()).toBeLessThan(MAX_PEAK_MIB);
  if (WANTED_MB !== undefined)
    console.info(`${name}: the worker’s peak so far is ${Math.round(peakMib())} MiB`);
});
