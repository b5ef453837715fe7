// API keys of the account.
import type { CallOptions, ChangeOptions } from '../http/options.ts';
import { type Pages, pagesOf } from '../http/pages.ts';
import type { Transport } from '../http/transport.ts';
import type { ApiKey, BodyOf, CreatedApiKey, ListQuery } from '../models.ts';

export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The account’s keys. */
  list(query: ListQuery<'listApiKeys'> = {}, options?: CallOptions): Pages<ApiKey> {
    return pagesOf(
      (cursor) => this.#transport.call('get', '/v1/apikeys', { query: { ...query, ...cursor } }, options),
      ({ apiKeys }) => apiKeys,
    );
  }

  /** Creates a key for all records of the account. Only this answer shows it. */
  create(body: BodyOf<'createApiKey'>, options?: ChangeOptions): Promise<CreatedApiKey> {
    const sent = { body };
    // The check for the secret makes it the narrower type.
    return this.#transport.callForSecret(
      'post',
      '/v1/apikeys',
      sent,
      'key',
      options,
    ) as Promise<CreatedApiKey>;
  }

  /** Revokes a key at once, and forever. */
  revoke(keyId: string, options?: CallOptions): Promise<void> {
    return this.#transport.call('delete', '/v1/apikeys/{keyId}', { path: { keyId } }, options);
  }
}
