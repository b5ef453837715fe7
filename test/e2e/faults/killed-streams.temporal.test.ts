// A consumer of the stream of events, written in Python without packages, while the API is killed and restarted: it gets
// every event once.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../support/servers/free-port.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { checkAndWait, createRecord, startSystem, type System } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';

const PROGRAM = fileURLToPath(new URL('follow-events.py', import.meta.url));

let port: number;
let system: System;
let origin: Origin;
beforeAll(async () => {
  port = await freePort();
  system = await startSystem({ PORT: String(port) });
  origin = await startOrigin();
});
afterAll(async () => {
  await origin.close();
  await system.stop();
});

interface Consumer {
  /** Ids of the delta events, in the order of their arrival. */
  got: string[];
  stop: () => void;
}

function startConsumer(): Consumer {
  const url = `http://127.0.0.1:${port}/v1/events`;
  const child = spawn('python3', [PROGRAM, url, system.apiKey], { stdio: ['ignore', 'pipe', 'inherit'] });
  const got: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    got.push((JSON.parse(line) as { deltaEventId: string }).deltaEventId);
  });
  return { got, stop: () => void child.kill() };
}

it('a consumer continues after the last event that it got, whether the API was killed or told to end', async () => {
  let version = 0;
  origin.set('/table.csv', () => ({ body: `id,price\n1,${version}\n` }));
  const { id } = await createRecord(system, { url: `${origin.url}/table.csv` });
  const change = async (): Promise<void> => {
    version += 1;
    expect(await checkAndWait(system, id)).toMatchObject({ outcome: 'changed' });
  };
  const eventIds = async (): Promise<string[]> =>
    system.database
      .db('delta_events')
      .where({ recordId: id, isNoChange: false })
      .orderBy('number')
      .pluck('id');
  const consumer = startConsumer();
  try {
    for (let round = 1; round <= 4; round += 1) {
      await change();
      await until('it has the event', () => consumer.got.length >= 2 * round - 1);
      if (round % 2 === 0) process.kill(system.pidOf('api') ?? 0, 'SIGTERM');
      else await system.kill('api');
      await until('the API is gone', () => !system.isRunning('api'));
      await system.start('api');
      await change();
      await until('it has the next event', () => consumer.got.length >= 2 * round);
    }
    expect(consumer.got).toEqual(await eventIds());
  } finally {
    consumer.stop();
  }
});
