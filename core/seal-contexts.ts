// The places that sealed secrets belong to: sealing and opening must name the same one.
import type { SealContext } from './crypto/envelope.ts';

export function webhookSecretContext(accountId: string, webhookId: string): SealContext {
  return { accountId, table: 'webhooks', id: webhookId, field: 'secret', origin: '' };
}
