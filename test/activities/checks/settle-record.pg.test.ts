// Other key or ignored fields, another format, and starting over: through the real activities, without a worker.
import { describe, expect, it } from 'vitest';
import { createActivities } from '../../../activities/create-activities.ts';
import { listDeltaRows } from '../../../db/rows/delta-rows.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import { pruneRecords } from '../../../db/upkeep/retention.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, decide, get, lastCheck, latest, makeRecord, origin, patch, plan, rowsOf, settle } =
  useWatchedRecords();

const CSV = 'id,sku,price\n1,a,10\n2,b,20\n3,c,30\n';

describe('other key fields', () => {
  it('rekey the stored body, without a request, as a generation with one event and no delivery', async () => {
    const { id } = await makeRecord(CSV);
    await bench().makeWebhook(id, 'https://example.com/hook');
    const before = await get(id);
    const requests = origin().requests.length;
    await patch(id, { keyFields: ['sku'] });
    expect(await plan(id)).toMatchObject({ settle: 'settings' });
    expect(await settle(id)).toMatchObject({ deliver: null });
    expect(origin().requests.length).toBe(requests);
    expect(await latest(id)).toMatchObject({
      rekeyed: true,
      isNoChange: true,
      generation: 2,
      sequence: 2,
      previousSnapshotId: before.snapshotId,
      newCount: 0,
      deletedCount: 0,
      unchangedCount: 3,
      totalCount: 3,
    });
    expect(Object.keys(await rowsOf(id))).toEqual(['a', 'b', 'c']);
    expect(await lastCheck(id)).toMatchObject({ trigger: 'settings', outcome: 'unchanged' });
    const after = await get(id);
    expect(after).toMatchObject({ headKeyFields: ['sku'], keySource: 'given', keyEvidence: null });
    expect(after.bodySha256).toBe(before.bodySha256);
    expect(await plan(id)).not.toHaveProperty('settle');
    const { id: eventId } = await latest(id);
    const event = { id: eventId, recordId: id, recordNo: after.recordNo };
    expect(await listDeltaRows(bench().database.db, event, { after: null, limit: 10 })).toEqual([]);
  });

  it('are used for comparing from then on, also by an unchanged check', async () => {
    const { id, serve } = await makeRecord(CSV);
    await patch(id, { keyFields: ['sku'] });
    await settle(id);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ isNoChange: true, rekeyed: false, generation: 2 });
    serve('id,sku,price\n9,a,10\n2,b,21\n4,d,40\n');
    await bench().check(id);
    expect(await latest(id)).toMatchObject({
      newKeys: ['d'],
      changedKeys: ['a', 'b'],
      deletedKeys: ['c'],
      generation: 2,
    });
  });

  it('are detected again when they are removed', async () => {
    const { id } = await makeRecord(CSV, { keyFields: ['price'] });
    await patch(id, { keyFields: null });
    await settle(id);
    expect(await get(id)).toMatchObject({ headKeyFields: ['id'], keySource: 'detected', generation: 2 });
    expect((await get(id)).keyEvidence).toMatchObject({ rule: 'name' });
  });

  it('begin no generation if they are in force already', async () => {
    const { id } = await makeRecord(CSV);
    await patch(id, { keyFields: ['id'] });
    expect(await plan(id)).not.toHaveProperty('settle');
  });

  it('do nothing twice, however often and wherever the activity runs', async () => {
    const { id } = await makeRecord(CSV);
    await patch(id, { keyFields: ['sku'] });
    const input = bench().newCheck(id);
    await bench().run(({ settleRecord }) => settleRecord(input));
    await bench().run(({ settleRecord }) => settleRecord(input), 2);
    expect(await get(id)).toMatchObject({ generation: 2, sequence: 2 });
    const another = await settle(id);
    expect(another.words).toBe('Nothing was left to decide.');
    expect(await get(id)).toMatchObject({ generation: 2, sequence: 2 });
  });

  it('applied by two workers at once begin one generation', async () => {
    const { id } = await makeRecord(CSV);
    await patch(id, { keyFields: ['sku'] });
    await Promise.all([settle(id), settle(id)]);
    expect(await get(id)).toMatchObject({ generation: 2, sequence: 2 });
  });

  it('that the body lacks fail the check and are reverted; the generation continues', async () => {
    const { id } = await makeRecord(CSV);
    await patch(id, { keyFields: ['nowhere'], ignoreFields: ['price'] });
    await settle(id);
    expect(await lastCheck(id)).toMatchObject({
      trigger: 'settings',
      outcome: 'failed',
      code: 'missing_key_field',
    });
    const after = await get(id);
    expect(after).toMatchObject({ generation: 1, keyFields: null, ignoreFields: [], totalRows: 3 });
    expect(await plan(id)).not.toHaveProperty('settle');
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ isNoChange: true, generation: 1 });
  });

  it('fail the check with a message of its own if the body is missing', async () => {
    const { id } = await makeRecord(CSV);
    const { bodySha256 } = await get(id);
    await bench().deps.blobs.remove(id, bodySha256 ?? '');
    await patch(id, { keyFields: ['sku'] });
    await settle(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'failed', code: 'body_not_kept' });
    expect(await get(id)).toMatchObject({ generation: 1, keyFields: null });
  });

  it('regression: and another header row that were in force stay when a later change is reverted', async () => {
    const { id } = await makeRecord(CSV);
    const inForce = { keyFields: ['id'], headerRow: 1 };
    await patch(id, inForce);
    expect(await plan(id)).not.toHaveProperty('settle');
    await bench().deps.blobs.remove(id, (await get(id)).bodySha256 ?? '');
    await patch(id, { ignoreFields: ['price'] });
    await settle(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'failed', code: 'body_not_kept' });
    expect(await get(id)).toMatchObject({ ...inForce, ignoreFields: [], generation: 1 });
    expect(await plan(id)).not.toHaveProperty('settle');
  });

  it('postpone no check of the origin', async () => {
    const { id } = await makeRecord(CSV);
    await rawRows(
      bench().database.db,
      `update record_heads set next_check_at = now() + interval '5 minutes',
         origin_asked_at = now() - interval '55 minutes' where record_id = ?`,
      [id],
    );
    await patch(id, { keyFields: ['sku'] });
    await settle(id);
    const { plan: next } = await plan(id);
    expect(next).toMatchObject({ kind: 'check' });
    expect(next.kind === 'check' ? next.inMs : 0).toBeLessThan(10 * 60_000);
  });

  it('requested in the middle of a check leave that check its rule, and are not forgotten', async () => {
    const { id, serve } = await makeRecord(CSV);
    serve('id,sku,price\n1,a,11\n2,b,20\n3,c,30\n');
    const input = bench().newCheck(id);
    const fetched = await bench().run(({ fetchSource }) => fetchSource(input));
    if (fetched.kind !== 'fetched') throw new Error('Nothing was fetched');
    await patch(id, { keyFields: ['sku'] });
    const done = await bench().run(({ recordDelta }) => recordDelta({ ...input, ...fetched }));
    expect(done).toMatchObject({ isPlanStale: true });
    expect(await latest(id)).toMatchObject({ generation: 1, changedKeys: ['1'] });
    await settle(id);
    expect(Object.keys(await rowsOf(id))).toEqual(['a', 'b', 'c']);
  });

  it('keep rows that were read under the previous rule out of the new generation', async () => {
    const { id, serve } = await makeRecord(CSV);
    serve('id,sku,price\n1,a,11\n2,b,20\n3,c,30\n');
    const input = bench().newCheck(id);
    const fetched = await bench().run(({ fetchSource }) => fetchSource(input));
    if (fetched.kind !== 'fetched') throw new Error('Nothing was fetched');
    // The body is opened under the old rule; before it is committed the generation ends.
    const { blobs } = bench().deps;
    let isFirst = true;
    const open: typeof blobs.open = async (recordId, name) => {
      if (isFirst && name === fetched.body.sha256) {
        isFirst = false;
        await patch(id, { keyFields: ['sku'] });
        await settle(id);
      }
      return blobs.open(recordId, name);
    };
    const activities = createActivities({ ...bench().deps, blobs: { ...blobs, open } });
    await bench().run(() => activities.recordDelta({ ...input, ...fetched }));
    expect(isFirst).toBe(false);
    expect(Object.keys(await rowsOf(id))).toEqual(['a', 'b', 'c']);
    expect(await latest(id)).toMatchObject({
      generation: 2,
      changedKeys: ['a'],
      newKeys: [],
      deletedKeys: [],
    });
  });
});

