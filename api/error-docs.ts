// Serves docs/errors.md, to which the `type` of every problem document points.
import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';

const FILE = new URL('../docs/errors.md', import.meta.url);

export function registerErrorDocs(app: FastifyInstance): void {
  const text = readFileSync(FILE, 'utf8');
  app.get('/docs/errors', (_request, reply) =>
    reply.type('text/markdown; charset=utf-8').header('cache-control', 'public, max-age=3600').send(text),
  );
}
