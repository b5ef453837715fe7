// Ports: the preferred one, or the next one that is neither in use nor claimed.
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import getPort from 'get-port';
import { claimExactPort, claimPort } from '../../../cli/process/claim-port.ts';
import { close, listen } from '../../../demo/http-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function listener(): Promise<number> {
  const server = createServer();
  onTestFinished(() => close(server));
  return await listen(server, 0);
}

test('skips a port that is in use', async () => {
  const taken = await listener();
  const locks = temporaryFolder();
  expect(await claimExactPort(taken, locks)).toBeUndefined();
  using claim = await claimPort(taken, locks);
  expect(claim.port).toBeGreaterThan(taken);
});

test('two runners that choose at the same moment get different ports', async () => {
  const locks = temporaryFolder();
  const preferred = await getPort({ host: '127.0.0.1' });
  const claims = await Promise.all([claimPort(preferred, locks), claimPort(preferred, locks)]);
  onTestFinished(() => claims.forEach((claim) => claim[Symbol.dispose]()));
  expect(claims[0]?.port).not.toBe(claims[1]?.port);
});

test('a released claim can be taken again', async () => {
  const locks = temporaryFolder();
  const port = await getPort({ host: '127.0.0.1' });
  const first = await claimExactPort(port, locks);
  expect(await claimExactPort(port, locks)).toBeUndefined();
  first?.[Symbol.dispose]();
  using again = await claimExactPort(port, locks);
  expect(again?.port).toBe(port);
});
