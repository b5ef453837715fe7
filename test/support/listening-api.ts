// The API of a test file where clients and browsers reach it: at the address that it says it has.
import getPort from 'get-port';
import { beforeAll } from 'vitest';
import { type TestApi, useApi } from './api.ts';

export async function useListeningApi(): Promise<{ api: TestApi; baseUrl: string }> {
  const port = await getPort({ host: '127.0.0.1' });
  const baseUrl = `http://127.0.0.1:${port}`;
  const api = useApi({ baseUrl });
  beforeAll(async () => {
    await api.app.listen({ host: '127.0.0.1', port });
  });
  return { api, baseUrl };
}
