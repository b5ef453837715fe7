// Restarts two APIs behind a reverse proxy one after the other under load; no request fails. The proxy is the one of
// test/support, which is stricter than others, or the nginx that NGINX names.
import { PROGRAMS } from '../../support/servers/programs.ts';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Child, startChild } from '../../../cli/process/start-child.ts';
import { type Balancer, startBalancer } from '../../support/servers/balancer.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { startNginx } from '../../support/servers/nginx.ts';
import { startOrigin, type Origin } from '../../support/servers/origin-server.ts';
import { createRecord, startSystem, type System } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';

const REQUESTS_PER_SECOND = 20;
/** Enough requests that each restart happens under load. */
const REQUESTS = 200;
const END_DEADLINE_MS = 10_000;

interface Upstream {
  url: string;
  start: () => Promise<Child>;
  child: Child;
}

let system: System;
let origin: Origin;
let balancer: Balancer;
let upstreams: Upstream[];

beforeAll(async () => {
  system = await startSystem();
  origin = await startOrigin();
  upstreams = await Promise.all(['first', 'second'].map(openUpstream));
  const urls = upstreams.map(({ url }) => url);
  const nginx = process.env['NGINX'];
  balancer = await (nginx === undefined ? startBalancer(urls) : startNginx(nginx, urls));
});

afterAll(async () => {
  await balancer.close();
  await Promise.all(upstreams.map(({ child }) => child.stop()));
  await origin.close();
  await system.stop();
});

async function openUpstream(name: string): Promise<Upstream> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = (): Promise<Child> =>
    startChild({
      name,
      command: process.execPath,
      args: [PROGRAMS.api.path],
      env: { PATH: process.env['PATH'], ...system.env, PORT: String(port), SHUTDOWN_DELAY_SECONDS: '1' },
      logFile: join(system.home, `${name}.log`),
    });
  const child = await start();
  await until(`${name} is ready`, () => isReady(url));
  return { url, start, child };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

it('regression: no request fails while two APIs are restarted in turn', async () => {
  origin.set('/list.csv', { body: 'id,name\n1,one\n' });
  const { id } = await createRecord(system, { url: `${origin.url}/list.csv` });
  const paths = [
    ['GET', `/v1/sources/${id}`],
    ['PATCH', `/v1/sources/${id}`, { name: 'Renamed' }],
    ['GET', '/v1/sources'],
  ] as const;
  const failures: string[] = [];
  const sent: Promise<void>[] = [];
  let isOver = false;
  const send = async (): Promise<void> => {
    const [method, path, body] = paths[sent.length % paths.length] ?? paths[0];
    const outcome = await fetch(`${balancer.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${system.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).then(
      async (answer) => `${answer.status} ${answer.ok ? '' : await answer.text()}`,
      (error: unknown) => String(error),
    );
    if (!outcome.startsWith('200')) failures.push(`${method} ${path}: ${outcome}`);
  };
  const timer = setInterval(() => {
    sent.push(send());
    isOver = sent.length >= REQUESTS;
  }, 1_000 / REQUESTS_PER_SECOND);
  try {
    for (const upstream of upstreams) {
      process.kill(upstream.child.pid, 'SIGTERM');
      const hasEnded = upstream.child.ended.then(() => true);
      let isGone = false;
      void hasEnded.then(() => (isGone = true));
      await until('the API has ended', () => isGone, { deadlineMs: END_DEADLINE_MS });
      upstream.child = await upstream.start();
      await until('it takes requests again', () => balancer.isHealthy(upstream.url));
    }
    await until('enough requests were sent', () => isOver);
  } finally {
    clearInterval(timer);
  }
  await Promise.all(sent);
  expect(failures).toEqual([]);
});
