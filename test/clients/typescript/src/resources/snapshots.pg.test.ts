// Rows by the client for TypeScript: page by page, in one request, filtered, compared.
import { beforeAll, describe, expect, it } from 'vitest';
import { Recordwatch, RecordwatchError } from '../../../../../clients/typescript/src/main.ts';
import { useListeningApi } from '../../../../support/api/listening-api.ts';
import { collect } from '../collect.ts';
import { commitRows, createTestRecord } from '../../../../support/rows/factories.ts';

const ROWS = 230;

const { api, baseUrl } = await useListeningApi();
let client: Recordwatch;
let record: string;
beforeAll(async () => {
  client = new Recordwatch({ baseUrl, apiKey: api.fullKey });
  record = await createTestRecord(api.db, api.accountId, { keyFields: ['id'] });
  const rows = (price: string) =>
    Object.fromEntries(
      Array.from({ length: ROWS }, (_, index) => {
        const key = `k/${String(index).padStart(4, '0')}`;
        return [
          key,
          JSON.stringify({ id: key, price: index === 7 ? price : String(index), note: 'é\u2028' }),
        ];
      }),
    );
  await commitRows(api.db, record, rows('1'), ['id', 'price', 'note']);
  await commitRows(api.db, record, rows('2'), ['id', 'price', 'note']);
});

describe('rows of a snapshot', () => {
  it('are read over all pages', async () => {
    const rows = await client.snapshots.rows(record).toArray();
    expect(rows).toHaveLength(ROWS);
    expect(rows[7]).toEqual({ key: 'k/0007', data: { id: 'k/0007', price: '2', note: 'é\u2028' } });
  });

  it('are chosen by filters, lists and searched columns', async () => {
    const query = {
      filter: { price: { gte: '226' }, id: { in: ['k/0227', 'k/0228', 'k/0001'] } },
      search: 'k/',
      field: ['id'],
    };
    const rows = await client.snapshots.rows(record, 'latest', query).toArray();
    expect(rows.map(({ key }) => key)).toEqual(['k/0227', 'k/0228']);
  });

  it('are exported in one request', async () => {
    const rows = await collect(client.snapshots.export(record));
    expect(rows).toHaveLength(ROWS);
    expect(rows[7]).toEqual({ id: 'k/0007', price: '2', note: 'é\u2028' });
  });

  it('are files, too', async () => {
    const file = await client.snapshots.download(record, 'latest', { format: 'csv' });
    expect(file.fileName).toMatch(/\.csv$/);
    const rows = file.rows();
    await expect(rows.next()).rejects.toThrow(RecordwatchError);
    expect((await file.text()).split('\n')[8]).toContain('k/0007');
  });

  it('are found by a key with any characters', async () => {
    expect((await client.snapshots.row(record, 'k/0007')).data).toMatchObject({ price: '2' });
    const history = await client.snapshots.rowHistory(record, 'k/0007', { order: 'asc' }).toArray();
    expect(history.map(({ changeType }) => changeType)).toEqual(['new', 'changed']);
  });

  it('are counted', async () => {
    const result = await client.snapshots.query(record, { measures: [{ measure: 'count' }] });
    expect(JSON.stringify(result)).toContain(String(ROWS));
  });
});

it('changes have their rows, and snapshots are compared', async () => {
  const events = await client.changes.list(record, { order: 'asc' }).toArray();
  expect(events).toHaveLength(2);
  const [row, ...others] = await client.changes.rows(record, 'latest').toArray();
  expect(others).toEqual([]);
  expect(row).toMatchObject({ key: 'k/0007', before: { price: '1' }, after: { price: '2' } });
  const [from, to] = events.map(({ snapshotId }) => snapshotId);
  const compared = { from: from ?? '', to: to ?? '' };
  expect(await client.changes.compareRows(record, compared).toArray()).toMatchObject([{ key: 'k/0007' }]);
});
