// Conditions of the feed: which events they let pass, what a cursor passes, and what bounds a page.
import { beforeEach, describe, expect, it } from 'vitest';
import { readCondition } from '../../../core/conditions/condition.ts';
import { readFeed } from '../../../db/feeds/feed-events.ts';
import { decideFeedEvents } from '../../../db/feeds/met-events.ts';
import { commitProblemCheck } from '../../../db/commit/checks.ts';
import { useApi } from '../../support/api/api.ts';
import {
  commitRows,
  createAccount,
  createKey,
  createTestRecord,
  newTestId,
} from '../../support/rows/factories.ts';

const api = useApi();

let accountId = '';
let key = '';
let record = '';
beforeEach(async () => {
  accountId = await createAccount(api.db);
  key = (await createKey(api.db, accountId, 'read')).value;
  record = await createTestRecord(api.db, accountId);
  await commit(100, 100);
});

const commit = (...prices: number[]) =>
  commitRows(
    api.db,
    record,
    Object.fromEntries(prices.map((price, id) => [id, JSON.stringify({ id: `${id}`, price: `${price}` })])),
  );

const FELL = { some: [{ var: 'rows' }, { '<': [{ percent: 'price' }, -5] }] };

const read = (condition: unknown, query = '', headers: Record<string, string> = {}) => {
  const text = typeof condition === 'string' ? condition : JSON.stringify(condition);
  return api.call('GET', `/v1/events?condition=${encodeURIComponent(text)}${query}`, { key, headers });
};

/** What each event of an answer is, with what the condition says of it. */
const shown = ({ body }: { body: { events: Record<string, unknown>[] } }) =>
  body.events.map(({ type, summary, condition }) => [type, summary, condition]);
const changed = (changedCount: number) => expect.objectContaining({ changedCount });

const fail = () =>
  commitProblemCheck(
    api.db,
    'failed',
    {
      id: newTestId('check'),
      recordId: record,
      trigger: 'schedule',
      startedAt: new Date(),
      httpStatus: 503,
      bytes: null,
      rows: null,
      nextCheckInMs: 60_000,
    },
    { code: 'http_error', detail: 'It was 503.' },
  );

describe('a condition of the feed', () => {
  it('lets the deltas pass that meet it, and everything that is no delta', async () => {
    await commit(96, 96);
    await commit(90, 96);
    await fail();
    await commit(90, 80);
    expect(shown(await read(FELL))).toEqual([
      ['delta', changed(1), 'met'],
      ['check.failed', undefined, undefined],
      ['delta', changed(1), 'met'],
      ['check.recovered', undefined, undefined],
    ]);
    expect(shown(await read({ '==': [{ var: 'changedCount' }, 2] }, '&type=delta'))).toEqual([
      ['delta', changed(2), 'met'],
    ]);
    const without = await api.call('GET', '/v1/events', { key });
    expect(without.body.count).toBe(5);
    expect(without.text).not.toContain('"condition"');
  });

  it('does not hold the cursor: it passes what the condition excludes', async () => {
    for (const price of [99, 98, 97, 50]) await commit(price, 100);
    const first = await read(FELL, '&limit=3');
    expect(first.body).toMatchObject({ events: [], hasMore: true });
    const second = await read(FELL, `&limit=3&since=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ events: [{ condition: 'met' }], hasMore: false });
    expect((await read(FELL, `&since=${second.body.nextCursor}`)).body).toMatchObject({
      events: [],
      hasMore: false,
    });
  });

  it('keeps a waiting call waiting until an event meets it', async () => {
    const { nextCursor } = (await read(FELL)).body;
    const waiting = read(FELL, `&since=${nextCursor}`, { prefer: 'wait=60' });
    await commit(99, 100);
    await commit(50, 100);
    expect(shown(await waiting)).toEqual([['delta', changed(1), 'met']]);
  });

  it('shows an event whose rows are gone, unless its counts decide', async () => {
    await commit(50, 100);
    await api.db('delta_events').where({ recordId: record, isNoChange: false }).delete();
    expect(shown(await read(FELL))).toEqual([['delta', changed(1), 'undecided']]);
    expect(shown(await read({ '>': [{ var: 'changedCount' }, 1] }))).toEqual([]);
    expect(shown(await read({ '==': [{ var: 'changedCount' }, 1] }))).toEqual([['delta', changed(1), 'met']]);
  });

  it.each([
    ['{', 'condition'],
    ['{"some": [{"var": "rows"}, {"<": [{"percent": "price"}, "much"]}]}', 'condition/some/1/<'],
    ['{"var": "deletedCount"}', 'condition/var'],
    ['[]', 'condition'],
  ])('%s is refused', async (condition, pointer) => {
    const { status, body } = await read(condition);
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    expect(body.errors).toEqual([expect.objectContaining({ pointer, code: 'invalid_value' })]);
  });

  it('ends a page before an event for which it would read too many rows, and decides that in the next', async () => {
    await commit(90, 90, 90);
    await commit(80, 80, 80);
    await commit(70, 70, 70);
    const selection = { accountId, reach: null, recordId: null, types: null, labels: [] };
    const page = await readFeed(api.db, selection, null, { limit: 10, maxBytes: 1_000_000 });
    const events = page?.events ?? [];
    const condition = readCondition({ all: [{ var: 'rows' }, { '<': [{ after: 'price' }, 95] }] });
    if ('faults' in condition) throw new Error('The condition is valid');
    const decide = (from: number, rows: number, bytes = 100_000) =>
      decideFeedEvents(api.db, events.slice(from), condition.condition, { rows, bytes });
    expect(await decide(0, 20)).toEqual(['met', 'met', 'met']);
    expect(await decide(0, 5)).toEqual(['met']);
    expect(await decide(1, 5)).toEqual(['met']);
    // An event that is larger than what a page may read holds up nothing.
    expect(await decide(2, 2)).toEqual(['undecided']);
    // Its rows have more bytes than that.
    expect(await decide(0, 20, 60)).toEqual(['met']);
    expect(await decide(1, 20, 60)).toEqual(['met']);
  });
});
