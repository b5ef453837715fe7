// Which webhooks get a delivery: filters decide at the commit, and events of checks go to webhooks that subscribe to them.
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commitProblemCheck, commitUnchangedCheck } from '../../../db/commit/checks.ts';
import type { ChangeType } from '../../../db/rows/delta-rows.ts';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { CONCERNS, insertDeliveries } from '../../../db/webhooks/new-deliveries.ts';
import { type WebhookSettings, updateWebhook } from '../../../db/webhooks/webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';
import { checkFacts, commitTable, makeRecord, makeWebhook, newId, type Table } from '../factories.ts';

let database: TestDatabase;
let db: Database;
let recordId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
beforeEach(async () => {
  recordId = await makeRecord(db);
});
afterAll(() => database.drop());

interface Row {
  id: string;
  webhookId: string;
  eventType: string;
  eventData: Record<string, unknown> | null;
  checkId: string;
  createdAt: Date;
}

const owed = (checkId: string): Promise<Row[]> => db('deliveries').where({ checkId }).orderBy('webhookId');

async function webhook(settings: Partial<WebhookSettings> = {}): Promise<string> {
  const id = await makeWebhook(db, recordId);
  if (Object.keys(settings).length > 0) await updateWebhook(db, { recordId }, id, settings);
  return id;
}

type Cells = Record<string, readonly [price: string | null, stock: string | null]>;

/** Cells that are null are missing: `undefined` has no text. */
const tableOf = (rows: Cells): Table => ({
  columns: ['id', 'price', 'stock'],
  rows: Object.entries(rows).map(([id, cells]) => [id, ...cells].map((cell) => JSON.stringify(cell))),
});

/** @returns the check's id */
async function commit(rows: Cells): Promise<string> {
  const checkId = newId('check');
  const { outcome } = await commitTable(db, recordId, tableOf(rows), { checkId });
  expect(['changed', 'unchanged']).toContain(outcome);
  return checkId;
}

const DRIVEN = { urlHash: 'hash', etag: null, lastModified: null };
const fails = (id: string, code: 'http_error' | 'internal' = 'http_error') =>
  commitProblemCheck(db, 'failed', checkFacts(recordId, { id }), { code, detail: 'In words.' });

