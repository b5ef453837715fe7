// The webhook pages' queries and mutations.
import { type QueryFilters, useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../../client/answer-of.ts';
import { useApiClient, useApiQueries } from '../../../client/api-provider.tsx';
import type { components } from '../../../client/schema.ts';
import type { DeliveryStatus, EventType, Webhook } from './webhook-model.ts';

type Schemas = components['schemas'];

const REFRESH_MS = 5_000;
/** Marks a deletion. While it runs, no query asks for the deleted webhook. */
export const DELETION = ['delete-webhook'];
/** How long a test or a redelivery is waited for. The endpoint has 15 seconds. */
const PREFER = { Prefer: 'wait=20' };

export interface WebhookPath {
  /** The record. */
  id: string;
  webhookId: string;
}

export function useWebhooks(ref: string) {
  const params = { path: { id: ref }, query: { limit: 50 } };
  const options = { refetchInterval: REFRESH_MS };
  return useQuery(useApiQueries().queryOptions('get', '/v1/sources/{id}/webhooks', { params }, options));
}

const useRefreshing = () => ({
  refetchInterval: useIsMutating({ mutationKey: DELETION }) === 0 && REFRESH_MS,
});

export function useWebhook(path: WebhookPath) {
  const options = useRefreshing();
  return useQuery(
    useApiQueries().queryOptions(
      'get',
      '/v1/sources/{id}/webhooks/{webhookId}',
      { params: { path } },
      options,
    ),
  );
}

interface DeliveryPage {
  status: DeliveryStatus | undefined;
  cursor: string | undefined;
}

export function useDeliveries(path: WebhookPath, { status, cursor }: DeliveryPage) {
  const query = { limit: 25, ...(status && { status }), ...(cursor !== undefined && { cursor }) };
  const options = useRefreshing();
  return useQuery(
    useApiQueries().queryOptions(
      'get',
      '/v1/sources/{id}/webhooks/{webhookId}/deliveries',
      { params: { path, query } },
      options,
    ),
  );
}

export function useDelivery(path: WebhookPath, deliveryId: string) {
  const options = useRefreshing();
  return useQuery(
    useApiQueries().queryOptions(
      'get',
      '/v1/sources/{id}/webhooks/{webhookId}/deliveries/{deliveryId}',
      { params: { path: { ...path, deliveryId } } },
      options,
    ),
  );
}

/** The mutations of one webhook. */
export function useWebhookDeeds(path: WebhookPath) {
  const api = useApiClient();
  const params = { path };
  return {
    change: (body: Schemas['UpdateWebhookRequest']) =>
      answerOf(api.PATCH('/v1/sources/{id}/webhooks/{webhookId}', { params, body })),
    remove: () => api.DELETE('/v1/sources/{id}/webhooks/{webhookId}', { params }),
    rotate: (body: Schemas['RotateWebhookSecretRequest']) =>
      answerOf(api.POST('/v1/sources/{id}/webhooks/{webhookId}/rotate-secret', { params, body })),
    test: (eventType: EventType) =>
      answerOf(
        api.POST('/v1/sources/{id}/webhooks/{webhookId}/test', {
          params: { path, header: PREFER },
          body: { eventType },
        }),
      ),
    recover: (body: Schemas['RecoverWebhookRequest']) =>
      answerOf(api.POST('/v1/sources/{id}/webhooks/{webhookId}/recover', { params, body })),
    redeliver: (deliveryId: string) =>
      answerOf(
        api.POST('/v1/sources/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', {
          params: { path: { ...path, deliveryId }, header: PREFER },
        }),
      ),
  };
}

const LIST = '/v1/sources/{id}/webhooks';
const ABOUT_WEBHOOKS: QueryFilters = {
  predicate: ({ queryKey: [, path] }) => typeof path === 'string' && path.startsWith(LIST),
};

/** Reloads everything about webhooks. */
export function useRefreshWebhooks() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries(ABOUT_WEBHOOKS);
}

/** Reloads only the list of webhooks, when it is shown. */
export function useRefreshList() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ predicate: ({ queryKey: [, path] }) => path === LIST });
}

/** Cancels running queries about webhooks. */
export function useStopAsking() {
  const queries = useQueryClient();
  return () => queries.cancelQueries(ABOUT_WEBHOOKS);
}

/** The context of each task on this page. */
export interface TaskProps {
  path: WebhookPath;
  webhook: Webhook;
  onClose: () => void;
}
