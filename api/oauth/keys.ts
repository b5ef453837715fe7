// Keys of the authorization server, derived from the key-encryption keys. They are the same in every process and stored
// nowhere.
import { createECDH, hkdfSync } from 'node:crypto';
import type { JWK } from 'oidc-provider';
import type { KeyEncryptionKeys } from '../../core/crypto/envelope.ts';

const PURPOSE = 'oauth v1';

/** The first one signs cookies, all of them verify. */
export const cookieKeys = (keks: KeyEncryptionKeys): string[] =>
  Array.from(keks.values(), (kek) => derive(kek, `${PURPOSE}, cookies`).toString('base64url'));

/** The library requires a signing key. No ID tokens are issued and access tokens are opaque, so it signs nothing. */
export function signingKeys(keks: KeyEncryptionKeys): JWK[] {
  const [kek] = keks.values();
  if (kek === undefined) throw new Error('No key-encryption key is set (KEY_ENCRYPTION_KEYS)');
  const curve = createECDH('prime256v1');
  const secret = derive(kek, `${PURPOSE}, signing`);
  curve.setPrivateKey(secret);
  // Uncompressed: 04, then both coordinates (SEC 1, 2.3.3).
  const point = curve.getPublicKey();
  return [
    {
      kty: 'EC',
      crv: 'P-256',
      use: 'sig',
      alg: 'ES256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: secret.toString('base64url'),
    },
  ];
}

const derive = (kek: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', kek, '', purpose, 32));
