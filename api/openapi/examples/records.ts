// The examples of the reference: a shop's prices, one of which falls. By title of a schema, and by operation.
import type { JsonObject } from '../named-schemas.ts';
import { atomFeed, EXAMPLE_TIME, checkError, counts, id, keys, URL } from './values.ts';
import { KEY_REQUEST_BODIES, KEY_REQUEST_RESOURCES } from './key-requests.ts';
import { PREVIEW_BODIES, PREVIEW_RESOURCES } from './previews.ts';
import { WEBHOOK_BODIES, WEBHOOK_RESOURCES } from './webhooks.ts';

const SESSION_TOKEN = 'cat_eph_4kT9vXq2LmZ8sRb1WcYd7NfHj3PgQa0VB5xE';
/** Not a real one; those are longer. */
const LINK_TOKEN = 'mQ3vXhT0rWb8yNfK2sLdUe7pJzAgCc51';
const before = { sku: 'A-1001', name: 'Kettle', price: '24.90' };
const after = { ...before, price: '22.90' };

const deltaRow = { key: 'A-1001', changeType: 'changed', before, after, changedFields: ['price'] };
const rowHistoryEntry = {
  snapshotId: id.snapshot,
  deltaEventId: id.event,
  detectedAt: EXAMPLE_TIME,
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
  headerRow: 1,
  quoting: 'double',
  keyFields: ['sku'],
  keySource: 'detected',
  keyEvidence: { candidate: 'sku' },
  ignoreFields: [],
  rules: { price: { as: 'number' as const } },
  pairing: null,
  quietHours: null,
  isRekeyPending: false,
  checkIntervalMinutes: 60,
  labels: { team: 'pricing' },
  auth: { type: 'none', configured: false },
  lastCheckedAt: EXAMPLE_TIME,
  nextCheckAt: '2026-03-02T10:00:00.000Z',
  lastOutcome: 'changed',
  isBaseline: false,
  lastError: null,
  heldCheckId: null,
  consecutiveFailures: 0,
  failingSince: null,
  latestSnapshotId: id.snapshot,
  totalRows: 418,
  createdAt: '2026-03-01T09:41:12.205Z',
};

const renamed = { from: 'title', to: 'name' };
const firstValue = { field: 'price', before: '3.20', after: '3.50', isCut: false };
const changedColumn = { field: 'price', rows: 1 };
const schemaChange = { added: ['weight'], removed: [], renamed: [renamed], schemaOnlyCount: 417 };

const apiKey = {
  id: id.key,
  name: 'Nightly import',
  scope: 'read',
  kind: 'account',
  prefix: 'cat_live_',
  last4: 'x2Rk',
  createdAt: '2026-03-01T09:50:00.000Z',
  lastUsedAt: EXAMPLE_TIME,
  expiresAt: null,
  revokedAt: null,
};

const connectedClient = {
  id: 'con_019ca8d1f0a27d7c8b7d2b6b4d1f9c33',
  name: 'Claude',
  clientId: 'https://claude.ai/oauth/claude-code-client-metadata',
  scope: 'read',
  createdAt: '2026-03-01T09:52:40.000Z',
  lastUsedAt: EXAMPLE_TIME,
};

const auditEntry = {
  id: 'aud_019a2f7a40c17d2e8b3c4d5e6f708192',
  createdAt: '2026-03-01T10:01:36.449Z',
  action: 'record.update',
  actor: { type: 'user', id: 'usr_019a2f6a11e07c4d9a2b3c4d5e6f7081', name: 'Ada' },
  target: { type: 'record', id: id.record, name: 'Shop prices' },
  door: 'dashboard',
  ip: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0',
  requestId: '5d2f0f6e-8c9b-4b1d-9f7a-2c3d4e5f6071',
  changes: [{ field: 'checkIntervalMinutes', before: 1_440, after: 60 }],
  count: 1,
  lastAt: '2026-03-01T10:01:36.449Z',
};

const check = {
  id: id.check,
  sourceId: id.record,
  number: 24,
  trigger: 'schedule',
  startedAt: '2026-03-02T09:00:03.120Z',
  finishedAt: EXAMPLE_TIME,
  outcome: 'changed',
  isBaseline: false,
  httpStatus: 200,
  bytes: 15_872,
  rows: 418,
  snapshotId: id.snapshot,
  deltaEventId: id.event,
  error: null,
  warnings: [],
  decision: null,
  decidedAt: null,
};
const heldChanges = {
  newCount: 0,
  changedCount: 0,
  deletedCount: 407,
  totalCount: 11,
  newKeys: [],
  changedKeys: [],
  deletedKeys: ['A-1012', 'A-1013'],
};
const heldCheck = {
  ...check,
  outcome: 'held',
  rows: 11,
  bytes: 430,
  snapshotId: id.baseline,
  deltaEventId: null,
  error: {
    code: 'sharp_drop',
    detail: 'Far fewer rows than last time; waiting for a second check to confirm. 11 rows after 418.',
  },
  originAnswer: null,
  heldChanges,
};

const feedEvent = {
  cursor: 'eyJ2IjoxfQ.nP3xQk9s',
  event: 'delta',
  type: 'delta',
  timestamp: EXAMPLE_TIME,
  sourceId: id.record,
  sourceName: record.name,
  sourceSlug: record.slug,
  labels: record.labels,
  deltaEventId: id.event,
  snapshotId: id.snapshot,
  detectedAt: EXAMPLE_TIME,
  summary: counts,
  ...keys,
  truncated: { newKeys: false, changedKeys: false, deletedKeys: false },
  rowsUrl: `https://recordwatch.example/v1/sources/${id.record}/delta/${id.event}/rows`,
};

