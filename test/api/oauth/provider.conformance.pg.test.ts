// The conformance suite's scenarios for authorization servers. The suite is the client, and the test acts as the user at a
// browser. None may fail, so there is no list of expected failures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { freePort } from '../../support/servers/free-port.ts';
import { useListeningApi } from '../../support/api/listening-api.ts';
import { obtainCode, openBrowser, registerClient } from '../../support/api/oauth-browser.ts';
import { until } from '../../support/until.ts';

const CONFORMANCE = '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js';

const require = createRequire(import.meta.url);
const { api, baseUrl } = await useListeningApi();

it('passes all scenarios for authorization servers', async () => {
  const callbackPort = await freePort();
  const redirectUri = `http://127.0.0.1:${callbackPort}/callback`;
  const clientId = await registerClient(baseUrl, { redirect_uris: [redirectUri] });
  const args = ['--url', baseUrl, '--client-id', clientId, '--resource', `${baseUrl}/v1/mcp`];
  const child = spawn(
    process.execPath,
    [require.resolve(CONFORMANCE), 'authorization', ...args, '-p', String(callbackPort)],
    { env: { PATH: process.env['PATH'], NO_COLOR: '1' }, timeout: 50_000 },
  );
  const ended = once(child, 'exit');
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  try {
    const asked = await until(
      'the suite asks for a person',
      () => /^http\S+\/oauth\/authorize\?\S+$/m.exec(said)?.[0],
    );
    const { pathname, search } = new URL(asked);
    const answers = { key: api.fullKey, scope: 'read' };
    const back = await obtainCode(openBrowser(baseUrl), `${pathname}${search}`, answers);
    expect((await fetch(back)).status).toBe(200);
    const [status] = (await ended) as [number | null];
    expect([status, status === 0 ? '' : said]).toEqual([0, '']);
    expect(said).toMatch(/authorization-code-grant/);
  } finally {
    child.kill();
  }
});
