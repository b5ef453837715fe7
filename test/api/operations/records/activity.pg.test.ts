import { beforeAll, describe, expect, it } from 'vitest';
import { rawRows } from '../../../../db/driver/knex.ts';
import { useApi } from '../../../support/api/api.ts';
import { createAccount, createKey, createTestRecord } from '../../../support/rows/factories.ts';

const api = useApi();
const DAY_MS = 86_400_000;
let key: string;
let accountId: string;
let record: string;
let quiet: string;

interface Past {
  at: string;
  outcome?: 'changed' | 'unchanged' | 'failed' | 'held';
  counts?: [number, number, number];
}

const NO_ROWS: [number, number, number] = [0, 0, 0];

/** Checks that ended at these times, in this order, as if the ones before number `from` were no longer kept. */
async function putChecks(recordId: string, checks: readonly Past[], from = 1): Promise<void> {
  for (const [index, { at, outcome = 'changed', counts = NO_ROWS }] of checks.entries()) {
    const number = from + index;
    const [added, changed, deleted] = counts;
    const id = `${recordId}-${number}`;
    await rawRows(
      api.db,
      `insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome)
       values (:id, :recordId, :number, 'schedule', :at, :at, :outcome)`,
      { id, recordId, number, at, outcome },
    );
    if (outcome === 'failed' || outcome === 'held') continue;
    await rawRows(
      api.db,
      `insert into delta_events (id, record_id, number, check_id, snapshot_id, generation, sequence, detected_at,
         is_no_change, new_count, changed_count, deleted_count, unchanged_count, total_count)
       values (:id, :recordId, :number, :id, 'snap', 1, 1, :at, :isNoChange, :added, :changed, :deleted, 0, 0)`,
      {
        id,
        recordId,
        number,
        at,
        isNoChange: outcome === 'unchanged',
        added,
        changed,
        deleted,
      },
    );
  }
  await rawRows(api.db, 'update record_heads set check_number = ? where record_id = ?', [
    from + checks.length - 1,
    recordId,
  ]);
}

const activity = (query: string, id = record) =>
  api.call('GET', `/v1/sources/${id}/activity?${query}`, { key });

beforeAll(async () => {
  accountId = await createAccount(api.db);
  ({ value: key } = await createKey(api.db, accountId, 'read'));
  record = await createTestRecord(api.db, accountId);
  quiet = await createTestRecord(api.db, accountId);
  await putChecks(
    record,
    [
      { at: '2026-03-01T22:59:59.999Z', counts: [100, 0, 0] },
      { at: '2026-03-01T23:00:00.000Z', counts: [1, 2, 3] },
      { at: '2026-03-01T23:30:00.000Z', counts: [10, 20, 30] },
      { at: '2026-03-01T23:59:59.999Z', outcome: 'failed' },
      { at: '2026-03-02T00:00:00.000Z', outcome: 'unchanged' },
      { at: '2026-03-02T02:10:00.000Z', outcome: 'held' },
      { at: '2026-03-02T02:20:00.000Z', outcome: 'failed' },
      { at: '2026-03-02T03:00:00.000Z', counts: [7, 0, 0] },
    ],
    41,
  );
});

const NONE = { newCount: 0, changedCount: 0, deletedCount: 0, checks: 0, failed: 0, held: 0 };

describe('the activity of a record', () => {
  it('is counted by UTC hour, including hours without any', async () => {
    const { status, body } = await activity(
      'since=2026-03-01T23:20:00Z&until=2026-03-02T03:00:00Z&step=hour',
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      sourceId: record,
      step: 'hour',
      since: '2026-03-01T23:00:00.000Z',
      until: '2026-03-02T03:00:00.000Z',
      buckets: [
        {
          ...NONE,
          start: '2026-03-01T23:00:00.000Z',
          newCount: 11,
          changedCount: 22,
          deletedCount: 33,
          checks: 3,
          failed: 1,
        },
        { ...NONE, start: '2026-03-02T00:00:00.000Z', checks: 1 },
        { ...NONE, start: '2026-03-02T01:00:00.000Z' },
        { ...NONE, start: '2026-03-02T02:00:00.000Z', checks: 2, failed: 1, held: 1 },
      ],
    });
  });

  it('is counted by day, for any part of the history', async () => {
    const { body } = await activity('since=2026-02-27&until=2026-03-03');
    const { buckets } = body as { buckets: { checks: number; newCount: number }[] };
    expect(buckets.map(({ checks }) => checks)).toEqual([0, 0, 4, 4]);
    expect(buckets.map(({ newCount }) => newCount)).toEqual([0, 0, 111, 7]);
    const { body: later } = await activity('since=2026-03-02&until=2026-03-03');
    expect(later.buckets).toEqual([buckets[3]]);
    const { body: after } = await activity('since=2026-03-03&until=2026-03-04');
    expect(after.buckets).toEqual([{ ...NONE, start: '2026-03-03T00:00:00.000Z' }]);
  });

  it('covers 30 days up to today, and stays the same while nothing happens', async () => {
    const { body, headers } = await activity('', quiet);
    expect(body.buckets).toHaveLength(30);
    const today = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS).toISOString();
    expect(body.buckets.at(-1)).toEqual({ ...NONE, start: today });
    const again = await api.call('GET', `/v1/sources/${quiet}/activity`, {
      key,
      headers: { 'if-none-match': String(headers['etag']) },
    });
    expect(again.status).toBe(304);
  });

  it('ends where requested: an empty period is empty', async () => {
    expect((await activity('since=2026-03-02&until=2026-03-02')).body.buckets).toEqual([]);
  });

  it('has at most 750 buckets, and says what to request instead', async () => {
    const { body } = await activity('since=2026-03-01&until=2026-04-01T06:00:00Z&step=hour');
    expect(body.buckets).toHaveLength(750);
    const refused = await activity('since=2026-03-01&until=2026-04-01T06:00:01Z&step=hour');
    expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed']);
    expect(refused.body.detail).toContain('step=day');
    expect((await activity('since=0001-01-01&step=day')).status).toBe(422);
  });

  it.each(['since=yesterday', 'until=2026-02-30', 'since=2026-03-02&until=2026-03-01', 'step=week'])(
    'does not take %s',
    async (query) => {
      const { status, body } = await activity(query);
      expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    },
  );
});

