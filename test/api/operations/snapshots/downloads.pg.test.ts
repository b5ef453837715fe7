// Snapshots and delta events as files, over HTTP.
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMMAS, splitDelimited } from '../../../../core/delta/delimited/split-delimited.ts';
import { rowToJson } from '../../../core/export/rows.ts';
import { findSnapshot } from '../../../../db/rows/snapshots.ts';
import { demoVersions } from '../../../../demo/versions.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../../../support/rows/factories.ts';

const api = useApi();
let recordId = '';
let snapshotId = '';
let eventId = '';

const FIRST = { a: '{"id":"a","price":1.10}', b: '{"id":"b","price":10000000000000000999}', c: '{"id":"c"}' };
const SECOND = { a: '{"id":"a","price":1.1,"tag":"x"}', b: FIRST.b, '=d': '{"id":"=d","price":null}' };
const CSV = 'id,price,tag\n=d,,\na,1.1,x\nb,10000000000000000999,\n';

beforeAll(async () => {
  recordId = await createTestRecord(api.db, api.accountId, { slug: 'prices' });
  await commitRows(api.db, recordId, FIRST);
  await commitRows(api.db, recordId, SECOND, ['id', 'price', 'tag']);
  const { body } = await api.call('GET', `/v1/sources/${recordId}/delta/latest`);
  snapshotId = body.snapshotId;
  eventId = body.id;
});

const snapshotPath = (query = '') => `/v1/sources/${recordId}/snapshots/${snapshotId}/download${query}`;
const deltaPath = (query = '') => `/v1/sources/${recordId}/delta/${eventId}/download${query}`;

/** Downloads content that is not text. */
async function fetchBytes(
  url: string,
  headers: Record<string, string>,
  method: InjectOptions['method'] = 'GET',
) {
  const authorization = `Bearer ${api.fullKey}`;
  const {
    statusCode,
    headers: sent,
    rawPayload,
  } = await api.app.inject({
    method: method ?? 'GET',
    url,
    headers: { authorization, ...headers },
  });
  return { status: statusCode, headers: sent, bytes: rawPayload };
}

describe('a snapshot', () => {
  it('interface 1: "Snapshots of the watched data can be listed and exported as CSV or JSONL files"', async () => {
    const today = new Date().toISOString().slice(0, 10);
    for (const query of ['', '?format=csv', '?escape=none']) {
      const { text, headers } = await api.call('GET', snapshotPath(query));
      expect(text).toBe(CSV);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(headers['content-disposition']).toBe(`attachment; filename="prices-2-${today}.csv"`);
    }
    const { text, headers } = await api.call('GET', snapshotPath('?format=jsonl'));
    expect(text).toBe(`${SECOND['=d']}\n${SECOND.a}\n${SECOND.b}\n`);
    expect(headers['content-type']).toBe('application/jsonl; charset=utf-8');
    expect(headers['content-disposition']).toBe(`attachment; filename="prices-2-${today}.jsonl"`);
  });

  it('can be the latest or an earlier one, by slug and by id', async () => {
    expect((await api.call('GET', '/v1/sources/prices/snapshots/latest/download')).text).toBe(CSV);
    const { body } = await api.call('GET', `/v1/sources/${recordId}/snapshots`);
    const url = `/v1/sources/prices/snapshots/${body.snapshots[1].id}/download`;
    expect((await api.call('GET', url)).text).toBe('id,price\na,1.10\nb,10000000000000000999\nc,\n');
  });

  it('has no formula when escaped for a spreadsheet', async () => {
    const { text, headers } = await api.call('GET', snapshotPath('?escape=spreadsheet'));
    expect(text).toBe(CSV.replace('=d', "'=d"));
    const plain = await api.call('GET', snapshotPath());
    expect(headers['etag']).not.toBe(plain.headers['etag']);
  });

  it('can be escaped as CSV only, and comes in two formats', async () => {
    for (const query of ['?format=jsonl&escape=spreadsheet', '?format=xlsx', '?escape=html']) {
      const { status, body } = await api.call('GET', snapshotPath(query));
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_parameter' });
    }
  });

  it('is found only once it exists, and only by callers who may see it', async () => {
    const empty = await createTestRecord(api.db, api.accountId);
    expect((await api.call('GET', `/v1/sources/${empty}/snapshots/latest/download`)).status).toBe(404);
    const stranger = await createKey(api.db, await createAccount(api.db), 'full');
    const headers = { 'x-request-id': 'same' };
    const foreign = await api.call('GET', snapshotPath(), { key: stranger.value, headers });
    const missing = await api.call('GET', snapshotPath().replace(recordId, empty), { headers });
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(missing.text);
  });

  it('interface 5: "download: exporting snapshot data as CSV/JSONL files only"', async () => {
    const { value: key } = await createKey(api.db, api.accountId, 'download', recordId);
    expect((await api.call('GET', snapshotPath(), { key })).text).toBe(CSV);
    for (const url of [deltaPath(), `/v1/sources/${recordId}/snapshot-rows`, `/v1/sources/${recordId}`]) {
      expect((await api.call('GET', url, { key })).status).toBe(403);
    }
  });

  it('interface 5: the scope read permits "row data, plus snapshot downloads"', async () => {
    const { value: key } = await createKey(api.db, api.accountId, 'read', recordId);
    expect((await api.call('GET', snapshotPath(), { key })).text).toBe(CSV);
    expect((await api.call('GET', deltaPath(), { key })).status).toBe(200);
  });

  it('has the bytes of a real list, apart from quoting and the order of rows', async () => {
    for (const { version, csv } of demoVersions().slice(-2)) {
      const [columns = [], ...rows] = splitDelimited(csv, COMMAS, true).rows;
      const slug = `spdx-${version.replaceAll('.', '-')}`;
      const id = await createTestRecord(api.db, api.accountId, { slug, tier: 'max' });
      const texts = rows.map((row) => [
        row[0] ?? '',
        rowToJson(
          columns,
          row.map((cell) => JSON.stringify(cell)),
        ),
      ]);
      await commitRows(api.db, id, Object.fromEntries(texts), columns);
      const { text } = await api.call('GET', `/v1/sources/${slug}/snapshots/latest/download`);
      // In these lists exactly those cells have quotes that need them.
      expect(text.split('\n').sort()).toEqual(csv.split('\n').sort());
      expect(text.slice(0, text.indexOf('\n'))).toBe(csv.slice(0, csv.indexOf('\n')));
      expect(parse(text)).toHaveLength(rows.length + 1);
    }
  });
});

