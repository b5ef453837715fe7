// The one page of the dashboard, whatever the address below /dashboard/: which part of it stands there, the browser finds.
import type { FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const PAGE_FILE = 'index.html';
/** What the page has in place of the nonce of each answer. */
const NONCE_PLACE = 'STYLE_NONCE';

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Recordwatch</title>
<h1>The dashboard is not built</h1>
<p>Run <code>npm run build</code> where the service is installed, then load this page again.</p>
<p>The API needs none: see <a href="/docs">its reference</a>.</p>
</html>
`;

/** Answers with the page, or with how to get one. @param folder of the built files */
export async function sendPage(reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const html = await readPage(folder);
  void reply.type('text/html; charset=utf-8').header('cache-control', 'no-store');
  if (html === undefined) return reply.code(503).send(NOT_BUILT);
  const nonce = randomBytes(18).toString('base64');
  return reply
    .headers({
      'content-security-policy': contentSecurityPolicy(nonce),
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(html.replaceAll(NONCE_PLACE, nonce));
}

/** Read each time: a build while the process runs is seen by whoever loads the page next. */
async function readPage(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, PAGE_FILE), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Files of our own and nothing else; the nonce is for the variables of the theme, which stand in a style element. */
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
