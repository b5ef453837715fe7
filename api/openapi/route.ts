// GET /v1/openapi.json. The document is built at the first request.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { OPERATIONS } from '../operations.ts';
import { describeApi } from './document.ts';

interface Served {
  text: string;
  etag: string;
}

export function registerOpenApi(app: FastifyInstance, baseUrl: string): void {
  let served: Served | undefined;
  app.get('/v1/openapi.json', (request, reply) => {
    const { text, etag } = (served ??= build(baseUrl));
    void reply.headers({ etag, 'cache-control': 'public, max-age=300' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
}

function build(baseUrl: string): Served {
  const text = JSON.stringify(describeApi(OPERATIONS, baseUrl));
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`;
  return { text, etag };
}
