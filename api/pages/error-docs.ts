// Serves docs/errors.md, to which the `type` of every problem document points: a page for browsers, else the text.
import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import { errorPage } from './error-page.ts';

const FILE = new URL('../../docs/errors.md', import.meta.url);
const CSP =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function registerErrorDocs(app: FastifyInstance): void {
  const text = readFileSync(FILE, 'utf8');
  const page = errorPage(text);
  app.get('/docs/errors', (request, reply) => {
    void reply.headers({ 'cache-control': 'public, max-age=3600', vary: 'Accept' });
    return request.headers.accept?.includes('text/html') === true
      ? reply.header('content-security-policy', CSP).type('text/html; charset=utf-8').send(page)
      : reply.type('text/markdown; charset=utf-8').send(text);
  });
}
