// What the paths of operations answer to the methods that they do not take, and to OPTIONS.
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ApiError } from '../core/errors.ts';
import { preflightOf } from './cors.ts';
import type { Operation } from './operation.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'] as const satisfies HTTPMethods[];

/** A known path with another method is 405 and says which ones work. */
export function registerWrongMethods(app: FastifyInstance, operations: readonly Operation[]): void {
  const byPath = Map.groupBy(operations, ({ http }) => http.path);
  for (const [url, those] of byPath) {
    const methods = those.map(({ http }) => http.method);
    const taken = METHODS.filter((method) =>
      methods.some((known) => known === (method === 'HEAD' ? 'GET' : method)),
    );
    const allow = taken.join(', ');
    app.route({
      method: METHODS.filter((method) => !taken.includes(method)),
      url,
      onRequest: async (_request, reply) => {
        void reply.header('allow', allow);
        throw new ApiError('method_not_allowed', `This path takes ${allow}.`);
      },
      handler: (_request, reply) => reply.send(),
    });
    app.route({
      method: 'OPTIONS',
      url,
      config: preflightOf(taken),
      // Answered before it gets to the handler, whether a browser asks or somebody else.
      onSend: async (_request, reply) => void reply.header('allow', allow),
      handler: (_request, reply) => reply.code(204).send(),
    });
  }
}
