// The product's API, typed by its own OpenAPI document.
import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import type { Credentials } from './credentials.ts';
import { problemOf, unreachable } from './problem.ts';
import type { paths } from './schema.ts';
import { signalOf } from './time-limit.ts';

export type Api = Client<paths>;

/**
 * Calls throw a Problem if the API refuses, so `data` is set when they return.
 * @param credentials undefined to start an anonymous session
 */
export function createApi(credentials?: Credentials): Api {
  const api = createFetchClient<paths>({
    baseUrl: location.origin,
    fetch: (request) =>
      fetch(request, { signal: signalOf(request) }).catch(() => Promise.reject(unreachable())),
  });
  api.use(refuse);
  if (credentials !== undefined) api.use(authorize(credentials));
  return api;
}

/** 304 never arrives here: the browser's cache answers it. */
const refuse: Middleware = {
  onResponse: async ({ response }) => {
    if (!response.ok) throw await problemOf(response);
  },
};

const authorize = ({ bearer, forget }: Credentials): Middleware => ({
  onRequest: async ({ request }) => {
    request.headers.set('authorization', `Bearer ${await bearer()}`);
    return request;
  },
  // Runs before the refusal is thrown: the middleware that was added last sees the answer first.
  onResponse: ({ response }) => {
    if (response.status === 401) forget();
  },
});