describe('filters', () => {
  it('match rows, and require a number of them', async () => {
    const wanted = await Promise.all([
      webhook(),
      webhook({ changeTypes: ['changed'] }),
      webhook({ changeTypes: ['new', 'deleted'] }),
      webhook({ columns: ['price'] }),
      webhook({ columns: ['stock', 'price'], minChanges: 3 }),
      webhook({ minChanges: 3 }),
      webhook({ columns: ['stock'], changeTypes: ['changed', 'new'] }),
    ]);
    const unwanted = await Promise.all([
      webhook({ changeTypes: ['deleted'] }),
      webhook({ columns: ['stock'], changeTypes: ['changed'] }),
      webhook({ columns: ['no such column'], changeTypes: ['changed'] }),
      webhook({ columns: ['price'], changeTypes: ['changed'], minChanges: 3 }),
      webhook({ minChanges: 4 }),
      webhook({ enabled: false }),
      webhook({ eventTypes: ['check.failed'] }),
    ]);
    await commit({ a: ['1.10', '1'], b: ['2', '1'] });
    const checkId = await commit({ a: ['1.1', '1'], b: ['3', '1'], c: ['9', '9'] });
    const found = (await owed(checkId)).map(({ webhookId }) => webhookId);
    expect(found.filter((id) => unwanted.includes(id))).toEqual([]);
    expect(found).toEqual(wanted.toSorted());
  });

  const cell = fc.constantFrom('1', '1.0', null);
  const cells = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.tuple(cell, cell), { maxKeys: 5 });
  const someOf = <T>(...values: T[]) => fc.option(fc.subarray(values, { minLength: 1 }));
  const filters = fc.record({
    changeTypes: someOf<ChangeType>('new', 'changed', 'deleted'),
    columns: someOf('price', 'stock', 'other'),
    minChanges: fc.option(fc.integer({ min: 1, max: 4 })),
  });

  /** The rule, written simply: which rows differ, which of them match, and whether they are enough. */
  function concerns(before: Cells, after: Cells, { changeTypes, columns, minChanges }: Filters): boolean {
    const differs = (key: string): ChangeType | undefined => {
      const [old, now] = [before[key], after[key]];
      if (old === undefined) return 'new';
      if (now === undefined) return 'deleted';
      return old[0] === now[0] && old[1] === now[1] ? undefined : 'changed';
    };
    const passes = (key: string): boolean => {
      const type = differs(key);
      if (type === undefined || !(changeTypes ?? [type]).includes(type)) return false;
      if (type !== 'changed' || columns === null) return true;
      const at = (name: string, of: Cells) => of[key]?.[name === 'price' ? 0 : 1];
      return columns.some((name) => name !== 'other' && at(name, before) !== at(name, after));
    };
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].filter(passes).length >= (minChanges ?? 1);
  }
  type Filters = Pick<WebhookSettings, 'changeTypes' | 'columns' | 'minChanges'>;

  async function listConcerned(checkId: string): Promise<string[]> {
    const concerned = await rawRows<{ id: string }>(
      db,
      `select webhooks.id from webhooks join delta_events on delta_events.check_id = ?
       join record_heads on record_heads.record_id = webhooks.record_id
       where webhooks.record_id = ? and ${CONCERNS} order by webhooks.id`,
      [checkId, recordId],
    );
    return concerned.map(({ id }) => id);
  }

  it('decide as documented, at the commit and afterwards', PROPERTY_TIMEOUT, async () => {
    await fc.assert(
      fc.asyncProperty(
        cells,
        cells,
        fc.array(filters, { minLength: 3, maxLength: 6 }),
        async (before, after, list) => {
          recordId = await makeRecord(db);
          await commit(before);
          const ids = await Promise.all(list.map(webhook));
          const checkId = await commit(after);
          const expected = ids
            .filter((_, index) => concerns(before, after, list[index] as Filters))
            .toSorted();
          expect((await owed(checkId)).map(({ webhookId }) => webhookId)).toEqual(expected);
          // A later change of a row does not affect this event.
          await commit({ ...after, a: ['2', '2'] });
          expect(await listConcerned(checkId)).toEqual(expected);
          await db('delta_events').where({ checkId }).update({ changedColumns: null });
          expect(await listConcerned(checkId)).toEqual(expected);
        },
      ),
      propertyRuns(25),
    );
  });

  it('read no rows of a record whose webhooks have none', async () => {
    await webhook();
    await commit({ a: ['1', '1'] });
    const statements: string[] = [];
    const listen = ({ sql }: { sql: string }) => void statements.push(sql);
    db.on('query', listen);
    await commit({ a: ['2', '1'] });
    db.off('query', listen);
    expect(statements.filter((sql) => sql.includes('insert into deliveries'))).toHaveLength(1);
  });
});

