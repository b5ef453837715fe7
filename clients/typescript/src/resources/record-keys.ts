// API keys of one record.
import type { CallOptions, ChangeOptions } from '../http/options.ts';
import { type Pages, pagesOf } from '../http/pages.ts';
import type { Transport } from '../http/transport.ts';
import type { ApiKey, BodyOf, CreatedApiKey, ListQuery } from '../models.ts';

export class RecordKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A record’s keys. */
  list(record: string, query: ListQuery<'listRecordApiKeys'> = {}, options?: CallOptions): Pages<ApiKey> {
    return pagesOf(
      (cursor) =>
        this.#transport.call(
          'get',
          '/v1/sources/{id}/apikeys',
          { path: { id: record }, query: { ...query, ...cursor } },
          options,
        ),
      ({ apiKeys }) => apiKeys,
    );
  }

  /** Creates a key for one record. Only this answer shows it. */
  create(
    record: string,
    body: BodyOf<'createRecordApiKey'>,
    options?: ChangeOptions,
  ): Promise<CreatedApiKey> {
    const sent = { path: { id: record }, body };
    // The check for the secret makes it the narrower type.
    return this.#transport.callForSecret(
      'post',
      '/v1/sources/{id}/apikeys',
      sent,
      'key',
      options,
    ) as Promise<CreatedApiKey>;
  }

  /** Revokes a key at once, and forever. */
  revoke(record: string, keyId: string, options?: CallOptions): Promise<void> {
    return this.#transport.call(
      'delete',
      '/v1/sources/{id}/apikeys/{keyId}',
      { path: { id: record, keyId } },
      options,
    );
  }
}
