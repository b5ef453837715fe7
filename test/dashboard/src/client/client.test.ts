// The dashboard's clients of the API and of /auth/ give up a request that hangs.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askAuth } from '../../../../dashboard/src/client/auth.ts';
import { createApi } from '../../../../dashboard/src/client/client.ts';

declare global {
  /** Of the page: the types of Node have none. */
  var location: { origin: string };
}

let limit: AbortController;

/** A server that never answers. */
const hang = (_request: unknown, init?: RequestInit): Promise<never> =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new DOMException('Too late', 'TimeoutError')));
  });

beforeEach(() => {
  limit = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => limit.signal);
  vi.stubGlobal('location', { origin: 'http://dashboard.test' });
  vi.stubGlobal('fetch', vi.fn(hang));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const REQUESTS: Readonly<Record<string, () => Promise<unknown>>> = {
  'that reads': () => createApi().GET('/v1/sources'),
  'that changes something': () => createApi().POST('/v1/sessions', { body: { url: 'http://x.test/' } }),
  'of /auth/': () => askAuth('get-session'),
};

it.each(Object.entries(REQUESTS))('gives up a request %s', async (_what, ask) => {
  const asked = ask().catch((error: unknown) => error);
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledOnce());
  limit.abort();
  expect(await asked).toMatchObject({ code: 'unreachable' });
});
