// The examples of webhooks, deliveries and payloads, in the form of records.ts.
import type { JsonObject } from '../named-schemas.ts';
import { EXAMPLE_TIME, checkError, counts, id, keys } from './values.ts';

const webhookFilters = { changeTypes: ['new', 'changed'], columns: ['price'] };

/** The price of some row fell by more than 5 per cent. */
const condition = { some: [{ var: 'rows' }, { '<': [{ percent: 'price' }, -5] }] };

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
  condition,
  format: 'json',
  include: 'keys',
  maxBodyBytes: 262_144,
  fields: null,
  ordered: false,
  onFailure: 'block',
  quietHours: 24,
  failingAfter: 1,
  digest: null,
  previousSecretUntil: null,
  failingSince: null,
  createdAt: '2026-03-01T12:42:10.003Z',
};

const { sourceId: _ofRecord, ...settings } = webhook;
const accountWebhook = { ...settings, sources: { labels: { team: 'prices' } } };

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
  timestamp: EXAMPLE_TIME,
  webhookId: id.webhook,
  sourceId: id.record,
  sourceName: 'Shop prices',
  sourceSlug: 'shop-prices',
});
const newsOf = (event: string) => ({ ...payloadOf(event), deltaEventId: null, checkId: id.check });

const heldError = {
  code: 'sharp_drop',
  detail: 'Far fewer rows than last time; waiting for a second check to confirm.',
};

const deltaPayload = {
  ...payloadOf('delta'),
  deltaEventId: id.event,
  snapshotId: id.snapshot,
  detectedAt: EXAMPLE_TIME,
  summary: counts,
  ...keys,
  truncated,
  rowsUrl: `https://recordwatch.example/v1/sources/${id.record}/delta/${id.event}/rows`,
};

const cloudEvent = {
  specversion: '1.0',
  id: id.delivery,
  source: `https://recordwatch.example/v1/sources/${id.record}`,
  type: 'recordwatch.delta',
  subject: id.event,
  time: EXAMPLE_TIME,
  datacontenttype: 'application/json',
  data: deltaPayload,
};

const delivery = {
  id: id.delivery,
  webhookId: id.webhook,
  sourceId: id.record,
  eventType: 'delta',
  deltaEventId: id.event,
  condition: 'met',
  isTest: false,
  status: 'delivered',
  attemptCount: 1,
  createdAt: EXAMPLE_TIME,
  nextAttemptAt: null,
  waitsFor: null,
  finishedAt: '2026-03-02T09:00:04.650Z',
  payload: JSON.stringify(deltaPayload),
  attempts: [attempt],
};

const lastDelivery = {
  id: id.delivery,
  status: 'delivered',
  createdAt: EXAMPLE_TIME,
  finishedAt: EXAMPLE_TIME,
};

export const WEBHOOK_RESOURCES: JsonObject = {
  Webhook: webhook,
  CreatedWebhook: { ...webhook, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
  Notice: {
    code: 'webhook_disabled',
    detail: 'The endpoint answered 410 Gone.',
    webhookId: 'wh_019a30115566744586a7b8c9d0e1f204',
    at: EXAMPLE_TIME,
  },
  AccountWebhook: accountWebhook,
  CreatedAccountWebhook: { ...accountWebhook, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
  WebhookSources: accountWebhook.sources,
  WebhookFilters: webhookFilters,
  Condition: condition,
  Digest: { every: 'day', at: '08:00', timeZone: 'Europe/Berlin' },
  Delivery: delivery,
  Attempt: attempt,
  LastDelivery: lastDelivery,
  WebhookActivity: {
    since: '2026-01-31T09:00:00.000Z',
    delivered: 41,
    failed: 1,
    pending: 0,
    cancelled: 0,
    lastDelivery,
  },
  Recovery: { webhookId: id.webhook, dryRun: true, count: 42, hasMore: false },
  DeltaPayload: deltaPayload,
  CloudEvent: cloudEvent,
  CloudEventData: deltaPayload,
  TruncatedKeys: truncated,
  CheckFailedPayload: { ...newsOf('check.failed'), failingSince: EXAMPLE_TIME, error: checkError },
  FailedCheckError: checkError,
  CheckRecoveredPayload: { ...newsOf('check.recovered'), failingSince: '2026-03-02T05:00:03.004Z' },
  CheckHeldPayload: { ...newsOf('check.held'), error: heldError },
  HeldCheckError: heldError,
  RecordQuietPayload: {
    ...payloadOf('record.quiet'),
    deltaEventId: null,
    snapshotId: id.snapshot,
    unchangedSince: '2026-03-01T08:00:03.004Z',
    checkedAt: '2026-03-02T08:00:04.112Z',
    quietHours: 24,
  },
  SchemaChangedPayload: { ...newsOf('schema.changed'), snapshotId: id.snapshot, schemaChange },
  WebhookDisabledPayload: {
    ...payloadOf('webhook.disabled'),
    deltaEventId: null,
    disabledWebhookId: 'wh_019a30115566744586a7b8c9d0e1f204',
    disabledAt: EXAMPLE_TIME,
    disabledReason: 'The endpoint answered 410 Gone.',
  },
};

const ROTATIONS = {
  'With a generated secret, shown in the response': {},
  'With a secret of your own': { secret: 'whsec_x2pl5YyfLpTGOOpHJQnuX4XGPVRJ6qmrzDzqmlTWUYc=' },
};
const TESTS = { 'As for changed rows': {}, 'As for a failed check': { eventType: 'check.failed' } };
const RECOVERIES = {
  'Count the events since a time': { since: '2026-03-01T00:00:00Z', dryRun: true },
  'Since the last event that arrived': { since: id.event },
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
    'With the rows in the body, and only two of their columns': {
      url: webhook.url,
      include: 'rows',
      fields: ['id', 'price'],
    },
  },
  createAccountWebhook: {
    'For all records of the account': { url: webhook.url },
    'For the records with a label': { url: webhook.url, sources: accountWebhook.sources },
    'For a list of records, in order': { url: webhook.url, sources: { ids: [id.record] }, ordered: true },
  },
  updateAccountWebhook: {
    'For all records': { sources: null },
    Disable: { enabled: false },
  },
  rotateAccountWebhookSecret: ROTATIONS,
  testAccountWebhook: TESTS,
  recoverAccountWebhook: RECOVERIES,
  updateWebhook: {
    Disable: { enabled: false },
    Enable: { enabled: true },
    'Another endpoint': { url: 'https://hooks.example/recordwatch/v2' },
    'Price changes, at least ten': {
      filters: { changeTypes: ['changed'], columns: ['price'], minChanges: 10 },
    },
    'A price fell by more than 5 %': { condition },
    'Everything again': { filters: null, condition: null, eventTypes: ['delta'] },
  },
  rotateWebhookSecret: ROTATIONS,
  testWebhook: TESTS,
  recoverWebhook: RECOVERIES,
};
