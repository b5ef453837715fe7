// POST /v1/sources/:id/preview/events: the latest events under other rules and ignored fields.
// test/core/delta/replay-events.conformance.pg.test.ts compares replayed events with those of a record that has the rules.
import { beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../../../support/rows/factories.ts';

const api = useApi();

let accountId: string;
let key: string;
let recordId: string;
beforeEach(async () => {
  accountId = await createAccount(api.db);
  ({ value: key } = await createKey(api.db, accountId, 'read'));
  recordId = await createTestRecord(api.db, accountId);
});

const preview = (body: object) => api.call('POST', `/v1/sources/${recordId}/preview/events`, { key, body });

const commit = (rows: Record<string, { price: string; seen?: string }>, columns?: string[]) =>
  commitRows(
    api.db,
    recordId,
    Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, JSON.stringify({ id, ...row })])),
    columns,
  );

const counts = (newCount: number, changedCount: number, deletedCount: number) => ({
  newCount,
  changedCount,
  deletedCount,
});

describe('a preview of events', () => {
  it('says which would have been reported, newest first, and changes nothing', async () => {
    await commit({ a: { price: '1' }, b: { price: '5' } });
    await commit({ a: { price: '1.0' }, b: { price: '6' } });
    await commit({ a: { price: '1.00' }, b: { price: '6' } });
    await commit({ a: { price: '1.00' }, c: { price: '7' } });
    const before = (await api.call('GET', `/v1/sources/${recordId}/delta`, { key })).text;
    const { status, body } = await preview({ rules: { price: { as: 'number', trim: false } } });
    expect([status, body.sourceId, body.rules]).toEqual([200, recordId, { price: { as: 'number' } }]);
    expect(body.events).toMatchObject([
      { summary: counts(1, 0, 1), underRules: counts(1, 0, 1), rowsRead: 2, isReported: true },
      { summary: counts(0, 1, 0), underRules: counts(0, 0, 0), rowsRead: 1, isReported: false },
      { summary: counts(0, 2, 0), underRules: counts(0, 1, 0), rowsRead: 2, isReported: true },
    ]);
    expect((await api.call('GET', `/v1/sources/${recordId}/delta`, { key })).text).toBe(before);
  });

  it('leaves out an event that only adds an ignored column', async () => {
    await commit({ a: { price: '1' } });
    await commit({ a: { price: '1', seen: 'monday' } }, ['id', 'price', 'seen']);
    const ignoring = await preview({ ignoreFields: ['seen'] });
    expect(ignoring.body.events).toMatchObject([{ underRules: counts(0, 0, 0), isReported: false }]);
    const other = await preview({ ignoreFields: ['price'] });
    expect(other.body.events).toMatchObject([{ underRules: counts(0, 1, 0), isReported: true }]);
  });

  it('leaves out an ignored field, and uses the record’s rules where none are given', async () => {
    await api
      .db('records')
      .where({ id: recordId })
      .update({ rules: { price: { as: 'number' } } });
    await commit({ a: { price: '1', seen: 'monday' } });
    await commit({ a: { price: '1.0', seen: 'tuesday' } });
    const { body } = await preview({ ignoreFields: ['seen'] });
    expect(body).toMatchObject({
      ignoreFields: ['seen'],
      rules: { price: { as: 'number' } },
      events: [{ isReported: false }],
    });
  });

  it('says whether checks that reported nothing could have been others', async () => {
    await commit({ a: { price: '1', seen: 'monday' } });
    await commit({ a: { price: '2', seen: 'tuesday' } });
    const inForce = { ignoreFields: ['seen'], rules: { price: { as: 'number', trim: true } } } as const;
    await api
      .db('record_heads')
      .where({ recordId })
      .update({ ignoreFields: ['seen'], rules: inForce.rules });
    const isWhole = async (body: object) => (await preview({ ...inForce, ...body })).body.isWhole;
    expect(await isWhole({})).toBe(true);
    expect(
      await isWhole({ rules: { price: { ...inForce.rules.price, ignoreCase: true }, seen: { trim: true } } }),
    ).toBe(true);
    expect(await isWhole({ rules: { price: { trim: true } } })).toBe(false);
    expect(await isWhole({ rules: {}, ignoreFields: ['seen', 'price'] })).toBe(true);
    expect(await isWhole({ ignoreFields: [] })).toBe(false);
    // An event of an earlier generation may be from stricter settings.
    await api.db('record_heads').where({ recordId }).increment('generation', 1);
    expect(await isWhole({})).toBe(false);
  });

  it('measures a tolerance from the value that was reported last', async () => {
    for (const price of ['100', '100.6', '101.2', '101.8']) await commit({ a: { price } });
    const { body } = await preview({ rules: { price: { as: 'number', tolerance: '1' } } });
    const reported = body.events.map(({ isReported }: { isReported: boolean }) => isReported);
    expect(reported).toEqual([false, true, false]);
  });

  it('covers the latest ten events with changes', async () => {
    for (let price = 0; price < 14; price += 1) await commit({ a: { price: String(price) } });
    expect((await preview({})).body.events.length).toBe(10);
  });

  it('says that it has not read every row of a large event', async () => {
    const rows = (price: string) =>
      Object.fromEntries(Array.from({ length: 2_100 }, (_, index) => [`k${index}`, { price }]));
    await commit(rows('1'));
    await commit(rows('1.0'));
    await commit({ ...rows('1.0'), k0: { price: '2' } });
    const { body } = await preview({ rules: { price: { as: 'number' } } });
    expect(body.events).toMatchObject([
      { rowsRead: 1, isReported: true },
      { summary: counts(0, 2_100, 0), rowsRead: 2_000, underRules: counts(0, 0, 0), isReported: null },
    ]);
  });

  it('leaves out events with other key fields', async () => {
    await commit({ a: { price: '1' } });
    await commit({ a: { price: '2' } });
    await api.db('record_heads').where({ recordId }).increment('generation', 1);
    expect((await preview({})).body.events.length).toBe(1);
    await api
      .db('record_heads')
      .where({ recordId })
      .update({ keyFields: ['price'] });
    expect((await preview({})).body.events).toEqual([]);
  });

  it('regression: keeps a rule for a column that was detected as the key, without an effect, as PATCH does', async () => {
    await commit({ a: { price: '1' } });
    await commit({ ' a': { price: '1' } });
    const { status, body } = await preview({ rules: { id: { trim: true } }, ignoreFields: ['id'] });
    expect([status, body.rules]).toEqual([200, { id: { trim: true } }]);
    expect(body.events).toMatchObject([{ underRules: counts(1, 0, 1), isReported: true }]);
  });

  it('names the rule that cannot be, and is not for others', async () => {
    recordId = await createTestRecord(api.db, accountId, { keyFields: ['id'] });
    await commit({ a: { price: '1' } });
    const { status, body } = await preview({ rules: { id: { trim: true } } });
    expect([status, body.errors]).toMatchObject([422, [{ pointer: '/rules/id' }]]);
    const stranger = await createKey(api.db, await createAccount(api.db), 'read');
    const path = `/v1/sources/${recordId}/preview/events`;
    expect((await api.call('POST', path, { key: stranger.value, body: {} })).status).toBe(404);
    const { value } = await createKey(api.db, accountId, 'download');
    expect((await api.call('POST', path, { key: value, body: {} })).status).toBe(403);
  });
});
