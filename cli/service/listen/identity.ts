// What receivers know `listen` by: a webhook's id and a signing secret. They stay the same from run to run.
import { randomUUID } from 'node:crypto';
import { generateWebhookSecret, webhookSigningKey } from '../../../core/crypto/webhook-signature.ts';
import { isId, makeId } from '../../../core/ids.ts';
import { configFile, readOwn, writeOwn } from '../access/credentials.ts';

export interface ListenIdentity {
  webhookId: string;
  secret: string;
}

/** Made at the first call, and kept in a file that only the user may read. */
export function keepIdentity(): ListenIdentity {
  const path = configFile('listen.json');
  const { webhookId, secret } = readOwn(path) ?? {};
  if (typeof webhookId === 'string' && isId('webhook', webhookId) && isSecret(secret)) {
    return { webhookId, secret };
  }
  const made = {
    webhookId: makeId('webhook', Date.now(), randomUUID()),
    secret: generateWebhookSecret(),
  };
  writeOwn(path, made);
  return made;
}

function isSecret(text: unknown): text is string {
  try {
    return typeof text === 'string' && webhookSigningKey(text).length > 0;
  } catch {
    return false;
  }
}
