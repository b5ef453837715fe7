// Webhooks of the account: endpoints that get the events of all records, of those with given labels, or of a list.
import type { CallOptions, ChangeOptions } from '../http/options.ts';
import { type Pages, pagesOf } from '../http/pages.ts';
import type { Transport } from '../http/transport.ts';
import type {
  AccountWebhook,
  BodyOf,
  ConditionPreview,
  CreatedAccountWebhook,
  Delivery,
  ListQuery,
  Recovery,
} from '../models.ts';

export class AccountWebhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The account’s webhooks. */
  list(query: ListQuery<'listAccountWebhooks'> = {}, options?: CallOptions): Pages<AccountWebhook> {
    return pagesOf(
      (cursor) => this.#transport.call('get', '/v1/webhooks', { query: { ...query, ...cursor } }, options),
      ({ webhooks }) => webhooks,
    );
  }

  /** Sends the events of the chosen records to an endpoint. Only this answer shows the secret. */
  create(body: BodyOf<'createAccountWebhook'>, options?: ChangeOptions): Promise<CreatedAccountWebhook> {
    const sent = { body };
    // The check for the secret makes it the narrower type.
    return this.#transport.callForSecret(
      'post',
      '/v1/webhooks',
      sent,
      'secret',
      options,
    ) as Promise<CreatedAccountWebhook>;
  }

  /** One webhook. */
  get(webhookId: string, options?: CallOptions): Promise<AccountWebhook> {
    return this.#transport.call('get', '/v1/webhooks/{webhookId}', { path: { webhookId } }, options);
  }

  /** Changes a webhook, enables or disables it. */
  update(
    webhookId: string,
    body: BodyOf<'updateAccountWebhook'>,
    options?: CallOptions,
  ): Promise<AccountWebhook> {
    return this.#transport.call('patch', '/v1/webhooks/{webhookId}', { path: { webhookId }, body }, options);
  }

  /** Deletes a webhook with its deliveries. */
  delete(webhookId: string, options?: CallOptions): Promise<void> {
    return this.#transport.call('delete', '/v1/webhooks/{webhookId}', { path: { webhookId } }, options);
  }

  /** Makes a new secret, or sets one. The previous one works for 24 hours more. */
  rotateSecret(
    webhookId: string,
    body: BodyOf<'rotateAccountWebhookSecret'> = {},
    options?: ChangeOptions,
  ): Promise<CreatedAccountWebhook> {
    const sent = { path: { webhookId }, body };
    // The check for the secret makes it the narrower type.
    return this.#transport.callForSecret(
      'post',
      '/v1/webhooks/{webhookId}/rotate-secret',
      sent,
      'secret',
      options,
    ) as Promise<CreatedAccountWebhook>;
  }

  /** Sends an example. With `waitSeconds`, the answer has the attempt. */
  test(
    webhookId: string,
    body: BodyOf<'testAccountWebhook'> = {},
    options?: ChangeOptions,
  ): Promise<Delivery> {
    return this.#transport.call(
      'post',
      '/v1/webhooks/{webhookId}/test',
      { path: { webhookId }, body },
      options,
    );
  }

  /** Sends what a webhook has missed. */
  recover(
    webhookId: string,
    body: BodyOf<'recoverAccountWebhook'>,
    options?: ChangeOptions,
  ): Promise<Recovery> {
    return this.#transport.call(
      'post',
      '/v1/webhooks/{webhookId}/recover',
      { path: { webhookId }, body },
      options,
    );
  }

  /** How often a webhook with these settings would have been called in the last 30 days. */
  previewCondition(
    body: BodyOf<'previewAccountCondition'> = {},
    options?: ChangeOptions,
  ): Promise<ConditionPreview> {
    return this.#transport.call('post', '/v1/webhooks/preview/condition', { body }, options);
  }

  /** What was sent, and what waits. */
  deliveries(
    webhookId: string,
    query: ListQuery<'listAccountDeliveries'> = {},
    options?: CallOptions,
  ): Pages<Delivery> {
    return pagesOf(
      (cursor) =>
        this.#transport.call(
          'get',
          '/v1/webhooks/{webhookId}/deliveries',
          { path: { webhookId }, query: { ...query, ...cursor } },
          options,
        ),
      ({ deliveries }) => deliveries,
    );
  }

  /** One delivery, with its body and what the endpoint answered. */
  delivery(webhookId: string, deliveryId: string, options?: CallOptions): Promise<Delivery> {
    return this.#transport.call(
      'get',
      '/v1/webhooks/{webhookId}/deliveries/{deliveryId}',
      { path: { webhookId, deliveryId } },
      options,
    );
  }

  /** Sends a delivery again. */
  redeliver(webhookId: string, deliveryId: string, options?: ChangeOptions): Promise<Delivery> {
    return this.#transport.call(
      'post',
      '/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
      { path: { webhookId, deliveryId } },
      options,
    );
  }
}
