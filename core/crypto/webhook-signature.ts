// Signs deliveries after Standard Webhooks 1.0.0, symmetric (v1). Does not use the official package, which hashes in JavaScript
// and would block the event loop for milliseconds with a large body.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;
const MAX_TEXT_BYTES = 512;

/** A new secret: `whsec_` and base64 of 32 random bytes. */
export function generateWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(32).toString('base64');
}

/**
 * The signing key of a secret: after `whsec_` base64 of 24 to 64 bytes; any other text is used as UTF-8 bytes.
 * @throws Error that says what is expected, without the secret
 */
export function webhookSigningKey(secret: string): Uint8Array {
  if (!secret.startsWith(SECRET_PREFIX)) {
    const key = Buffer.from(secret);
    if (key.length > 0 && key.length <= MAX_TEXT_BYTES && secret.isWellFormed()) return key;
    throw new Error(`A secret has 1 to ${MAX_TEXT_BYTES} bytes of text.`);
  }
  const encoded = secret.slice(SECRET_PREFIX.length);
  const key = Buffer.from(encoded, 'base64');
  const isBase64 = unpadded(key.toString('base64')) === unpadded(encoded);
  if (isBase64 && key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES) return key;
  throw new Error(
    `A secret that begins with whsec_ continues with base64 of ${MIN_KEY_BYTES} to ${MAX_KEY_BYTES} bytes.`,
  );
}

const unpadded = (base64: string): string => base64.replace(/(?<!=)=+$/, '');

export interface WebhookMessage {
  /** Id of the delivery, which is the same for every attempt. */
  id: string;
  /** Time of this attempt, in milliseconds since the epoch. */
  timeMs: number;
  /** The body, exactly as it is sent. */
  body: string;
  /** One secret, or during a rotation the new and the old one. Receivers accept either. */
  secrets: readonly string[];
}

/** The three headers of a signed attempt. */
export function signWebhook({ id, timeMs, body, secrets }: WebhookMessage) {
  if (secrets.length === 0) throw new Error('A delivery is signed with at least one secret');
  const timestamp = String(Math.floor(timeMs / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => {
    // Five times as fast as a key as bytes.
    const key = createSecretKey(webhookSigningKey(secret));
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