describe('a delta event', () => {
  it('can be the latest one', async () => {
    const [latest, known] = await Promise.all([
      api.call('GET', `/v1/sources/${recordId}/delta/latest/download`),
      api.call('GET', deltaPath()),
    ]);
    expect(latest.text).toBe(known.text);
  });

  it('has a line for each row as JSON Lines', async () => {
    const { text } = await api.call('GET', deltaPath('?format=jsonl'));
    const { body } = await api.call('GET', `/v1/sources/${recordId}/delta/${eventId}/rows`);
    const rows = text.trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row))).toEqual(body.rows);
    expect(rows[1]).toContain('"before":{"id":"a","price":1.10},"after":{"id":"a","price":1.1,"tag":"x"}');
  });

  it('has a line before and a line after for each changed row as CSV', async () => {
    const { text, headers } = await api.call('GET', deltaPath());
    expect(text).toBe(
      [
        'change_type,row,key,id,price,tag',
        'new,after,=d,=d,,',
        'changed,before,a,a,1.10,',
        'changed,after,a,a,1.1,x',
        'deleted,before,c,c,,',
        '',
      ].join('\n'),
    );
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="prices-changes-2-[\d-]{10}\.csv"$/,
    );
    const safe = await api.call('GET', deltaPath('?escape=spreadsheet'));
    expect(safe.text).toBe(text.replaceAll('=d', "'=d"));
  });

  it('is a header, or nothing, when nothing changed', async () => {
    const { body } = await api.call('GET', `/v1/sources/${recordId}/delta?order=asc`);
    const url = `/v1/sources/${recordId}/delta/${body.events[0].id}/download`;
    expect((await api.call('GET', url)).text).toBe('change_type,row,key,id,price\n');
    expect((await api.call('GET', `${url}?format=jsonl`)).text).toBe('');
  });

  it('is found only in its own record', async () => {
    const other = await createTestRecord(api.db, api.accountId);
    expect((await api.call('GET', deltaPath().replace(recordId, other))).status).toBe(404);
  });
});

describe('HTTP', () => {
  it('compresses as the caller asks, and says so', async () => {
    const plain = await fetchBytes(snapshotPath(), {});
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [encoding, decompress] of [
      ['gzip', gunzipSync],
      ['zstd', zstdDecompressSync],
    ] as const) {
      const { headers, bytes } = await fetchBytes(snapshotPath(), { 'accept-encoding': encoding });
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers['vary']).toMatch(/\bAccept-Encoding$/);
      expect(headers['etag']).not.toBe(plain.headers['etag']);
      expect(decompress(bytes).toString()).toBe(CSV);
    }
  });

  it('is neither sent nor read if the caller has it', async () => {
    for (const encoding of ['identity', 'gzip', 'zstd']) {
      const wish = { 'accept-encoding': encoding };
      const { headers } = await fetchBytes(snapshotPath(), wish);
      const etag = String(headers['etag']);
      expect(etag).toMatch(/^"[^"]+"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await fetchBytes(snapshotPath(), { ...wish, 'if-none-match': known });
        expect({ status: again.status, size: again.bytes.length }).toEqual({ status: 304, size: 0 });
        expect(again.headers['etag']).toBe(etag);
        expect(again.headers['content-encoding']).toBeUndefined();
      }
      const other = await fetchBytes(snapshotPath('?format=jsonl'), { ...wish, 'if-none-match': etag });
      expect(other.status).toBe(200);
    }
  });

  it('answers HEAD like GET, without content and without reading rows', async () => {
    const get = await fetchBytes(snapshotPath(), {});
    const head = await fetchBytes(snapshotPath(), {}, 'HEAD');
    expect({ status: head.status, size: head.bytes.length }).toEqual({ status: 200, size: 0 });
    for (const name of ['etag', 'content-type', 'content-disposition', 'vary']) {
      expect(head.headers[name]).toBe(get.headers[name]);
    }
    expect(head.headers['content-length']).toBeUndefined();
  });

  it('answers with a problem when the rows are gone before the first byte', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, id, FIRST);
    const { body } = await api.call('GET', `/v1/sources/${id}/delta/latest`);
    expect(await findSnapshot(api.db, id, body.snapshotId)).toMatchObject({ totalRows: 3 });
    await api.db('row_versions').where({ rowKey: 'c' }).whereIn('record_no', recordNoOf(id)).delete();
    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      const answer = await api.call('GET', `/v1/sources/${id}/snapshots/latest/download`, { headers });
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 410, code: 'gone' });
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(answer.headers['content-disposition']).toBeUndefined();
    }
  });
});

const recordNoOf = (id: string) => api.db('record_heads').where({ recordId: id }).select('record_no');
