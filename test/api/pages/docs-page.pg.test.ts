import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { API_ERRORS } from '../../../core/errors.ts';
import { useApi } from '../../support/api/api.ts';

const api = useApi();
const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('/docs/errors', () => {
  it('is the original Markdown, unless a browser asks', async () => {
    const { headers, body } = await api.app.inject('/docs/errors');
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(headers['vary']).toContain('Accept');
    expect(body).toBe(readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8'));
  });

  it('has a heading for each code that a problem document may link to', async () => {
    const { headers, body } = await api.app.inject({ url: '/docs/errors', headers: { accept } });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(API_ERRORS)));
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of body.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  it('shows no Markdown, and loads the style next to it', async () => {
    const { headers, body } = await api.app.inject({ url: '/docs/errors', headers: { accept } });
    const words = body.replaceAll(/<pre>[\s\S]*?<\/pre>/g, '');
    expect(words).not.toMatch(/`|\*\*|\]\(|\n#|\n- /);
    expect(words).toContain('<strong>Cause:</strong>');
    expect(body).toContain('href="page.css"');
    expect((await api.app.inject('/docs/page.css')).statusCode).toBe(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'self';");
  });
});

describe('a visitor without a credential', () => {
  it('is told where the reference is, or redirected there in a browser', async () => {
    const { statusCode, headers, body } = await api.app.inject('/');
    expect(statusCode).toBe(302);
    expect(headers.location).toBe('docs');
    const { mcp = '', dashboard = '', ...pages } = JSON.parse(body) as Record<string, string>;
    expect(new URL(dashboard).pathname).toBe('/dashboard/');
    expect(Object.keys(pages)).toEqual(['docs', 'openapi', 'errors']);
    for (const url of Object.values(pages)) {
      expect((await api.app.inject(new URL(url).pathname)).statusCode).toBe(200);
    }
    const { headers: refusal } = await api.app.inject(new URL(mcp).pathname);
    expect(refusal['allow']).toBe('POST');
  });

  it('can reach the reference with a trailing slash too', async () => {
    const { statusCode, headers } = await api.app.inject('/docs/');
    expect([statusCode, headers.location]).toEqual([308, '../docs']);
  });

  it('is sent to the reference from any unknown path', async () => {
    const { statusCode, body } = await api.app.inject('/v1/records');
    expect(statusCode).toBe(404);
    expect(JSON.parse(body).detail).toMatch(/^There is no such path\. http\S+\/docs lists /);
  });
});
