// The product's API, typed by its own OpenAPI document.
import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import type { Credentials } from './credentials.ts';
import { problemOf, unreachable } from './problem.ts';
import type { paths } from './schema.ts';

export type Api = Client<paths>;

/**
 * Calls throw a Problem where the API refuses, so `data` is there when they come back.
 * @param credentials none: for what an anonymous session begins with
 */
export function createApi(credentials?: Credentials): Api {
  const api = createFetchClient<paths>({
    baseUrl: location.origin,
    fetch: (request) => fetch(request).catch(() => Promise.reject(unreachable())),
  });
  api.use(refuse);
  if (credentials !== undefined) api.use(authorize(credentials));
  return api;
}

/** 304 is not seen here: the browser's cache answers it. */
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
  // Before the refusal is thrown: what was added last sees an answer first.
  onResponse: ({ response }) => {
    if (response.status === 401) forget();
  },
});
