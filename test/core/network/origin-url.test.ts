// URLs of users: hostile ones are refused with an explanation, good ones are normalised.
import { describe, expect, it } from 'vitest';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import { checkUrl, MAX_URL_LENGTH } from '../../../core/network/origin-url.ts';
import { HOSTILE_HOSTS, HOSTILE_URLS } from './hostile-urls.ts';

const LOOPBACK = parseAllowedNetworks(['127.0.0.0/8', '::1/128']);

function href(text: string, allowed = parseAllowedNetworks([])): string | undefined {
  const verdict = checkUrl(text, allowed);
  return 'url' in verdict ? verdict.url.href : undefined;
}

function detail(text: string, allowed = parseAllowedNetworks([])): string | undefined {
  const verdict = checkUrl(text, allowed);
  return 'error' in verdict ? verdict.error.detail : undefined;
}

describe('hostile URLs', () => {
  it('are at least 150', () => {
    expect(HOSTILE_HOSTS.length + HOSTILE_URLS.length).toBeGreaterThanOrEqual(150);
  });

  it.each(HOSTILE_HOSTS)('%s: http://%s/ is refused', (_kind, host) => {
    expect(checkUrl(`http://${host}/feed.csv`, [])).toMatchObject({ error: { code: 'url_not_allowed' } });
    expect(checkUrl(`https://${host}:8443/`, [])).toMatchObject({ error: { code: 'url_not_allowed' } });
  });

  it.each(HOSTILE_URLS)('%j is refused', (text) => {
    expect(checkUrl(text, [])).toMatchObject({ error: { code: 'url_not_allowed' } });
  });
});

describe('good URLs', () => {
  it.each([
    ['https://example.com/data.csv', 'https://example.com/data.csv'],
    ['HTTPS://Example.COM:443', 'https://example.com/'],
    ['http://example.com:8080/a?b=c#fragment', 'http://example.com:8080/a?b=c'],
    ['http://example.com:80/a/../b', 'http://example.com/b'],
    ['https://example.com./x', 'https://example.com./x'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
    ['https://8.8.8.8/x', 'https://8.8.8.8/x'],
    ['https://[2606:4700::1111]:8443/', 'https://[2606:4700::1111]:8443/'],
    ['http://[::ffff:8.8.8.8]/', 'http://[::ffff:808:808]/'],
    ['http://example.com:3000/', 'http://example.com:3000/'],
    ['https://example.com/a b', 'https://example.com/a%20b'],
    ['https://exam\nple.com/', 'https://example.com/'],
    ['https://example.com/?token=a%2Fb&x=@', 'https://example.com/?token=a%2Fb&x=@'],
    ['https://notlocalhost.com/', 'https://notlocalhost.com/'],
    ['https://internal.example.com/', 'https://internal.example.com/'],
  ])('%s becomes %s', (given, normalised) => {
    expect(href(given)).toBe(normalised);
  });

  it('may be as long as the limit, before and after normalising', () => {
    const base = 'https://example.com/';
    expect(href(base + 'a'.repeat(MAX_URL_LENGTH - base.length))).toBeDefined();
    expect(detail(base + 'a'.repeat(MAX_URL_LENGTH - base.length + 1))).toContain('at most 2048');
    expect(detail(base + 'ü'.repeat(1_000))).toContain('at most 2048');
  });
});

describe('the message of a refusal', () => {
  it.each([
    ['nonsense', 'complete URL'],
    ['ftp://example.com/', 'begins with http:// or https://'],
    ['https://ann:s3cret@example.com/', 'user name and password'],
    ['http://10.0.0.1/', 'public internet'],
    ['http://example.com:5432/', 'port'],
  ])('%s: %s', (text, words) => {
    expect(detail(text)).toContain(words);
    expect(detail(text)).not.toContain('s3cret');
  });
});

describe('networks that the operator allows', () => {
  it.each([
    'http://127.0.0.1:5432/',
    'http://localhost:39123/x',
    'http://localhost:25/',
    'http://[::1]:9/',
    'http://db:80/',
  ])('open %s, whatever its port', (text) => {
    expect(href(text, LOOPBACK)).toBeDefined();
  });

  it.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/',
    'http://example.com:5432/',
    'http://u:p@127.0.0.1/',
  ])('do not open %s', (text) => {
    expect(href(text, LOOPBACK)).toBeUndefined();
  });

  it('open localhost only if they include loopback', () => {
    const tens = parseAllowedNetworks(['10.0.0.0/8']);
    expect(href('http://localhost/', tens)).toBeUndefined();
    expect(href('http://wiki.internal/', tens)).toBe('http://wiki.internal/');
  });
});
