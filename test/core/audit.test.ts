// What the audit log shows of changed settings.
import { expect, it } from 'vitest';
import { changesBetween } from '../../core/audit.ts';

const shown = (url: string): unknown => changesBetween({ url: '' }, { url })[0]?.after;

it('regression: leaves out the secret parts of a URL, whatever surrounds it', () => {
  for (const space of ['', ' ', '\t', '\n', '\u0000']) {
    expect(shown(`${space}HTTPS://user:password@hooks.example.com/services/SECRET?key=SECRET`)).toBe(
      'https://hooks.example.com/…',
    );
  }
  expect(shown(' https://hooks.example.com')).toBe('https://hooks.example.com');
});

it('shows other values as they are', () => {
  expect(shown('mailto:someone@example.com')).toBe('mailto:someone@example.com');
  expect(shown('no URL')).toBe('no URL');
});
