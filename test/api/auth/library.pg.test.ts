// The sign-in library follows our options, whatever the environment variables say.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { useApi } from '../../support/api/api.ts';

const api = useApi();
afterEach(() => vi.unstubAllEnvs());

const open = async () => {
  const { openLibrary } = await import('../../../api/auth/library.ts');
  return openLibrary({
    services: api.services,
    passwords: { hash: async () => '', verify: async () => false },
    sendReset: async () => undefined,
    onReset: async () => undefined,
  }).$context;
};

it('trusts no other origins, and sends no telemetry', async () => {
  const reports: string[] = [];
  const collector = createServer((request, response) => {
    reports.push(request.url ?? '');
    response.end();
  });
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  // In a test environment the library sends nothing. It decides that when it is first loaded, which `open` does.
  vi.stubEnv('NODE_ENV', 'production');
  vi.stubEnv('TEST', '');
  vi.stubEnv('BETTER_AUTH_TRUSTED_ORIGINS', 'https://evil.example');
  vi.stubEnv('BETTER_AUTH_TELEMETRY', '1');
  // A server that listens on a port has an AddressInfo.
  const { port } = collector.address() as AddressInfo;
  vi.stubEnv('BETTER_AUTH_TELEMETRY_ENDPOINT', `http://127.0.0.1:${port}/report`);
  const { trustedOrigins, publishTelemetry } = await open();
  await publishTelemetry({ type: 'canary', payload: {} });
  expect(reports).toEqual([]);
  expect(trustedOrigins).not.toContain('https://evil.example');
  collector.close();
});

it('signs cookies with our own key only', async () => {
  const { secret } = await open();
  vi.stubEnv('BETTER_AUTH_SECRETS', `1:${'a'.repeat(40)}`);
  vi.stubEnv('BETTER_AUTH_SECRET', 'b'.repeat(40));
  expect((await open()).secret).toBe(secret);
});
