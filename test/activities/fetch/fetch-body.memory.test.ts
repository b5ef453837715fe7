// A worker keeps nothing of a fetch that has ended. It makes millions.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queryObjects } from 'node:v8';
import { Agent } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { fetchBody } from '../../../activities/fetch/fetch-body.ts';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import { startOrigin } from '../../support/servers/origin-server.ts';

const guard = { allowed: parseAllowedNetworks(['127.0.0.1']), resolve: () => Promise.resolve(['127.0.0.1']) };

it.each([
  ['an address', '127.0.0.1'],
  ['a name', 'localhost'],
])('regression: a fetch from %s leaves nothing in memory', async (_what, host) => {
  const origin = await startOrigin();
  onTestFinished(() => origin.close());
  const folder = await mkdtemp(join(tmpdir(), 'fetch-memory-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  origin.set('/feed', { body: 'id,name\n1,one' });
  const url = `${origin.url.replace('127.0.0.1', host)}/feed`;
  const fetchSome = async (): Promise<number> => {
    for (let times = 0; times < 40; times += 1) {
      // As a check on schedule passes it.
      const signal = AbortSignal.any([new AbortController().signal, new AbortController().signal]);
      await fetchBody({ url, guard, userAgent: 'test', folder, maxBytes: 1_000_000, signal });
    }
    // It collects garbage first. What one collection makes free goes with the next one.
    queryObjects(Agent, { format: 'count' });
    return queryObjects(Agent, { format: 'count' });
  };
  const before = await fetchSome();
  await fetchSome();
  expect((await fetchSome()) - before).toBeLessThan(20);
});
