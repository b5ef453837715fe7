// Downloads over HTTP.
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { useApi } from '../support/api.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../support/factories.ts';

const api = useApi();
let recordId = '';
let snapshotId = '';
let eventId = '';
const path = () => `/v1/sources/${recordId}/snapshots/${snapshotId}/download`;

const FIRST = { a: '{"id":"a","price":1.10}', b: '{"id":"b","price":10000000000000000999}', c: '{"id":"c"}' };
const SECOND = { a: '{"id":"a","price":1.1}', b: FIRST.b, '=d': '{"id":"=d","price":null}' };

beforeAll(async () => {
  recordId = await createTestRecord(api.db, api.accountId, { slug: 'prices' });
  await commitRows(api.db, recordId, FIRST);
  await commitRows(api.db, recordId, SECOND);
  const { body } = await api.call('GET', `/v1/sources/${recordId}/delta/latest`);
  snapshotId = body.snapshotId;
  eventId = body.id;
});

describe('a snapshot', () => {
  it('interface 1: snapshots can be exported as CSV or JSONL files', async () => {
    const csv = await api.call('GET', path());
    expect(csv.text).toBe('id,price\n=d,\na,1.1\nb,10000000000000000999\n');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    const jsonl = await api.call('GET', `${path()}?format=jsonl`);
    expect(jsonl.text).toBe(`${SECOND['=d']}\n${SECOND.a}\n${SECOND.b}\n`);
    expect(jsonl.headers['content-type']).toBe('application/jsonl; charset=utf-8');
    const today = new Date().toISOString().slice(0, 10);
    expect(jsonl.headers['content-disposition']).toBe(`attachment; filename="prices-2-${today}.jsonl"`);
  });
});
