// The examples of webhooks, deliveries and payloads, in the form of story.ts.
import type { JsonObject } from './named-schemas.ts';
import { CHECKED_AT, checkError, counts, id, keys } from './story-facts.ts';

const webhookFilters = { changeTypes: ['new', 'changed'], columns: ['price'] };

const webhook = {
  id: id.webhook,
  sourceId: id.record,
  url: 'https://hooks.example/recordwatch',
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  description: 'Prices for the shop window',
  eventTypes: ['delta', 'check.failed'],
  filters: webhookFilters,
  previousSecretUntil: null,
  failingSince: null,
  createdAt: '2026-03-01T12:42:10.003Z',
};

const attempt = {
  number: 1,
  startedAt: '2026-03-02T09:00:04.561Z',
  durationMs: 87,
  statusCode: 204,
  errorCode: null,
  response: '',
};

const truncated = { newKeys: false, changedKeys: false, deletedKeys: false };

const schemaChange = { added: ['weight'], removed: [], renamed: [], schemaOnlyCount: 417 };

const payloadOf = (event: string) => ({
  event,
  type: event,
  timestamp: CHECKED_AT,
  webhookId: id.webhook,
  sourceId: id.record,
  sourceName: 'Shop prices',
  sourceSlug: 'shop-prices',
});
const newsOf = (event: string) => ({ ...payloadOf(event), deltaEventId: null, checkId: id.check });

const deltaPayload = {
  ...payloadOf('delta'),
  deltaEventId: id.event,
  snapshotId: id.snapshot,
  detectedAt: CHECKED_AT,
  summary: counts,
  ...keys,
  truncated,
  rowsUrl: `https://recordwatch.example/v1/sources/${id.record}/delta/${id.event}/rows`,
};

const delivery = {
  id: id.delivery,
  webhookId: id.webhook,
  sourceId: id.record,
  eventType: 'delta',
  deltaEventId: id.event,
  isTest: false,
  status: 'delivered',
  attemptCount: 1,
  createdAt: CHECKED_AT,
  nextAttemptAt: null,
  finishedAt: '2026-03-02T09:00:04.650Z',
  payload: JSON.stringify(deltaPayload),
  attempts: [attempt],
};

export const WEBHOOK_RESOURCES: JsonObject = {
  Webhook: webhook,
  CreatedWebhook: { ...webhook, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
  Notice: {
    code: 'webhook_disabled',
    detail: 'The endpoint answered 410 Gone.',
    webhookId: 'wh_019a30115566744586a7b8c9d0e1f204',
    at: CHECKED_AT,
  },
  WebhookFilters: webhookFilters,
  Delivery: delivery,
  Attempt: attempt,
  Recovery: { webhookId: id.webhook, dryRun: true, count: 42, hasMore: false },
  DeltaPayload: deltaPayload,
  TruncatedKeys: truncated,
  CheckFailedPayload: { ...newsOf('check.failed'), failingSince: CHECKED_AT, error: checkError },
  FailedCheckError: checkError,
  CheckRecoveredPayload: { ...newsOf('check.recovered'), failingSince: '2026-03-02T05:00:03.004Z' },
  SchemaChangedPayload: { ...newsOf('schema.changed'), snapshotId: id.snapshot, schemaChange },
  WebhookDisabledPayload: {
    ...payloadOf('webhook.disabled'),
    deltaEventId: null,
    disabledWebhookId: 'wh_019a30115566744586a7b8c9d0e1f204',
    disabledAt: CHECKED_AT,
    disabledReason: 'The endpoint answered 410 Gone.',
  },
};

export const WEBHOOK_BODIES: Readonly<Record<string, JsonObject>> = {
  createWebhook: {
    'With a generated secret, shown in the response': { url: webhook.url },
    'With a secret of your own': {
      url: webhook.url,
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    },
    'Only new products and changed prices, and failed checks': {
      url: webhook.url,
      description: webhook.description,
      eventTypes: webhook.eventTypes,
      filters: webhookFilters,
    },
  },
  updateWebhook: {
    Disable: { enabled: false },
    Enable: { enabled: true },
    'Another endpoint': { url: 'https://hooks.example/recordwatch/v2' },
    'Price changes, at least ten': {
      filters: { changeTypes: ['changed'], columns: ['price'], minChanges: 10 },
    },
    'Everything again': { filters: null, eventTypes: ['delta'] },
  },
  rotateWebhookSecret: {
    'With a generated secret, shown in the response': {},
    'With a secret of your own': { secret: 'whsec_x2pl5YyfLpTGOOpHJQnuX4XGPVRJ6qmrzDzqmlTWUYc=' },
  },
  testWebhook: { 'As for changed rows': {}, 'As for a failed check': { eventType: 'check.failed' } },
  recoverWebhook: {
    'Count the events since a time': { since: '2026-03-01T00:00:00Z', dryRun: true },
    'Since the last event that arrived': { since: id.event },
  },
};
