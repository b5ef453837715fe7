import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../../support/rows/factories.ts';

const api = useApi();
let id = '';
let cursor = '';

beforeAll(async () => {
  id = await createTestRecord(api.db, api.accountId);
  for (const price of ['1', '2', '3'])
    await commitRows(api.db, id, { a: `{"p":${price}}`, b: `{"p":${price}}` });
  cursor = (await api.call('GET', `/v1/sources/${id}/delta?limit=1`)).body.nextCursor;
});

/** The error code of the answer; undefined without an error. */
async function codeOf(url: string): Promise<string | undefined> {
  return (await api.call('GET', url)).body.code;
}

describe('a cursor', () => {
  it('works with another page size', async () => {
    const { body } = await api.call('GET', `/v1/sources/${id}/delta?limit=5&cursor=${cursor}`);
    expect(body.events.map(({ number }: { number: number }) => number)).toEqual([2, 1]);
  });

  it('is refused with any bit flipped', async () => {
    const bytes = Buffer.from(cursor, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await codeOf(`/v1/sources/${id}/delta?cursor=${flipped.toString('base64url')}`)).toBe(
        'invalid_cursor',
      );
    }
  });

  it('is refused if truncated, extended or invented', async () => {
    for (const bad of [cursor.slice(0, -1), cursor.slice(4), `${cursor}A`, 'abc', '%00', '1', 'null']) {
      expect(await codeOf(`/v1/sources/${id}/delta?cursor=${bad}`)).toBe('invalid_cursor');
    }
  });

  it('regression: that is empty returns the first page', async () => {
    for (const listing of [`sources/${id}/delta`, `sources/${id}/checks`, 'sources', 'apikeys']) {
      const first = await api.call('GET', `/v1/${listing}?limit=1`);
      expect((await api.call('GET', `/v1/${listing}?limit=1&cursor=`)).body).toEqual(first.body);
    }
  });

  it('is refused for another list, order, filter or record', async () => {
    const other = await createTestRecord(api.db, api.accountId);
    for (const rest of [
      `${id}/delta?order=asc&`,
      `${id}/delta?changesOnly=true&`,
      `${id}/delta?since=2020-01-01&`,
      `${id}/checks?`,
      `${id}/snapshots?`,
      `${id}/snapshot-rows?`,
      `${id}/webhooks?`,
      `${other}/delta?`,
    ]) {
      expect(await codeOf(`/v1/sources/${rest}cursor=${cursor}`)).toBe('invalid_cursor');
    }
    expect(await codeOf(`/v1/sources?cursor=${cursor}`)).toBe('invalid_cursor');
  });

  it('of the rows of one event is refused for another', async () => {
    const { body } = await api.call('GET', `/v1/sources/${id}/delta`);
    const [third, second] = body.events;
    const rows = await api.call('GET', `/v1/sources/${id}/delta/${third.id}/rows?limit=1`);
    expect(rows.body.hasMore).toBe(true);
    expect(await codeOf(`/v1/sources/${id}/delta/${second.id}/rows?cursor=${rows.body.nextCursor}`)).toBe(
      'invalid_cursor',
    );
  });

  it('of one account’s records is refused for another', async () => {
    await createTestRecord(api.db, api.accountId);
    const { body } = await api.call('GET', '/v1/sources?limit=1');
    const { value: key } = await createKey(api.db, await createAccount(api.db), 'read');
    const { status } = await api.call('GET', `/v1/sources?cursor=${body.nextCursor}`, { key });
    expect(status).toBe(400);
  });
});