describe('regression: the rows of an event', () => {
  /** How many stored rows are read to decide which of these webhooks get the event. */
  async function rowsRead(deltaEventId: string, list: readonly Partial<WebhookSettings>[]) {
    await db('webhooks').where({ recordId }).delete();
    const ids = await Promise.all(list.map(webhook));
    const trx = await db.transaction();
    const read = async (): Promise<number> => {
      const [table] = await rawRows<{ count: string }>(
        trx,
        `select idx_tup_fetch + seq_tup_read as count from pg_stat_xact_user_tables where relname = 'row_versions'`,
      );
      return Number(table?.count);
    };
    const before = await read();
    const found = await insertDeliveries(trx, recordId, deltaEventId, { trigger: 'schedule', claimMs: 0 });
    const count = (await read()) - before;
    await trx.rollback();
    return { count, told: found.length, of: ids.length };
  }

  const several = (count: number, settings: Partial<WebhookSettings>) =>
    Array.from({ length: count }, () => settings);
  const either = { columns: ['price', 'stock'] };
  const cells = (value: string): Cells =>
    Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`${at}`, [at < 20 ? value : '1', at < 15 ? '1' : value]]),
    );
  let deltaEventId: string;
  beforeEach(async () => {
    await commit(cells('2'));
    const checkId = await commit(cells('3'));
    deltaEventId = (await db('delta_events').where({ checkId }).first('id')).id;
  });

  it('are read once for many webhooks', async () => {
    const one = await rowsRead(deltaEventId, several(1, { ...either, minChanges: 25 }));
    const many = await rowsRead(deltaEventId, several(10, { ...either, minChanges: 25 }));
    expect(one).toMatchObject({ told: 1, of: 1 });
    expect(one.count).toBeGreaterThan(0);
    expect(many).toEqual({ count: one.count, told: 10, of: 10 });
  });

  it('are not read where the counts decide', async () => {
    const [none, all] = [
      { count: 0, told: 0, of: 5 },
      { count: 0, told: 5, of: 5 },
    ] as const;
    const read = (settings: Partial<WebhookSettings>) => rowsRead(deltaEventId, several(5, settings));
    expect(await read({ ...either, minChanges: 1_000_000_000 })).toEqual(none);
    expect(await read({ ...either, minChanges: 31 })).toEqual(none);
    expect(await read({ ...either, minChanges: 20 })).toEqual(all);
    expect(await read({ columns: ['price'], minChanges: 21 })).toEqual(none);
    expect(await read({ columns: ['stock', 'other'], minChanges: 15 })).toEqual(all);
    expect(await read({ columns: ['other'] })).toEqual(none);
  });

  it('are read where columns were not yet counted', async () => {
    await db('delta_events').where({ id: deltaEventId }).update({ changedColumns: null });
    expect(await rowsRead(deltaEventId, [{ columns: ['price'], minChanges: 21 }])).toMatchObject({ told: 0 });
    expect(await rowsRead(deltaEventId, [{ columns: ['price'], minChanges: 20 }])).toMatchObject({ told: 1 });
  });
});

