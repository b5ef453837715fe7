// What the examples of the reference show: a shop's prices, of which one falls. By title of a schema, and by operation.
import type { JsonObject } from './named-schemas.ts';

const id = {
  record: 'src_019a2f6b7c8d7e9fa0b1c2d3e4f50617',
  baseline: 'snap_019a2f6b9a1b7c2d8e3f405162738495',
  snapshot: 'snap_019a346c1d2e7f30a1b2c3d4e5f60718',
  event: 'evt_019a346c1d2e7a4b9c8d7e6f50413223',
  check: 'chk_019a346c18f0700182a3b4c5d6e7f809',
  webhook: 'wh_019a30112233744586a7b8c9d0e1f203',
  delivery: 'dlv_019a346c20117b3c8d4e5f6071829304',
  key: 'key_019a2f70a1b27c3d94e5f60718293a4b',
};
const SESSION_TOKEN = 'cat_eph_4kT9vXq2LmZ8sRb1WcYd7NfHj3PgQa0VB5xE';
/** Not a real one; those are longer. */
const LINK_TOKEN = 'mQ3vXhT0rWb8yNfK2sLdUe7pJzAgCc51';
const URL = 'https://shop.example/prices.csv';
const CHECKED_AT = '2026-03-02T09:00:04.512Z';

const counts = { newCount: 0, changedCount: 1, deletedCount: 0, unchangedCount: 417, totalCount: 418 };
const keys = { newKeys: [], changedKeys: ['A-1001'], deletedKeys: [] };
const before = { sku: 'A-1001', name: 'Kettle', price: '24.90' };
const after = { ...before, price: '22.90' };

const deltaRow = { key: 'A-1001', changeType: 'changed', before, after, changedFields: ['price'] };
const rowHistoryEntry = {
  snapshotId: id.snapshot,
  deltaEventId: id.event,
  detectedAt: CHECKED_AT,
  ...deltaRow,
};

const columnProfile = {
  column: 'price',
  type: 'number',
  filled: 418,
  distinct: 204,
  minimum: '0.99',
  maximum: '1249.00',
  samples: ['9.90', '19.90', '24.90', '4.50', '49.00'],
};
const rowGroup = { group: { name: 'Kettle' }, values: { count: 12, 'avg(price)': '31.25' } };

const record = {
  id: id.record,
  slug: 'shop-prices',
  name: 'Shop prices',
  url: URL,
  tier: 'watch',
  status: 'active',
  format: 'csv',
  delimiter: ',',
  rowsPath: null,
  keyFields: ['sku'],
  keySource: 'detected',
  keyEvidence: { candidate: 'sku' },
  ignoreFields: [],
  checkIntervalMinutes: 60,
  auth: { type: 'none', configured: false },
  lastCheckedAt: CHECKED_AT,
  nextCheckAt: '2026-03-02T10:00:00.000Z',
  lastOutcome: 'changed',
  lastError: null,
  consecutiveFailures: 0,
  latestSnapshotId: id.snapshot,
  totalRows: 418,
  createdAt: '2026-03-01T09:41:12.205Z',
};

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
  attempts: [attempt],
};

const checkError = {
  code: 'http_error',
  detail: 'The origin answered with an error status. It was 503.',
};
const truncated = { newKeys: false, changedKeys: false, deletedKeys: false };
const schemaChange = { added: ['weight'], removed: [], schemaOnlyCount: 417 };

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

const apiKey = {
  id: id.key,
  name: 'Nightly import',
  scope: 'read',
  kind: 'account',
  prefix: 'cat_live_',
  last4: 'x2Rk',
  createdAt: '2026-03-01T09:50:00.000Z',
  lastUsedAt: CHECKED_AT,
  expiresAt: null,
  revokedAt: null,
};

