// Serves docs/errors.md, where the `type` of every problem document points: as a page to browsers, as Markdown to other
// clients.
import type { FastifyInstance } from 'fastify';
import { Marked } from 'marked';
import { Negotiator } from 'negotiator';
import { readFileSync } from 'node:fs';

const FILE = new URL('../../docs/errors.md', import.meta.url);
const CSP =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function registerErrorDocs(app: FastifyInstance): void {
  const text = readFileSync(FILE, 'utf8');
  const page = errorPage(text);
  app.get('/docs/errors', (request, reply) => {
    void reply.headers({ 'cache-control': 'public, max-age=3600', vary: 'Accept' });
    const mediaType = new Negotiator(request).mediaType(['text/markdown', 'text/html']);
    return mediaType === 'text/html'
      ? reply.header('content-security-policy', CSP).type('text/html; charset=utf-8').send(page)
      : reply.type('text/markdown; charset=utf-8').send(text);
  });
}

/** An HTML document whose stylesheet is next to it. @param markdown our own text, which may contain HTML */
function errorPage(markdown: string): string {
  const idOf = headingIds();
  const marked = new Marked({
    renderer: {
      heading({ tokens, text, depth }) {
        return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
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
${marked.parse(markdown, { async: false })}
    </main>
  </body>
</html>
`;
}

/** Ids as on GitHub: a repeated heading gets a number. */
function headingIds(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const id = heading.toLowerCase().replaceAll(' ', '-');
    const times = seen.get(id) ?? 0;
    seen.set(id, times + 1);
    return times === 0 ? id : `${id}-${times}`;
  };
}
