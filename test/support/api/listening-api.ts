// Runs the API of a test file on a port, at its public address, for clients and browsers.
import { beforeAll } from 'vitest';
import type { AppOptions } from '../../../api/app.ts';
import { type TestApi, useApi } from './api.ts';
import { freePort } from '../servers/free-port.ts';

export async function useListeningApi(options: AppOptions = {}): Promise<{ api: TestApi; baseUrl: string }> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const api = useApi({ baseUrl }, options);
  beforeAll(async () => {
    await api.app.listen({ host: '127.0.0.1', port });
  });
  return { api, baseUrl };
}
