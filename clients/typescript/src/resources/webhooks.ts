// Webhooks of a record: endpoints that get its events.
import type { CallOptions, ChangeOptions } from '../http/options.ts';
import { type Pages, pagesOf } from '../http/pages.ts';
import type { Transport } from '../http/transport.ts';
import type { BodyOf, CreatedWebhook, Delivery, ListQuery, Recovery, Webhook } from '../models.ts';

export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A record’s webhooks. */
  list(record: string, query: ListQuery<'listWebhooks'> = {}, options?: CallOptions): Pages<Webhook> {
    return pagesOf(
      (cursor) =>
        this.#transport.call(
          'get',
          '/v1/sources/{id}/webhooks',
          { path: { id: record }, query: { ...query, ...cursor } },
          options,
        ),
      ({ webhooks }) => webhooks,
    );
  }

  /** Sends a record’s changes to an endpoint. Only this answer shows the secret. */
  create(record: string, body: BodyOf<'createWebhook'>, options?: ChangeOptions): Promise<CreatedWebhook> {
    const sent = { path: { id: record }, body };
    // The check for the secret makes it the narrower type.
    return this.#transport.callForSecret(
      'post',
      '/v1/sources/{id}/webhooks',
      sent,
      'secret',
      options,
    ) as Promise<CreatedWebhook>;
  }

  /** One webhook. */
  get(record: string, webhookId: string, options?: CallOptions): Promise<Webhook> {
    return this.#transport.call(
      'get',
      '/v1/sources/{id}/webhooks/{webhookId}',
      { path: { id: record, webhookId } },
      options,
    );
  }

  /** Changes a webhook, enables or disables it. */
  update(
    record: string,
    webhookId: string,
    body: BodyOf<'updateWebhook'>,
    options?: CallOptions,
  ): Promise<Webhook> {
    return this.#transport.call(
      'patch',
      '/v1/sources/{id}/webhooks/{webhookId}',
      { path: { id: record, webhookId }, body },
      options,
    );
  }

  /** Deletes a webhook with its deliveries. */
  delete(record: string, webhookId: string, options?: CallOptions): Promise<void> {
    return this.#transport.call(
      'delete',
      '/v1/sources/{id}/webhooks/{webhookId}',
      { path: { id: record, webhookId } },
      options,
    );
  }

  /** Makes a new secret, or sets one. The previous one works for 24 hours more. */
  rotateSecret(
    record: string,
    webhookId: string,
    body: BodyOf<'rotateWebhookSecret'> = {},
    options?: ChangeOptions,
  ): Promise<CreatedWebhook> {
    const sent = { path: { id: record, webhookId }, body };
    // The check for the secret makes it the narrower type.
    return this.#transport.callForSecret(
      'post',
      '/v1/sources/{id}/webhooks/{webhookId}/rotate-secret',
      sent,
      'secret',
      options,
    ) as Promise<CreatedWebhook>;
  }

  /** Sends an example. With `waitSeconds`, the answer has the attempt. */
  test(
    record: string,
    webhookId: string,
    body: BodyOf<'testWebhook'> = {},
    options?: ChangeOptions,
  ): Promise<Delivery> {
    return this.#transport.call(
      'post',
      '/v1/sources/{id}/webhooks/{webhookId}/test',
      { path: { id: record, webhookId }, body },
      options,
    );
  }

  /** Sends what a webhook has missed. */
  recover(
    record: string,
    webhookId: string,
    body: BodyOf<'recoverWebhook'>,
    options?: ChangeOptions,
  ): Promise<Recovery> {
    return this.#transport.call(
      'post',
      '/v1/sources/{id}/webhooks/{webhookId}/recover',
      { path: { id: record, webhookId }, body },
      options,
    );
  }

  /** What was sent, and what waits. */
  deliveries(
    record: string,
    webhookId: string,
    query: ListQuery<'listDeliveries'> = {},
    options?: CallOptions,
  ): Pages<Delivery> {
    return pagesOf(
      (cursor) =>
        this.#transport.call(
          'get',
          '/v1/sources/{id}/webhooks/{webhookId}/deliveries',
          { path: { id: record, webhookId }, query: { ...query, ...cursor } },
          options,
        ),
      ({ deliveries }) => deliveries,
    );
  }

  /** One delivery, with its body and what the endpoint answered. */
  delivery(record: string, webhookId: string, deliveryId: string, options?: CallOptions): Promise<Delivery> {
    return this.#transport.call(
      'get',
      '/v1/sources/{id}/webhooks/{webhookId}/deliveries/{deliveryId}',
      { path: { id: record, webhookId, deliveryId } },
      options,
    );
  }

  /** Sends a delivery again. */
  redeliver(
    record: string,
    webhookId: string,
    deliveryId: string,
    options?: ChangeOptions,
  ): Promise<Delivery> {
    return this.#transport.call(
      'post',
      '/v1/sources/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
      { path: { id: record, webhookId, deliveryId } },
      options,
    );
  }
}
