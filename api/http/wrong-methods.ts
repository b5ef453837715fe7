// Answers OPTIONS, and 405 for methods that a path does not accept.
import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { preflightOf } from './cors.ts';
import { sendProblem } from './problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The part of a route's configuration that @fastify/cors reads. */
    cors?: object | false;
    /** The methods that the path accepts, on the routes for all other methods. */
    allow?: string;
  }
}

/** In the order of the header Allow. */
const IN_USE = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface Path {
  /** The instance whose hooks apply to the path, such as CORS. */
  owner: FastifyInstance;
  /** Relative to the owner's prefix. */
  url: string;
  methods: Set<string>;
  cors: object;
}

/**
 * Records the routes of `app` and its children. Call it before any route is registered.
 * @returns registers the responses to all other methods, sent before the body is read and before preParsing hooks. Call it
 * after all routes.
 */
export function watchPaths(app: FastifyInstance): (baseUrl: string) => void {
  for (const method of METHODS) {
    // Fastify refuses a QUERY without a Content-Type by itself, before any handler runs.
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
      // Routes registered here are recorded too, for paths that are known already.
      for (const path of paths.values()) answerOtherMethods(path, baseUrl);
    });
}

function answerOtherMethods({ owner, url, methods, cors }: Path, baseUrl: string): void {
  const taken = IN_USE.filter((method) => methods.has(method));
  // The wildcard OPTIONS route of @fastify/cors.
  if (taken.length === 0) return;
  const allow = taken.join(', ');
  owner.route({
    method: METHODS.filter((method) => method !== 'OPTIONS' && !taken.includes(method)),
    url,
    config: { cors, allow },
    onRequest: async (_request, reply) => {
      void reply.header('allow', allow);
      return sendProblem(reply, new ApiError('method_not_allowed', `This path accepts ${allow}.`), baseUrl);
    },
    handler: (_request, reply) => reply.send(),
  });
  owner.route({
    method: 'OPTIONS',
    url,
    config: { cors: { ...cors, ...preflightOf(taken) }, allow },
    onRequest: async (_request, reply) => reply.code(204).send(),
    // Where CORS applies, @fastify/cors has responded before the hook above.
    onSend: async (_request, reply) => void reply.header('allow', allow),
    handler: (_request, reply) => reply.send(),
  });
}