export const RESOURCES: JsonObject = {
  Record: record,
  DownloadLink: {
    url: `https://recordwatch.example/v1/downloads?token=${LINK_TOKEN}`,
    expiresAt: '2026-03-02T09:15:30.000Z',
  },
  Check: check,
  CheckDetail: heldCheck,
  AcceptedCheck: {
    ...heldCheck,
    decision: 'accepted',
    decidedAt: '2026-03-02T09:04:10.001Z',
    isRecorded: true,
  },
  HeldChanges: heldChanges,
  OriginAnswer: {
    httpStatus: 200,
    contentType: 'text/html',
    url: 'https://login.example.com/sign-in',
    beginning: '<!doctype html> <html lang="en"> <head> <title>Sign in</title>',
  },
  RecordCounts: { all: 12, failing: 1, held: 1, healthy: 9, paused: 1 },
  ...PREVIEW_RESOURCES,
  CheckError: checkError,
  Warning: { code: 'duplicate_key', count: 2, samples: ['A-1001', 'A-1002'] },
  DeltaEvent: {
    id: id.event,
    sourceId: id.record,
    number: 24,
    snapshotId: id.snapshot,
    previousSnapshotId: id.baseline,
    detectedAt: EXAMPLE_TIME,
    isNoChange: false,
    ...counts,
    summary: counts,
    ...keys,
    changedColumns: [changedColumn],
    schemaChange: null,
    rekeyed: false,
  },
  FeedEvent: feedEvent,
  TruncatedFeedKeys: feedEvent.truncated,
  FeedEventError: checkError,
  ListEventsResult: {
    count: 1,
    hasMore: false,
    nextCursor: feedEvent.cursor,
    events: [feedEvent],
  },
  Counts: counts,
  ChangedColumn: changedColumn,
  FirstValue: firstValue,
  FirstRow: { key: 'A-1001', changeType: 'changed', values: [firstValue], moreFields: 0 },
  SchemaChange: schemaChange,
  RenamedColumn: renamed,
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
  GetRowHistoryResult: {
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
    createdAt: EXAMPLE_TIME,
    totalRows: 418,
    columns: ['sku', 'name', 'price'],
    bytes: 15_872,
    contentHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  SnapshotRow: { key: 'A-1001', data: after },
  RowSample: {
    sourceId: id.record,
    snapshotId: id.snapshot,
    totalRows: 418,
    count: 1,
    rows: [{ key: 'A-1001', data: after }],
  },
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
  ...WEBHOOK_RESOURCES,
  ApiKey: apiKey,
  CreatedApiKey: { ...apiKey, lastUsedAt: null, key: 'cat_live_7dPq3WnLz0YkVb8RtXs5MfGhJc1AeU9o2Bx2Rk' },
  ...KEY_REQUEST_RESOURCES,
  AuditEntry: auditEntry,
  ConnectedClient: connectedClient,
  ListConnectedClientsResult: {
    count: 1,
    hasMore: false,
    nextCursor: null,
    connectedClients: [connectedClient],
  },
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
  readAtomFeed: { 'application/atom+xml': atomFeed },
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
    'Expensive products by name, the most frequent first': {
      filter: { price: { gt: '10' } },
      groupBy: ['name'],
      measures: [{ measure: 'count' }, { measure: 'avg', column: 'price' }],
      orderBy: [{ by: 'count', direction: 'desc' }],
      limit: 10,
    },
    'How many rows a search finds': { search: 'kettle' },
  },
  createDownloadLink: {
    'A CSV file, unchanged': {},
    'A CSV file for a spreadsheet program': { format: 'csv', escape: 'spreadsheet' },
    'JSON Lines': { format: 'jsonl' },
  },
  createRecord: {
    'Only a URL: the rest is detected': { url: URL },
    'With all settings': {
      url: 'https://shop.example/stock.tsv',
      name: 'Stock',
      slug: 'stock',
      format: 'tsv',
      keyFields: ['warehouse', 'sku'],
      ignoreFields: ['updated_at'],
      pairing: 'similarity',
      rules: { price: { as: 'number' }, name: { trim: true, ignoreCase: true, normalize: 'NFC' } },
      checkIntervalMinutes: 90,
      labels: { team: 'logistics', env: 'production' },
    },
    'With a token, which is sealed and never shown': {
      url: 'https://erp.example/export.jsonl',
      authType: 'bearer',
      authToken: 'erp-example-token',
    },
  },
  updateRecord: {
    'Another name': { name: 'Shop prices, retail' },
    'Check twice a day': { checkIntervalMinutes: 720 },
    'Other key fields, and an ignored column': { keyFields: ['sku', 'name'], ignoreFields: ['stock'] },
    'Rules for columns, in place of all before': {
      rules: { price: { as: 'number', tolerance: '1%' }, seen_at: { as: 'date' } },
    },
    'Edited rows without a key as changed': { pairing: 'similarity' },
    'Other rows of the document, starting over': { format: 'json', rowsPath: 'data.items', startOver: true },
    'Another URL, with credentials': {
      url: 'https://files.shop.example/prices.csv',
      authType: 'basic',
      authUsername: 'recordwatch',
      authPassword: 'an example password',
    },
  },
  ...PREVIEW_BODIES,
  ...WEBHOOK_BODIES,
  createApiKey: {
    'To read everything': { name: 'Nightly import', scope: 'read' },
    'For downloads, until the end of the year': {
      name: 'Reporting',
      scope: 'download',
      expiresAt: '2026-12-31T23:59:59Z',
    },
  },
  createRecordApiKey: { 'To read this record': { name: 'Shop dashboard', scope: 'read' } },
  ...KEY_REQUEST_BODIES,
  createSession: { 'Only a URL: the rest is detected': { url: URL } },
  keepRecord: { 'Into the account of the key': { token: SESSION_TOKEN } },
};
