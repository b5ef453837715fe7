// The product's API, typed by its own OpenAPI document.
import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import type { Credentials } from './credentials.ts';
import { problemOf, unreachable } from './problem.ts';
import type { paths } from './schema.ts';

export type Api = Client<paths>;

/** Calls throw a Problem where the API refuses, so `data` is there when they come back. */
export function createApi(credentials: Credentials): Api {
  const api = createFetchClient<paths>({
    baseUrl: location.origin,
    fetch: (request) => fetch(request).catch(() => Promise.reject(unreachable())),
  });
  api.use(authorize(credentials));
  return api;
}

const authorize = ({ bearer, forget }: Credentials): Middleware => ({
  onRequest: async ({ request }) => {
    request.headers.set('authorization', `Bearer ${await bearer()}`);
    return request;
  },
  onResponse: async ({ response }) => {
    // 304: the browser's cache answers it before we see it.
    if (response.ok) return;
    if (response.status === 401) forget();
    throw await problemOf(response);
  },
});

/** Without a credential: what an anonymous session begins with. */
export const openApi: Api = createFetchClient<paths>({ baseUrl: location.origin });
openApi.use({
  onResponse: async ({ response }) => {
    if (!response.ok) throw await problemOf(response);
  },
});