describe('a generation that ended', () => {
  it('stays readable as long as its events are stored, and is deleted with them', async () => {
    const { id } = await makeRecord(CSV);
    const { recordNo } = await get(id);
    const prune = () => pruneRecords(bench().database.db, [id], 30, 1_000);
    const generations = async (): Promise<number[]> => {
      const rows = await rawRows<{ generation: number }>(
        bench().database.db,
        'select distinct generation from row_versions where record_no = ? order by generation',
        [recordNo],
      );
      return rows.map(({ generation }) => generation);
    };
    await patch(id, { keyFields: ['sku'] });
    await settle(id);
    expect(await prune()).toBe(0);
    expect(await generations()).toEqual([1, 2]);
    await rawRows(
      bench().database.db,
      `update delta_events set detected_at = now() - interval '31 days' where record_id = ? and number = 1`,
      [id],
    );
    expect(await prune()).toBeGreaterThan(0);
    expect(await generations()).toEqual([2]);
    expect(Object.keys(await rowsOf(id))).toEqual(['a', 'b', 'c']);
  });
});

describe('a large body', () => {
  it('is compared by its bytes again in its new generation', async () => {
    const reasons: string[] = [];
    const { deps } = bench();
    const log = Object.assign(Object.create(deps.log) as typeof deps.log, {
      info: ({ reason }: { reason: string }) => void reasons.push(reason),
    });
    const { settleRecord, fetchSource, recordDelta } = createActivities({ ...deps, log, indexFromBytes: 0 });
    const { id, serve } = await makeRecord(CSV);
    await patch(id, { keyFields: ['sku'], ignoreFields: ['id'] });
    await bench().run(() => settleRecord(bench().newCheck(id)));
    expect(bench().bodies(id)).toHaveLength(2);
    serve('id,sku,price\n1,a,10\n2,b,20\n3,c,31\n');
    const input = bench().newCheck(id);
    const fetched = await bench().run(() => fetchSource(input));
    if (fetched.kind !== 'fetched') throw new Error('Nothing was fetched');
    await bench().run(() => recordDelta({ ...input, ...fetched }));
    expect(await latest(id)).toMatchObject({ changedKeys: ['c'], newCount: 0, deletedCount: 0 });
    expect(reasons).toEqual([]);
  });
});

