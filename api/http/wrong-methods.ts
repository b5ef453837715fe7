// What every path answers to the methods that it does not take, and to OPTIONS.
import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { preflightOf } from './cors.ts';
import { sendProblem } from './problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What @fastify/cors reads of a route. */
    cors?: object | false;
    /** The methods that the path takes: on the routes that answer all other methods. */
    allow?: string;
  }
}

/** In the order in which `Allow` lists them. */
const IN_USE = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface Path {
  /** Registers the path: its hooks say what pages of other origins may read. */
  owner: FastifyInstance;
  /** Relative to the owner's prefix. */
  url: string;
  methods: Set<string>;
  cors: object;
}

/**
 * Watches which routes are registered on `app` and below. Call it before all of them.
 * @returns registers what their paths answer to every other method of HTTP, before the body is read and before hooks at
 * preParsing; call it after all of them
 */
export function watchPaths(app: FastifyInstance): (baseUrl: string) => void {
  for (const method of METHODS) {
    // Fastify answers a QUERY without a Content-Type with an error of its own, before any handler runs.
    if (method === 'QUERY') app.addHttpMethod(method, { overrideExisting: true });
    else if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  const paths = new Map<string, Path>();
  app.addHook('onRoute', function remember({ url, routePath, method, config }) {
    const known = paths.get(url);
    const path = known ?? { owner: this, url: routePath, methods: new Set(), cors: config?.cors || {} };
    for (const each of [method].flat()) path.methods.add(each);
    paths.set(url, path);
  });
  return (baseUrl) =>
    void app.register(async () => {
      // What is registered here is a route as well, of a path that is known by then.
      for (const path of paths.values()) answerOtherMethods(path, baseUrl);
    });
}

function answerOtherMethods({ owner, url, methods, cors }: Path, baseUrl: string): void {
  const taken = IN_USE.filter((method) => methods.has(method));
  // Where @fastify/cors listens for OPTIONS of any path.
  if (taken.length === 0) return;
  const allow = taken.join(', ');
  owner.route({
    method: METHODS.filter((method) => method !== 'OPTIONS' && !taken.includes(method)),
    url,
    config: { cors, allow },
    onRequest: async (_request, reply) => {
      void reply.header('allow', allow);
      return sendProblem(reply, new ApiError('method_not_allowed', `This path takes ${allow}.`), baseUrl);
    },
    handler: (_request, reply) => reply.send(),
  });
  owner.route({
    method: 'OPTIONS',
    url,
    config: { cors: { ...cors, ...preflightOf(taken) }, allow },
    onRequest: async (_request, reply) => reply.code(204).send(),
    // Where pages may ask, @fastify/cors has answered before the hook above.
    onSend: async (_request, reply) => void reply.header('allow', allow),
    handler: (_request, reply) => reply.send(),
  });
}