export const RESOURCES: JsonObject = {
  Record: record,
  DownloadLink: {
    url: `https://recordwatch.example/v1/downloads?token=${LINK_TOKEN}`,
    expiresAt: '2026-03-02T09:15:30.000Z',
  },
  Check: {
    id: id.check,
    sourceId: id.record,
    number: 24,
    trigger: 'schedule',
    startedAt: '2026-03-02T09:00:03.120Z',
    finishedAt: CHECKED_AT,
    outcome: 'changed',
    httpStatus: 200,
    bytes: 15_872,
    rows: 418,
    snapshotId: id.snapshot,
    deltaEventId: id.event,
    error: null,
    warnings: [],
  },
  CheckError: checkError,
  Warning: { code: 'duplicate_keys', count: 2, samples: ['A-1001', 'A-1002'] },
  DeltaEvent: {
    id: id.event,
    sourceId: id.record,
    number: 24,
    snapshotId: id.snapshot,
    previousSnapshotId: id.baseline,
    detectedAt: CHECKED_AT,
    isNoChange: false,
    ...counts,
    summary: counts,
    ...keys,
    schemaChange: null,
    rekeyed: false,
  },
  Counts: counts,
  SchemaChange: schemaChange,
  RowData: after,
  DeltaRow: deltaRow,
  Comparison: {
    sourceId: id.record,
    fromSnapshotId: id.baseline,
    toSnapshotId: id.snapshot,
    isNoChange: false,
    ...counts,
    summary: counts,
    ...keys,
    schemaChange: null,
  },
  ComparedColumns: { added: ['weight'], removed: [] },
  RowHistoryEntry: rowHistoryEntry,
  GetRowHistoryResponse: {
    sourceId: id.record,
    count: 1,
    hasMore: false,
    nextCursor: null,
    key: 'A-1001',
    rows: [rowHistoryEntry],
  },
  Snapshot: {
    id: id.snapshot,
    sequence: 2,
    createdAt: CHECKED_AT,
    totalRows: 418,
    columns: ['sku', 'name', 'price'],
    bytes: 15_872,
    contentHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  SnapshotRow: { key: 'A-1001', data: after },
  Profile: {
    sourceId: id.record,
    snapshotId: id.snapshot,
    totalRows: 418,
    isSampled: false,
    sampledRows: 418,
    columns: [columnProfile],
  },
  ColumnProfile: columnProfile,
  QueryResult: { sourceId: id.record, snapshotId: id.snapshot, count: 1, hasMore: false, groups: [rowGroup] },
  RowGroup: rowGroup,
  Webhook: webhook,
  CreatedWebhook: { ...webhook, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
  ApiKey: apiKey,
  CreatedApiKey: { ...apiKey, lastUsedAt: null, key: 'cat_live_7dPq3WnLz0YkVb8RtXs5MfGhJc1AeU9o2Bx2Rk' },
  Session: {
    expiresAt: '2026-03-02T09:41:12.205Z',
    secondsLeft: 2467,
    source: { ...record, tier: 'anonymous' },
    mcpCalls: { limit: 50, used: 12, left: 38 },
  },
  CreatedSession: {
    token: SESSION_TOKEN,
    expiresAt: '2026-03-02T09:41:12.205Z',
    source: { ...record, tier: 'anonymous' },
    mcpUrl: `https://recordwatch.example/v1/mcp?token=${SESSION_TOKEN}`,
  },
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
  DeltaPayload: {
    ...payloadOf('delta'),
    deltaEventId: id.event,
    snapshotId: id.snapshot,
    detectedAt: CHECKED_AT,
    summary: counts,
    ...keys,
    truncated,
    rowsUrl: `https://recordwatch.example/v1/sources/${id.record}/delta/${id.event}/rows`,
  },
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
  Problem: {
    type: 'https://recordwatch.example/docs/errors#validation_failed',
    title: 'The request is not valid',
    status: 422,
    detail: '/url is required.',
    code: 'validation_failed',
    requestId: '0f4c7b0a-6f0e-4a53-9d0c-9d1f2e3b4c5d',
    errors: [{ pointer: '/url', code: 'required', detail: 'is required' }],
  },
  FieldError: { pointer: '/url', code: 'required', detail: 'is required' },
};

const snapshotFiles = {
  'text/csv': 'sku,name,price\nA-1001,Kettle,22.90\n',
  'application/jsonl': `${JSON.stringify(after)}\n`,
};

/** By operation, then by media type. */
export const FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  downloadSnapshot: snapshotFiles,
  followDownloadLink: snapshotFiles,
  downloadDelta: {
    'text/csv':
      'change_type,row,key,sku,name,price\n' +
      'changed,before,A-1001,A-1001,Kettle,24.90\n' +
      'changed,after,A-1001,A-1001,Kettle,22.90\n',
    'application/jsonl': `${JSON.stringify(deltaRow)}\n`,
  },
};

export const BODIES: Readonly<Record<string, JsonObject>> = {
  querySnapshot: {
    'Dear products by name, the most frequent first': {
      filter: { price: { gt: '10' } },
      groupBy: ['name'],
      measures: [{ measure: 'count' }, { measure: 'avg', column: 'price' }],
      orderBy: [{ by: 'count', direction: 'desc' }],
      limit: 10,
    },
    'How many rows a search finds': { search: 'kettle' },
  },
  createDownloadLink: {
    'A CSV file, as it is': {},
    'A CSV file for a spreadsheet program': { format: 'csv', escape: 'spreadsheet' },
    'JSON Lines': { format: 'jsonl' },
  },
  createRecord: {
    'Only a URL: the rest is found out': { url: URL },
    'With everything said': {
      url: 'https://shop.example/stock.tsv',
      name: 'Stock',
      slug: 'stock',
      format: 'tsv',
      keyFields: ['warehouse', 'sku'],
      ignoreFields: ['updated_at'],
      checkIntervalMinutes: 90,
    },
    'Behind a token, which is sealed and never shown': {
      url: 'https://erp.example/export.jsonl',
      authType: 'bearer',
      authToken: 'erp-example-token',
    },
  },
  updateRecord: {
    'Another name': { name: 'Shop prices, retail' },
    'Check twice a day': { checkIntervalMinutes: 720 },
    'Another address, and who asks there': {
      url: 'https://files.shop.example/prices.csv',
      authType: 'basic',
      authUsername: 'recordwatch',
      authPassword: 'an example password',
    },
  },
  createWebhook: {
    'A secret is made, and shown in the answer': { url: webhook.url },
    'With a secret of your own': {
      url: webhook.url,
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    },
    'Only new products and other prices, and failing checks': {
      url: webhook.url,
      description: webhook.description,
      eventTypes: webhook.eventTypes,
      filters: webhookFilters,
    },
  },
  createApiKey: {
    'To read everything': { name: 'Nightly import', scope: 'read' },
    'For downloads, until the end of the year': {
      name: 'Reporting',
      scope: 'download',
      expiresAt: '2026-12-31T23:59:59Z',
    },
  },
  createRecordApiKey: { 'To read this record': { name: 'Shop dashboard', scope: 'read' } },
  createSession: { 'Only a URL: the rest is found out': { url: URL } },
  keepRecord: { 'Into the account whose key is sent': { token: SESSION_TOKEN } },
  updateWebhook: {
    Disable: { enabled: false },
    Enable: { enabled: true },
    'Another endpoint': { url: 'https://hooks.example/recordwatch/v2' },
    'Prices that fell or rose, ten at least': {
      filters: { changeTypes: ['changed'], columns: ['price'], minChanges: 10 },
    },
    'Everything again': { filters: null, eventTypes: ['delta'] },
  },
  rotateWebhookSecret: {
    'A secret is made, and shown in the answer': {},
    'With a secret of your own': { secret: 'whsec_x2pl5YyfLpTGOOpHJQnuX4XGPVRJ6qmrzDzqmlTWUYc=' },
  },
  testWebhook: { 'As for a change of rows': {}, 'As for a check that failed': { eventType: 'check.failed' } },
  recoverWebhook: {
    'How many there are since a time': { since: '2026-03-01T00:00:00Z', dryRun: true },
    'Since the last event that arrived': { since: id.event },
  },
};
