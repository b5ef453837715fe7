// Tokens of download links, which callers can neither create nor change.
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { type DownloadGrant, openDownload, sealDownload } from '../../../core/crypto/download-token.ts';

const keks = new Map([['new', randomBytes(32)]]);
const grant: DownloadGrant = {
  snapshotId: 'snap_0199c1e2f3a47c5d9e8f7a6b5c4d3e2f',
  format: 'csv',
  escape: 'spreadsheet',
  selection: null,
  credentialId: 'key_0199c1e2f3a47c5d9e8f7a6b5c4d3e2f',
  expiresAtMs: 1_772_442_930_000,
};

it('returns its content, in characters that need no escaping in a URL', () => {
  const token = sealDownload(keks, grant);
  expect(token).toMatch(/^[\w-]{100,300}$/);
  expect(openDownload(keks, token)).toEqual(grant);
});

it('is refused when a character is changed, removed or added', () => {
  const token = sealDownload(keks, grant);
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'A' ? 'B' : 'A';
    expect(openDownload(keks, token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
  }
  for (const wrong of ['', token.slice(1), token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`]) {
    expect(openDownload(keks, wrong)).toBeUndefined();
  }
});

it('survives a rotation of the key, and not its removal', () => {
  const token = sealDownload(keks, grant);
  const newer = ['newer', randomBytes(32)] as const;
  expect(openDownload(new Map([newer, ...keks]), token)).toEqual(grant);
  expect(openDownload(new Map([newer]), token)).toBeUndefined();
});

it('cannot be made without a key', () => {
  expect(() => sealDownload(new Map(), grant)).toThrow('KEY_ENCRYPTION_KEYS');
});