describe('other ignored fields', () => {
  it('are neither stored nor compared, and return when they are not ignored', async () => {
    const { id, serve } = await makeRecord(CSV);
    await patch(id, { ignoreFields: ['price'] });
    await settle(id);
    expect(await get(id)).toMatchObject({
      columns: ['id', 'sku'],
      headIgnoreFields: ['price'],
      generation: 2,
    });
    expect(await rowsOf(id)).toMatchObject({ '1': '{"id":"1","sku":"a"}' });
    serve(CSV.replaceAll('0\n', '5\n'));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ isNoChange: true });
    await patch(id, { ignoreFields: [] });
    await settle(id);
    expect(await rowsOf(id)).toMatchObject({ '1': '{"id":"1","sku":"a","price":"15"}' });
  });

  it('that include the detected key cause another detection', async () => {
    const { id } = await makeRecord(CSV);
    await patch(id, { ignoreFields: ['id'] });
    await settle(id);
    expect(await get(id)).toMatchObject({ headKeyFields: ['sku'], keySource: 'detected' });
  });
});

it('a generation of many rows has statistics at once', async () => {
  const rows = Array.from({ length: 10_000 }, (_, at) => `${at},s${at},1\n`);
  const { id } = await makeRecord(`id,sku,price\n${rows.join('')}`);
  await patch(id, { keyFields: ['sku'] });
  await settle(id);
  const [table] = await rawRows<{ rows: number }>(
    bench().database.db,
    `select reltuples as rows from pg_class where oid = 'row_versions'::regclass`,
  );
  expect(table?.rows).toBeGreaterThan(19_000);
});