describe('events of checks', () => {
  const everything = ['delta', 'check.failed', 'check.recovered', 'schema.changed'] as const;

  it('are the first of consecutive failures and the first successful check after them', async () => {
    const id = await webhook({ eventTypes: [...everything] });
    await commit({ a: ['1', '1'] });
    const checks = Array.from({ length: 6 }, () => newId('check'));
    const [first = '', second = '', held = '', third = '', good = '', better = ''] = checks;
    expect(await fails(first)).toEqual({ checkId: first, count: 1 });
    expect(await fails(second, 'internal')).toBeNull();
    const facts = checkFacts(recordId, { id: held, rows: 5 });
    await commitProblemCheck(db, 'held', facts, { code: 'sharp_drop', detail: 'Few.' });
    expect(await fails(third)).toBeNull();
    const unchanged = (checkId: string) =>
      commitUnchangedCheck(db, checkFacts(recordId, { id: checkId }), DRIVEN);
    expect(await unchanged(good)).toEqual({ checkId: good, count: 1 });
    expect(await unchanged(better)).toBeNull();
    const [failed] = await owed(first);
    const [recovered] = await owed(good);
    const { finishedAt }: { finishedAt: Date } = await db('checks').where({ id: first }).first();
    expect(failed).toMatchObject({
      webhookId: id,
      eventType: 'check.failed',
      createdAt: finishedAt,
      eventData: {
        checkId: first,
        failingSince: finishedAt.toISOString(),
        error: { code: 'http_error', detail: 'In words.' },
      },
    });
    expect(recovered).toMatchObject({
      eventType: 'check.recovered',
      eventData: { checkId: good, failingSince: finishedAt.toISOString() },
    });
  });

  it('regression: tell the time of the failed check, also when the clock moves on during its commit', async () => {
    await db.raw(`create schema slow;
      create function slow.clock_timestamp() returns timestamptz language sql volatile as
        'select pg_catalog.clock_timestamp() from (select pg_sleep(0.002)) pause'`);
    await webhook({ eventTypes: ['check.failed'] });
    const id = newId('check');
    await db.transaction(async (trx) => {
      await trx.raw('set local search_path = slow, pg_catalog, public');
      const facts = checkFacts(recordId, { id });
      await commitProblemCheck(trx, 'failed', facts, { code: 'http_error', detail: 'In words.' });
    });
    const { finishedAt }: { finishedAt: Date } = await db('checks').where({ id }).first();
    expect(await owed(id)).toMatchObject([{ eventData: { failingSince: finishedAt.toISOString() } }]);
  });

  it('count once when a check is committed twice', async () => {
    await webhook({ eventTypes: ['check.failed', 'check.recovered'] });
    await commit({ a: ['1', '1'] });
    const [bad, good] = [newId('check'), newId('check')];
    expect(await fails(bad)).toMatchObject({ count: 1 });
    expect(await fails(bad)).toBeNull();
    const unchanged = () => commitUnchangedCheck(db, checkFacts(recordId, { id: good }), DRIVEN);
    expect(await unchanged()).toMatchObject({ count: 1 });
    expect(await unchanged()).toBeNull();
    expect([...(await owed(bad)), ...(await owed(good))]).toHaveLength(2);
  });

  it('of a check with changes are sent with its delta event, to webhooks with each event type', async () => {
    const all = await webhook({ eventTypes: [...everything] });
    const some = await webhook({ eventTypes: ['schema.changed'] });
    const filtered = await webhook({ eventTypes: [...everything], changeTypes: ['deleted'] });
    await commit({ a: ['1', '1'] });
    await fails(newId('check'));
    const checkId = newId('check');
    const wider = { columns: ['id', 'price', 'stock', 'colour'], rows: [['"a"', '"1"', '"1"', '"red"']] };
    const outcome = await commitTable(db, recordId, wider, { checkId });
    const rows = await owed(checkId);
    expect(outcome).toMatchObject({ pendingDeliveries: rows.length });
    const types = (id: string) =>
      rows
        .filter(({ webhookId }) => webhookId === id)
        .map(({ eventType }) => eventType)
        .toSorted();
    expect(types(all)).toEqual(['check.recovered', 'delta', 'schema.changed']);
    expect(types(some)).toEqual(['schema.changed']);
    expect(types(filtered)).toEqual(['check.recovered', 'schema.changed']);
    expect(rows.find(({ eventType }) => eventType === 'schema.changed')?.eventData).toMatchObject({
      checkId,
      schemaChange: { added: ['colour'], removed: [] },
    });
  });

  it('tell that a check is held, once until it is decided', async () => {
    const some = await webhook({ eventTypes: ['check.held'] });
    await webhook({ eventTypes: ['check.failed'] });
    await commit({ a: ['1', '1'] });
    const holds = async (isHeldAgain: boolean): Promise<Row[]> => {
      const id = newId('check');
      const problem = { code: 'sharp_drop', detail: '1 row after 40.' } as const;
      const held = { sha256: 'hash', facts: {}, changes: null, isHeldAgain };
      await commitProblemCheck(db, 'held', checkFacts(recordId, { id, rows: 1 }), problem, held);
      return owed(id);
    };
    expect(await holds(false)).toMatchObject([
      {
        webhookId: some,
        eventType: 'check.held',
        eventData: { checkId: expect.any(String), error: { code: 'sharp_drop', detail: '1 row after 40.' } },
      },
    ]);
    expect(await holds(true)).toEqual([]);
    // Another body, which begins to wait now.
    expect(await holds(false)).toHaveLength(1);
    await fails(newId('check'));
    await commit({ a: ['2', '1'] });
    expect(await holds(false)).toHaveLength(1);
  });

  it('create no delivery without a webhook for them, and failures are still counted', async () => {
    expect(await fails(newId('check'))).toBeNull();
    const [head] = await db('record_heads').where({ recordId }).select('failingSince');
    expect(head?.failingSince).toBeInstanceOf(Date);
    await commit({ a: ['1', '1'] });
    expect((await db('record_heads').where({ recordId }).first('failingSince')).failingSince).toBeNull();
  });
});
