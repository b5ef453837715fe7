// Serves the dashboard under /dashboard/: its built files and its one page. The dashboard calls the API like any other
// client.
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { join, sep } from 'node:path';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../core/config.ts';
import { smallestIntervalSeconds } from '../../core/tiers.ts';

/** The names of these files change with their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Browsers revalidate these each time, usually with a 304. */
const ASKED_EACH_TIME = 'public, no-cache';

/** Paths of pages have no dot in the last part, so such a path is a file or does not exist. Dotfiles do not match. */
const isFileName = (path: string): boolean => /^[\w-]+(\.[\w-]+)+$/.test(path);

/**
 * Serves the files in assets/, and lets replies send files from its parent folder.
 * @param folder may be created later
 */
async function registerFiles(app: FastifyInstance, folder: string): Promise<void> {
  const assets = join(folder, 'assets', sep);
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    suppressWarning: true,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'ignore',
    index: false,
    setHeaders: (reply, path) => {
      void reply.header('cache-control', path.startsWith(assets) ? FOR_EVER : ASKED_EACH_TIME);
    },
  });
  app.get<{ Params: { '*': string } }>('/assets/*', ({ params }, reply) =>
    isFileName(params['*']) ? reply.sendFile(`assets/${params['*']}`) : reply.callNotFound(),
  );
}

export const PAGE_FILE = 'index.html';
/** Placeholder in the page for the nonce of each response. */
const NONCE_PLACEHOLDER = 'STYLE_NONCE';

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Recordwatch</title>
<h1>The dashboard is not built</h1>
<p>Run <code>npm run build</code> where the service is installed, then load this page again.</p>
<p>The API works without it: see <a href="/docs">its reference</a>.</p>
</html>
`;

/**
 * Sends the page, or instructions to build it.
 * @param folder of the built files
 */
async function sendPage(reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const html = await readPage(folder);
  void reply.type('text/html; charset=utf-8').header('cache-control', 'no-store');
  if (html === undefined) return reply.code(503).send(NOT_BUILT);
  const nonce = randomBytes(18).toString('base64');
  return reply
    .headers({
      'content-security-policy': contentSecurityPolicy(nonce),
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(html.replaceAll(NONCE_PLACEHOLDER, nonce));
}

/** Read for each request, so that a new build is served without a restart. */
async function readPage(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, PAGE_FILE), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Allows only our own files. The nonce is for the theme's variables, which are in a style element. */
const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');

/** Where `npm run build` puts it. */
export const BUILT_DASHBOARD = fileURLToPath(new URL('../../dashboard/dist/', import.meta.url));

/** @param folder of the built files; it may be created or replaced later */
export function registerDashboard(app: FastifyInstance, config: Config, folder: string): void {
  // Relative, so that it works behind a proxy under any path.
  app.get('/dashboard', (_request, reply) => reply.redirect('dashboard/', 308));
  void app.register(
    async (dashboard) => {
      await registerFiles(dashboard, folder);
      dashboard.get('/settings.json', (_request, reply) => reply.send(settingsOf(config)));
      dashboard.get<{ Params: { '*': string } }>('/*', ({ params: { '*': path } }, reply) =>
        isFileName(path) && path !== PAGE_FILE ? reply.sendFile(path) : sendPage(reply, folder),
      );
    },
    { prefix: '/dashboard' },
  );
}

/** Facts about this installation that the page needs. They are public. */
function settingsOf({ baseUrl, minCheckSeconds, upgradeUrl, smtpUrl }: Config) {
  return {
    baseUrl,
    upgradeUrl: upgradeUrl === '' ? null : upgradeUrl,
    sendsMails: smtpUrl !== '',
    smallestIntervalSeconds: {
      anonymous: smallestIntervalSeconds('anonymous', minCheckSeconds),
      free: smallestIntervalSeconds('free', minCheckSeconds),
      watch: smallestIntervalSeconds('watch', minCheckSeconds),
      max: smallestIntervalSeconds('max', minCheckSeconds),
    },
  };
}
