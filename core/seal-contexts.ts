// The places that sealed secrets belong to: sealing and opening must name the same one.
import type { SealContext } from './crypto/envelope.ts';

export function webhookSecretContext(accountId: string, webhookId: string): SealContext {
  return { accountId, table: 'webhooks', id: webhookId, field: 'secret', origin: '' };
}

/** @param origin scheme://host:port: what is sealed for one origin cannot be opened for another */
export function sourceCredentialsContext(accountId: string, recordId: string, origin: string): SealContext {
  return { accountId, table: 'source_credentials', id: recordId, field: 'sealed', origin };
}
