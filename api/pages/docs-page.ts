// The API reference at /docs: Swagger UI over /v1/openapi.json, without any other host.
import type { FastifyInstance } from 'fastify';
import { createReadStream } from 'node:fs';

const OURS = new URL('docs-page/', import.meta.url);
const SWAGGER_UI = new URL('static/', import.meta.resolve('@fastify/swagger-ui/package.json'));

const FILES: Readonly<Record<string, { folder: URL; type: string }>> = {
  'page.js': { folder: OURS, type: 'text/javascript; charset=utf-8' },
  'page.css': { folder: OURS, type: 'text/css; charset=utf-8' },
  'swagger-ui.css': { folder: SWAGGER_UI, type: 'text/css; charset=utf-8' },
  'swagger-ui-bundle.js': { folder: SWAGGER_UI, type: 'text/javascript; charset=utf-8' },
  'favicon-32x32.png': { folder: SWAGGER_UI, type: 'image/png' },
};

const CACHED = { 'cache-control': 'public, max-age=3600' };

/**
 * Reads files at the first request.
 * @param baseUrl where the page sends trial requests
 */
export function registerDocsPage(app: FastifyInstance, baseUrl: string): void {
  const csp = contentSecurityPolicy(new URL(baseUrl).origin);
  app.get('/docs', (_request, reply) =>
    reply
      .headers({ ...CACHED, 'content-security-policy': csp, 'referrer-policy': 'no-referrer' })
      .type('text/html; charset=utf-8')
      .send(createReadStream(new URL('index.html', OURS))),
  );
  // The page's links are relative to /docs, so that it works behind a proxy under any path.
  app.get('/docs/', (_request, reply) => reply.redirect('../docs', 308));
  for (const [name, { folder, type }] of Object.entries(FILES)) {
    app.get(`/docs/${name}`, (_request, reply) =>
      reply
        .headers(CACHED)
        .type(type)
        .send(createReadStream(new URL(name, folder))),
    );
  }
}

function contentSecurityPolicy(apiOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${apiOrigin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
