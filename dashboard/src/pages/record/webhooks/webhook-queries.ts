// The webhook pages' queries and mutations, for webhooks of a record and of the account.
import { type QueryFilters, useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../../client/answer-of.ts';
import { useApiClient, useApiQueries } from '../../../client/api-provider.tsx';
import type { components } from '../../../client/schema.ts';
import { useRecordPath } from '../../../parts/record/record-ref.ts';
import type { DeliveryStatus, EventType, Webhook } from './webhook-model.ts';

type Schemas = components['schemas'];

const REFRESH_MS = 5_000;
/** Marks a deletion. While it runs, no query asks for the deleted webhook. */
export const DELETION = ['delete-webhook'];
/** How long a test or a redelivery is waited for. The endpoint has 15 seconds. */
const PREFER = { Prefer: 'wait=20' };

/** Whose webhook it is: a record, or null for the account. */
export type Owner = string | null;

export interface WebhookPath {
  id: Owner;
  webhookId: string;
}

/** The path of the page with all webhooks, for links. */
export function useWebhooksPath(owner: Owner): string {
  const recordPath = useRecordPath();
  return owner === null ? '/webhooks' : `${recordPath}/webhooks`;
}

/** Asks for what a record has, or for what the account has: the query of the other one is disabled. */
const optionsFor = (owner: Owner, refetchInterval: number | false) => ({
  ofRecord: { refetchInterval, enabled: owner !== null },
  ofAccount: { refetchInterval, enabled: owner === null },
});

export function useWebhooks(owner: Owner) {
  const { queryOptions } = useApiQueries();
  const query = { limit: 50, activity: true };
  const params = { path: { id: owner ?? '' }, query };
  const { ofRecord, ofAccount } = optionsFor(owner, REFRESH_MS);
  const record = useQuery(queryOptions('get', '/v1/sources/{id}/webhooks', { params }, ofRecord));
  const account = useQuery(queryOptions('get', '/v1/webhooks', { params: { query } }, ofAccount));
  return owner === null ? account : record;
}

const useRefreshing = (owner: Owner) =>
  optionsFor(owner, useIsMutating({ mutationKey: DELETION }) === 0 && REFRESH_MS);

export function useWebhook({ id, webhookId }: WebhookPath) {
  const { queryOptions } = useApiQueries();
  const { ofRecord, ofAccount } = useRefreshing(id);
  const query = { activity: true };
  const params = { path: { id: id ?? '', webhookId }, query };
  const record = useQuery(queryOptions('get', '/v1/sources/{id}/webhooks/{webhookId}', { params }, ofRecord));
  const account = useQuery(
    queryOptions('get', '/v1/webhooks/{webhookId}', { params: { path: { webhookId }, query } }, ofAccount),
  );
  return id === null ? account : record;
}

interface DeliveryPage {
  status: DeliveryStatus | undefined;
  cursor: string | undefined;
}

export function useDeliveries({ id, webhookId }: WebhookPath, { status, cursor }: DeliveryPage) {
  const { queryOptions } = useApiQueries();
  const { ofRecord, ofAccount } = useRefreshing(id);
  const query = { limit: 25, ...(status && { status }), ...(cursor !== undefined && { cursor }) };
  const params = { path: { id: id ?? '', webhookId }, query };
  const record = useQuery(
    queryOptions('get', '/v1/sources/{id}/webhooks/{webhookId}/deliveries', { params }, ofRecord),
  );
  const account = useQuery(
    queryOptions(
      'get',
      '/v1/webhooks/{webhookId}/deliveries',
      { params: { path: { webhookId }, query } },
      ofAccount,
    ),
  );
  return id === null ? account : record;
}

export function useDelivery({ id, webhookId }: WebhookPath, deliveryId: string) {
  const { queryOptions } = useApiQueries();
  const { ofRecord, ofAccount } = useRefreshing(id);
  const params = { path: { id: id ?? '', webhookId, deliveryId } };
  const record = useQuery(
    queryOptions(
      'get',
      '/v1/sources/{id}/webhooks/{webhookId}/deliveries/{deliveryId}',
      { params },
      ofRecord,
    ),
  );
  const account = useQuery(
    queryOptions(
      'get',
      '/v1/webhooks/{webhookId}/deliveries/{deliveryId}',
      { params: { path: { webhookId, deliveryId } } },
      ofAccount,
    ),
  );
  return id === null ? account : record;
}

/** The mutations of one webhook. */
export function useWebhookDeeds({ id, webhookId }: WebhookPath): WebhookDeeds {
  const api = useApiClient();
  return id === null ? deedsOfAccount(api, webhookId) : deedsOfRecord(api, { id, webhookId });
}

interface WebhookDeeds {
  change: (body: Schemas['UpdateAccountWebhookRequest']) => Promise<Webhook>;
  remove: () => Promise<unknown>;
  rotate: (body: Schemas['RotateWebhookSecretRequest']) => Promise<{ secret?: string }>;
  test: (eventType: EventType) => Promise<Schemas['Delivery']>;
  recover: (body: Schemas['RecoverWebhookRequest']) => Promise<Schemas['Recovery']>;
  redeliver: (deliveryId: string) => Promise<Schemas['Delivery']>;
}

type Api = ReturnType<typeof useApiClient>;

function deedsOfRecord(api: Api, path: { id: string; webhookId: string }): WebhookDeeds {
  const params = { path };
  const one = '/v1/sources/{id}/webhooks/{webhookId}';
  const waiting = { path, header: PREFER };
  return {
    change: (body) => answerOf(api.PATCH(one, { params, body })),
    remove: () => api.DELETE(one, { params }),
    rotate: (body) => answerOf(api.POST(`${one}/rotate-secret`, { params, body })),
    test: (eventType) => answerOf(api.POST(`${one}/test`, { params: waiting, body: { eventType } })),
    recover: (body) => answerOf(api.POST(`${one}/recover`, { params, body })),
    redeliver: (deliveryId) =>
      answerOf(
        api.POST(`${one}/deliveries/{deliveryId}/redeliver`, {
          params: { path: { ...path, deliveryId }, header: PREFER },
        }),
      ),
  };
}

function deedsOfAccount(api: Api, webhookId: string): WebhookDeeds {
  const path = { webhookId };
  const params = { path };
  const one = '/v1/webhooks/{webhookId}';
  const waiting = { path, header: PREFER };
  return {
    change: (body) => answerOf(api.PATCH(one, { params, body })),
    remove: () => api.DELETE(one, { params }),
    rotate: (body) => answerOf(api.POST(`${one}/rotate-secret`, { params, body })),
    test: (eventType) => answerOf(api.POST(`${one}/test`, { params: waiting, body: { eventType } })),
    recover: (body) => answerOf(api.POST(`${one}/recover`, { params, body })),
    redeliver: (deliveryId) =>
      answerOf(
        api.POST(`${one}/deliveries/{deliveryId}/redeliver`, {
          params: { path: { ...path, deliveryId }, header: PREFER },
        }),
      ),
  };
}

const LISTS: readonly unknown[] = ['/v1/sources/{id}/webhooks', '/v1/webhooks'];
const ABOUT_WEBHOOKS: QueryFilters = {
  predicate: ({ queryKey: [, path] }) => LISTS.some((list) => String(path).startsWith(String(list))),
};

/** Reloads everything about webhooks. */
export function useRefreshWebhooks() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries(ABOUT_WEBHOOKS);
}

/** Reloads only the lists of webhooks, when they are shown. */
export function useRefreshList() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ predicate: ({ queryKey: [, path] }) => LISTS.includes(path) });
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
