// Webhooks that arrive: whether they are genuine, and what they say.
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { RecordwatchError } from '../errors.ts';
import type { WebhookEvent } from '../models.ts';

/** A body is never larger (`maxBodyBytes` of a webhook), with room for the envelope of a CloudEvent. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** The body was not signed with the secret, was changed, or is older than five minutes. */
export class SignatureError extends RecordwatchError {
  override name = 'SignatureError';
  readonly code = 'signature_invalid';
}

export interface ReceivedWebhook {
  /** The same on every attempt: leave out what was handled before. */
  id: string;
  event: WebhookEvent;
}

/** Called for each genuine webhook. When it fails, the service sends the webhook again later. */
export type HandleWebhook = (webhook: ReceivedWebhook) => Promise<void> | void;

export interface ParseOptions {
  /** Reads the JSON of the body. `JSON.parse` by default, which rounds numbers of more than 15 digits. */
  parseJson?: ((text: string) => unknown) | undefined;
}

/**
 * Receivers call it when they are made, so that a missing secret shows before the first webhook.
 * @throws RecordwatchError it is empty, so that anybody could sign, or damaged
 */
export function requireSecret(secret: string): void {
  openSecret(secret);
}

const PREFIX = 'whsec_';
const [MIN_KEY_BYTES, MAX_KEY_BYTES] = [24, 64];

function openSecret(secret: string): Webhook {
  try {
    // A secret without the prefix is used as it is (docs/webhooks.md).
    const isText = !secret.startsWith(PREFIX);
    return new Webhook(isText ? new TextEncoder().encode(secret) : keyOf(secret.slice(PREFIX.length)), {
      format: 'raw',
    });
  } catch (cause) {
    throw new RecordwatchError(
      'The secret of the webhook is missing or damaged. Give all of it, as the service showed it.',
      { cause },
    );
  }
}

/** Unlike the library's decoder, it skips nothing: of a placeholder that would make a key that anybody knows. */
function keyOf(encoded: string): Uint8Array {
  const bytes = atob(encoded);
  const isWhole = unpadded(btoa(bytes)) === unpadded(encoded);
  if (isWhole && bytes.length >= MIN_KEY_BYTES && bytes.length <= MAX_KEY_BYTES) {
    return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
  }
  throw new RangeError(`It is not base64 of ${MIN_KEY_BYTES} to ${MAX_KEY_BYTES} bytes.`);
}

const unpadded = (base64: string): string => base64.replace(/(?<!=)=+$/, '');

type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * @param secret as the service showed it, or as you gave it
 * @param body exactly as it arrived, before any parsing
 * @throws SignatureError it is not genuine @throws RecordwatchError the secret is empty or damaged
 */
export function verifyWebhook(
  secret: string,
  headers: HeadersLike,
  body: string | Uint8Array,
  { parseJson = JSON.parse }: ParseOptions = {},
): ReceivedWebhook {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = {
    'webhook-id': headerOf(headers, 'webhook-id'),
    'webhook-timestamp': headerOf(headers, 'webhook-timestamp'),
    'webhook-signature': headerOf(headers, 'webhook-signature'),
  };
  const webhook = openSecret(secret);
  try {
    webhook.verify(text, signed, { jsonParse: false });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    throw new SignatureError('The signature of the webhook is not valid.', { cause: error });
  }
  const content = parseJson(text) as WebhookEvent | { specversion: string; data: WebhookEvent };
  // With `format: "cloudevents"` the event is in an envelope.
  return { id: signed['webhook-id'], event: 'specversion' in content ? content.data : content };
}

function headerOf(headers: HeadersLike, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return (Array.isArray(value) ? value.join(' ') : (value as string | null | undefined)) ?? '';
}
