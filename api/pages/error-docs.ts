// docs/errors.md as a page, with a place for each code. It reads the Markdown that is written there, and no more of it.
import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';

/** An HTML document whose stylesheet lies beside it. @param markdown text of ours, no caller's */
function errorPage(markdown: string): string {
  const placeOf = placesOf();
  const blocks = markdown.trim().split(/\n{2,}(?!\s)/);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Recordwatch errors</title>
    <link rel="stylesheet" href="page.css" />
  </head>
  <body>
    <main>
${blocks.map((block) => blockOf(block, placeOf)).join('\n')}
    </main>
  </body>
</html>
`;
}

function blockOf(block: string, placeOf: (heading: string) => string): string {
  const [, marks, heading] = /^(#{1,3}) (.+)$/.exec(block) ?? [];
  if (marks !== undefined && heading !== undefined) {
    const level = `h${marks.length}`;
    return `<${level} id="${placeOf(heading)}">${inline(heading)}</${level}>`;
  }
  const [, code] = /^```\w*\n([\s\S]*)\n```$/.exec(block) ?? [];
  if (code !== undefined) return `<pre>${escaped(code)}</pre>`;
  if (!block.startsWith('- ')) return `<p>${inline(block)}</p>`;
  const items = block.slice(2).split('\n- ');
  return `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`;
}

/** As elsewhere on the web: the first heading has its own name, the next one of that name a number. */
function placesOf(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const name = heading.toLowerCase().replaceAll(' ', '-');
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  };
}

/** Every other part of a text that is split at backticks is code. */
function inline(text: string): string {
  return escaped(text)
    .split('`')
    .map((part, n) => (n % 2 === 1 ? `<code>${part}</code>` : part))
    .join('')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

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