describe('starting over', () => {
  it('makes the next body a new generation, which is not compared', async () => {
    const { id, serve } = await makeRecord(CSV);
    serve('nr,title\nx,one\ny,two\n');
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'failed', code: 'missing_key_field' });
    await patch(id, { keyFields: ['nr'], startsOverGeneration: 1 });
    expect(await plan(id)).toMatchObject({ plan: { kind: 'check', inMs: 0 } });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ rekeyed: true, isNoChange: true, generation: 2, totalCount: 2 });
    expect(await get(id)).toMatchObject({ columns: ['nr', 'title'], consecutiveFailures: 0 });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ rekeyed: false, generation: 2 });
  });

  it('does so with the accepted body too', async () => {
    const { id } = await makeRecord(CSV);
    await patch(id, { startsOverGeneration: 1 });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ rekeyed: true, generation: 2, totalCount: 3 });
  });
});

describe('another format', () => {
  it('makes the next check detect the dialect, and compares rows as usual', async () => {
    const { id } = await makeRecord('id;name\n1;a\n2;b\n', { delimiter: ',' });
    expect((await get(id)).columns).toEqual(['id;name']);
    await patch(id, { delimiter: null, dialectVersion: 1, startsOverGeneration: 1 });
    await bench().check(id);
    expect(await get(id)).toMatchObject({ columns: ['id', 'name'], dialect: { delimiter: ';' } });
  });

  it('repairs a failing record, without inventing changes', async () => {
    const { id, serve } = await makeRecord('id,name\n1,a\n2,b\n');
    serve('[{"id":"1","name":"a"},{"id":"2","name":"c"}]');
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'failed' });
    await patch(id, { format: 'json', dialectVersion: 1 });
    expect(await plan(id)).toMatchObject({ plan: { inMs: 0 } });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({
      changedKeys: ['2'],
      newKeys: [],
      deletedKeys: [],
      generation: 1,
    });
  });
});

describe('regression: a worker that dies after a decision that could not be settled', () => {
  /** As if it died before this update. @returns what lets the next attempt go on */
  const dieBefore = async (update: string) => {
    const { db } = bench().database;
    await rawRows(
      db,
      `create or replace function die() returns trigger language plpgsql as $$ begin raise exception 'died'; end $$`,
    );
    await rawRows(db, `create trigger die before ${update} for each row execute function die()`);
    return () => rawRows(db, `drop trigger die on ${update.includes('heads') ? 'record_heads' : 'records'}`);
  };
  const settleTwice = async (id: string, update: string) => {
    const goOn = await dieBefore(update);
    const input = bench().newCheck(id);
    try {
      await expect(bench().run(({ settleRecord }) => settleRecord(input))).rejects.toThrow('died');
    } finally {
      await goOn();
    }
    await bench().run(({ settleRecord }) => settleRecord(input), 2);
    expect(await lastCheck(id)).toMatchObject({ id: input.checkId, outcome: 'failed' });
    expect(await plan(id)).not.toHaveProperty('settle');
  };

  it('leaves no rule in place that was rejected', async () => {
    const { id } = await makeRecord(CSV);
    await patch(id, { keyFields: ['nowhere'] });
    await settleTwice(id, 'update of key_fields on records');
    expect(await get(id)).toMatchObject({ keyFields: null, generation: 1 });
  });

  it('leaves no body held that was accepted and is gone', async () => {
    const { id, serve } = await makeRecord(CSV);
    serve('id,sku,price\n');
    await bench().check(id);
    expect(await decide(id, 'accepted')).toBe(true);
    await bench().deps.blobs.removeAll(id);
    await settleTwice(id, 'update of is_held_accepted on record_heads');
    expect(await get(id)).toMatchObject({ heldCheckId: null, isHeldAccepted: false, totalRows: 3 });
  });
});
