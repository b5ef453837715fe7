// The history of a row over changes of the settings: what happened to the row stays, and the settings are no change of it.
import { describe, expect, it } from 'vitest';
import type { ColumnRules } from '../../../../core/delta/rules/column-rules.ts';
import { commitTable, keyedRows, rekeyTable, table, type Table } from '../../../db/factories.ts';
import { useApi } from '../../../support/api/api.ts';
import { createTestRecord } from '../../../support/rows/factories.ts';

const api = useApi();

const RULES: ColumnRules = { value: { ignoreCase: true } };

async function play(...versions: Table[]): Promise<string> {
  const recordId = await createTestRecord(api.db, api.accountId);
  for (const version of versions) await commitTable(api.db, recordId, version);
  return recordId;
}

const history = async (recordId: string, key: string, query = '') =>
  (await api.call('GET', `/v1/sources/${recordId}/rows/${key}/history${query}`)).body;

interface Entry {
  changeType: string;
  before: { value: string } | null;
  after: { value: string } | null;
}

const said = ({ rows }: { rows: Entry[] }): string[] =>
  rows.map(({ changeType, before, after }) => `${changeType} ${before?.value ?? ''}>${after?.value ?? ''}`);

describe('regression: after a change of the settings', () => {
  it('a row has not appeared, and its earlier changes are shown', async () => {
    const recordId = await play(table({ MIT: 'a', BSD: 'x' }), table({ MIT: 'b', BSD: 'x', GPL: 'y' }), table({ MIT: 'b', GPL: 'y' })); // prettier-ignore
    await rekeyTable(api.db, recordId, table({ MIT: 'b', GPL: 'y' }), { rules: RULES });
    const before = await history(recordId, 'MIT');
    expect(said(before)).toEqual(['changed a>b', 'new >a']);
    expect(said(await history(recordId, 'BSD'))).toEqual(['deleted x>', 'new >x']);
    await commitTable(api.db, recordId, table({ MIT: 'c', ISC: 'z' }));
    expect(said(await history(recordId, 'MIT'))).toEqual(['changed b>c', 'changed a>b', 'new >a']);
    expect(said(await history(recordId, 'GPL'))).toEqual(['deleted y>', 'new >y']);
    expect(said(await history(recordId, 'ISC'))).toEqual(['new >z']);
    expect((await history(recordId, 'none')).status).toBe(404);
  });

  it('pages continue from one generation to the next, in both orders', async () => {
    const recordId = await play(table({ a: '0' }), table({ a: '1' }));
    for (let at = 1; at <= 4; at += 1) {
      await rekeyTable(api.db, recordId, table({ a: String(at) }));
      if (at !== 2) await commitTable(api.db, recordId, table({ a: String(at + 1) }));
      else await rekeyTable(api.db, recordId, table({ a: '3' }));
    }
    const ascending = ['new >0', 'changed 0>1', 'changed 1>2', 'changed 3>4', 'changed 4>5'];
    for (const order of ['asc', 'desc'] as const) {
      const seen: string[] = [];
      for (let cursor = ''; ;) {
        const page = await history(recordId, 'a', `?limit=1&order=${order}${cursor}`);
        expect(page.count).toBe(1);
        seen.push(...said(page));
        if (page.hasMore !== true) break;
        cursor = `&cursor=${page.nextCursor}`;
      }
      expect(seen).toEqual(order === 'asc' ? ascending : ascending.toReversed());
    }
  });

  it('a row without an entry is there, and says nothing', async () => {
    const recordId = await play(table({ a: '1' }));
    await rekeyTable(api.db, recordId, table({ a: '1' }), { keyFields: ['value'] });
    expect(await history(recordId, 'a')).toMatchObject({ status: 422, code: 'different_keys' });
    expect(await history(recordId, '1')).toMatchObject({ count: 0, rows: [], hasMore: false });
    await rekeyTable(api.db, recordId, table({ a: '1' }));
    expect(said(await history(recordId, 'a'))).toEqual([]);
  });
});

describe('regression: after other key fields, and then the first ones again', () => {
  it('the history begins again, and skips no change', async () => {
    const recordId = await play(table({ a: '1', b: '1' }), table({ a: '2', b: '1' }));
    await rekeyTable(api.db, recordId, table({ a: '2', b: '1' }), { keyFields: ['value'] });
    await rekeyTable(api.db, recordId, table({ a: '3' }));
    expect(await history(recordId, 'b')).toMatchObject({ status: 422, code: 'different_keys' });
    await commitTable(api.db, recordId, table({ a: '4', b: '1' }));
    expect(said(await history(recordId, 'a'))).toEqual(['changed 3>4']);
    expect(said(await history(recordId, 'b'))).toEqual(['new >1']);
  });

  it('the history of a row without a key begins again', async () => {
    const [a, both] = [table({ a: '1' }), table({ a: '1', b: '1' })];
    const keyless = { keyless: {} };
    const recordId = await createTestRecord(api.db, api.accountId);
    for (const version of [both, a, both]) await commitTable(api.db, recordId, version, keyless);
    const key = keyedRows(table({ b: '1' }), undefined, [])[0]?.key ?? '';
    expect(said(await history(recordId, key))).toEqual(['new >1', 'deleted 1>', 'new >1']);
    await rekeyTable(api.db, recordId, both);
    await rekeyTable(api.db, recordId, a, { keyFields: [] });
    await commitTable(api.db, recordId, both, keyless);
    expect(said(await history(recordId, key))).toEqual(['new >1']);
  });
});

describe('after a start over', () => {
  it('regression: the history begins again where there were no rows', async () => {
    const recordId = await play(table({ a: '1', b: '1' }), table({ a: '2', b: '1' }));
    await rekeyTable(api.db, recordId, table({}), { startsOver: true });
    expect(await history(recordId, 'b')).toMatchObject({ status: 422, code: 'different_keys' });
    await commitTable(api.db, recordId, table({ a: '7', c: '1' }));
    expect(await history(recordId, 'b')).toMatchObject({ status: 422, code: 'different_keys' });
    expect(said(await history(recordId, 'a'))).toEqual(['new >7']);
    await rekeyTable(api.db, recordId, table({ a: '7', c: '1' }));
    await commitTable(api.db, recordId, table({ a: '8', c: '1' }));
    expect(said(await history(recordId, 'a'))).toEqual(['changed 7>8', 'new >7']);
  });

  it('the history begins again, without saying that a row is new', async () => {
    const recordId = await play(table({ a: '1', b: '1' }), table({ a: '2', b: '1' }));
    await rekeyTable(api.db, recordId, table({ a: '7' }), { startsOver: true });
    expect(await history(recordId, 'b')).toMatchObject({ status: 422, code: 'different_keys' });
    expect(said(await history(recordId, 'a'))).toEqual([]);
    await rekeyTable(api.db, recordId, table({ a: '7' }), { rules: RULES });
    await commitTable(api.db, recordId, table({ a: '8', b: '1' }));
    expect(said(await history(recordId, 'a'))).toEqual(['changed 7>8']);
    expect(said(await history(recordId, 'b'))).toEqual(['new >1']);
  });
});
