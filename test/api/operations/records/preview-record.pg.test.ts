// POST /v1/previews. test/activities/checks/preview-record.pg.test.ts has what the worker does.
import { beforeEach, expect, it } from 'vitest';
import { RECORD_PREVIEWS_PER_HOUR } from '../../../../api/access/usage-limits.ts';
import {
  answerRecordPreview,
  findRecordPreview,
  type RecordPreviewResult,
} from '../../../../db/records/record-previews.ts';
import { useApi } from '../../../support/api/api.ts';
import { createAccount, createKey } from '../../../support/rows/factories.ts';

const api = useApi();

const READ: RecordPreviewResult = {
  kind: 'read',
  format: 'csv',
  delimiter: ',',
  rowsPath: null,
  headerRow: 1,
  keyFields: ['id'],
  keyEvidence: { rule: 'name' },
  columns: ['id', 'price'],
  rowCount: 3,
  sizeBytes: 30,
  rows: [{ key: 'a', data: '{"id":"a","price":1.10}' }],
  warnings: [{ code: 'duplicate_key', count: 1, samples: ['a'] }],
};

let keyId: string;
let key: string;
beforeEach(async () => {
  ({ id: keyId, value: key } = await createKey(api.db, await createAccount(api.db), 'full'));
  api.workflows.failure = null;
  answerWith(READ);
});

const answerWith = (result: RecordPreviewResult) => {
  api.workflows.onPreview = (id) => answerRecordPreview(api.db, id, result);
};
const url = 'https://example.com/prices.csv?token=x';
const preview = (body: object = { url }, headers = {}) =>
  api.call('POST', '/v1/previews', { key, body, headers });
const left = () => api.db('record_previews').pluck('id');

it('shows what a record would watch, and keeps nothing', async () => {
  const { status, body, text } = await preview();
  expect([status, body]).toMatchObject([
    200,
    {
      url,
      format: 'csv',
      delimiter: ',',
      headerRow: 1,
      keyFields: ['id'],
      keySource: 'detected',
      keyEvidence: { rule: 'name' },
      ignoreFields: [],
      rules: {},
      columns: ['id', 'price'],
      rowCount: 3,
      totalRows: 2,
      sizeBytes: 30,
      warnings: [{ code: 'duplicate_key', count: 1, samples: ['a'] }],
      error: null,
    },
  ]);
  expect(text).toContain('"rows":[{"key":"a","data":{"id":"a","price":1.10}}]');
  expect(await left()).toEqual([]);
  expect((await api.call('GET', '/v1/sources', { key })).body.sources).toEqual([]);
});

it('asks the worker with the settings that were given, and with sealed credentials', async () => {
  let asked: unknown;
  api.workflows.onPreview = async (id) => {
    asked = await findRecordPreview(api.db, id);
    await answerRecordPreview(api.db, id, { kind: 'failed', code: 'http_error', detail: 'Status 404.' });
  };
  const given = {
    format: 'csv',
    delimiter: ';',
    headerRow: 2,
    quoting: 'none',
    keyFields: ['id'],
    ignoreFields: ['seen'],
  };
  const { body } = await preview({ url, ...given, authType: 'bearer', authToken: 'a-secret' });
  expect(asked).toMatchObject({
    settings: { url, tier: 'free', authType: 'bearer', ...given },
    sealed: expect.any(Buffer),
  });
  expect(JSON.stringify(asked)).not.toContain('a-secret');
  expect(body).toMatchObject({
    ...given,
    keySource: 'given',
    keyEvidence: null,
    columns: null,
    rowCount: null,
    rows: [],
    error: { code: 'http_error', detail: 'Status 404.' },
  });
});

it.each([
  [{ url: 'ftp://example.com/x' }, '/url'],
  [{ url: 'http://10.0.0.1/x' }, '/url'],
  [{ url, keyFields: ['a'], ignoreFields: ['a'] }, '/ignoreFields/0'],
  [{ url, format: 'json', delimiter: ';' }, '/delimiter'],
  [{ url, quoting: 'single' }, '/quoting'],
  [{ url, format: 'jsonl', quoting: 'none' }, '/quoting'],
  [{ url, authType: 'bearer' }, '/authToken'],
  [{ url, name: 'Prices' }, '/name'],
])('refuses %j', async (body, pointer) => {
  const answer = await preview(body);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.body.errors).toMatchObject([{ pointer }]);
  expect(await left()).toEqual([]);
});

it('says so when the data takes too long, or no worker answers', async () => {
  answerWith({ kind: 'too-slow' });
  expect((await preview()).body).toMatchObject({ code: 'query_too_expensive' });
  api.workflows.onPreview = () => undefined;
  expect((await preview()).body).toMatchObject({ status: 503, code: 'unavailable' });
  api.workflows.onPreview = () => Promise.reject(new Error('Temporal is away'));
  expect((await preview()).status).toBe(500);
  expect(await left()).toEqual([]);
});

it('is limited by the hour', async () => {
  const { status, headers } = await preview();
  expect([status, headers['retry-after']]).toEqual([200, undefined]);
  await api
    .db('usage_counters')
    .where('subject', 'like', 'record-previews %')
    .update({ used: RECORD_PREVIEWS_PER_HOUR });
  const refused = await preview();
  expect(refused.body).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  ({ value: key } = await createKey(api.db, await createAccount(api.db), 'full'));
  expect((await preview()).status).toBe(200);
});

it('keeps no rows with an Idempotency-Key', async () => {
  const headers = { 'idempotency-key': 'once' };
  const first = await preview({ url }, headers);
  const again = await preview({ url }, headers);
  const { rows, ...rest } = first.body;
  expect(rows).toHaveLength(1);
  expect(again.body).toEqual(rest);
});

it('regression: a key that is revoked while the worker reads gets no answer', async () => {
  api.workflows.onPreview = async (id) => {
    await api.db('apiKeys').where({ id: keyId }).update({ revokedAt: api.db.fn.now() });
    await answerRecordPreview(api.db, id, READ);
  };
  const { status, body } = await preview();
  expect([status, body.code, body.rows]).toEqual([401, 'unauthenticated', undefined]);
  expect(await left()).toEqual([]);
});