describe('the activity of all records', () => {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const daysAgo = (days: number, hours = 12): string =>
    new Date(today - days * DAY_MS + hours * 3_600_000).toISOString();
  let first: string;
  let second: string;
  let others: string;

  beforeAll(async () => {
    const account = await createAccount(api.db);
    ({ value: others } = await createKey(api.db, account, 'read'));
    first = await createTestRecord(api.db, account);
    second = await createTestRecord(api.db, account);
    await createTestRecord(api.db, account);
    await putChecks(first, [
      { at: daysAgo(7, 0), counts: [5, 0, 0] },
      { at: daysAgo(6, 0), counts: [1, 2, 3] },
      { at: daysAgo(1, 23), counts: [1, 1, 1] },
      { at: daysAgo(1, 23.5), counts: [0, 4, 0] },
      { at: daysAgo(0, 0), counts: [0, 0, 9] },
    ]);
    await putChecks(second, [
      { at: daysAgo(3), outcome: 'unchanged' },
      { at: daysAgo(2), outcome: 'failed' },
    ]);
  });

  it('is a number of rows for each day, today last', async () => {
    const { body } = await api.call('GET', '/v1/activity?days=7', { key: others });
    expect(body.since).toBe(daysAgo(6, 0));
    expect(body).toMatchObject({ count: 3, hasMore: false });
    expect(body.activity.slice(1)).toEqual([
      { sourceId: second, changes: [0, 0, 0, 0, 0, 0, 0] },
      { sourceId: first, changes: [6, 0, 0, 0, 0, 7, 9] },
    ]);
    const { body: usual } = await api.call('GET', '/v1/activity', { key: others });
    expect(usual.activity.at(-1).changes).toHaveLength(30);
    expect(usual.activity.at(-1).changes.slice(22, 24)).toEqual([5, 6]);
  });

  it('covers the named records, if the caller may see them', async () => {
    const named = `sourceId=${first}&sourceId=${record}`;
    const { body } = await api.call('GET', `/v1/activity?days=1&${named}`, { key: others });
    expect(body.activity).toEqual([{ sourceId: first, changes: [9] }]);
  });

  it('comes in pages, newest records first', async () => {
    const page = await api.call('GET', '/v1/activity?limit=2', { key: others });
    expect(page.body).toMatchObject({ count: 2, hasMore: true });
    const rest = await api.call('GET', `/v1/activity?cursor=${page.body.nextCursor}`, { key: others });
    expect(rest.body.activity.map(({ sourceId }: { sourceId: string }) => sourceId)).toEqual([first]);
    const named = await api.call('GET', `/v1/activity?cursor=${page.body.nextCursor}&sourceId=${first}`, {
      key: others,
    });
    expect(named.body.code).toBe('invalid_cursor');
  });

  it.each(['days=0', 'days=91', 'days=1.5', 'sourceId=mine'])('does not take %s', async (query) => {
    expect((await api.call('GET', `/v1/activity?${query}`, { key: others })).body.code).toBe(
      'invalid_parameter',
    );
  });
});

it('regression: goes no further back than the year 0', async () => {
  const { status, body } = await api.call('GET', `/v1/sources/${record}/activity?until=0000-01-02`, { key });
  expect(status).toBe(200);
  expect(body).toMatchObject({ since: '0000-01-01T00:00:00.000Z', until: '0000-01-02T00:00:00.000Z' });
  expect(body.buckets).toHaveLength(1);
});
