// The search for secrets finds each form. A search that misses one would make its test worthless.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findSecrets, formsOf } from './secret-forms.ts';

const MARK = 'Canary4d1f0c';
const KEK = randomBytes(32);

describe('the search', () => {
  const secret = `ü "${MARK}-searched\\%/+=&?#<> 密\u{1F511}`;
  const base64 = (before: string) => Buffer.from(`${before}${secret} after`).toString('base64');

  it.each<[string, string]>([
    ['as it is', secret],
    ['in JSON', JSON.stringify({ secret })],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ secret }))],
    ['in a URL', `https://example.com/?a=${encodeURIComponent(secret)}`],
    ['in a form', new URLSearchParams({ secret }).toString()],
    ['in hex', Buffer.from(secret).toString('hex')],
    ['in base64', base64('')],
    ['in base64 after one byte', base64('1')],
    ['in base64 after two bytes', base64('12')],
    ['in base64url', Buffer.from(`12${secret}`).toString('base64url')],
    ['in base64 in a URL', encodeURIComponent(base64(':'))],
  ])('finds it %s', (_form, text) => {
    expect(findSecrets(`before ${text} after`, [secret])).not.toEqual([]);
    expect(findSecrets(`before ${text} after`, [MARK])).not.toEqual([]);
  });

  it('finds bytes, and nothing in texts without them', () => {
    expect(formsOf(KEK)).toContain(KEK.toString('hex'));
    expect(findSecrets(`x ${KEK.toString('base64')}`, [KEK])).not.toEqual([]);
    expect(findSecrets('innocent', [MARK, KEK, secret])).toEqual([]);
  });
});
