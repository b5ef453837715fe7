import { expect, it } from 'vitest';
import { recordSummary } from '../../core/record-summary.ts';

it('contains the slug and the host, and nothing of a URL that may be a credential', () => {
  const url = 'https://ada:pa55@data.example:8443/secret-link/prices.csv?token=t0ken#part';
  expect(recordSummary({ slug: 'prices', url })).toBe('prices at data.example:8443');
  expect(recordSummary({ slug: 'a', url: 'https://*b*.example' })).toBe(String.raw`a at \*b\*.example`);
});

it('is no longer than Temporal allows', () => {
  const url = `https://${'a.'.repeat(120)}example/`;
  expect(Buffer.byteLength(recordSummary({ slug: 's'.repeat(64), url }))).toBe(190);
});
