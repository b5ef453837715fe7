// Sealing of what signs a webhook's deliveries: for its account and its id, and no other.
import { sealField, unwrapDataKey, webhookSecretContext } from '../../core/crypto/envelope.ts';
import type { Context } from '../contract/context.ts';
import { findOwner } from '../records/seal-credentials.ts';

export async function sealWebhookSecret(
  { db, config }: Pick<Context, 'db' | 'config'>,
  accountId: string,
  webhookId: string,
  secret: string,
): Promise<Buffer> {
  const { wrappedDataKey } = await findOwner(db, accountId);
  const dataKey = unwrapDataKey(config.keyEncryptionKeys, accountId, wrappedDataKey);
  return sealField(dataKey, secret, webhookSecretContext(accountId, webhookId));
}
