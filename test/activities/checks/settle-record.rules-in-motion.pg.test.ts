// Settings that change at awkward moments: while a check is held or accepted, while a record fails, before there are rows.
// Nothing false is ever said of the data. Through the real activities, without a worker.
import { describe, expect, it } from 'vitest';
import { createActivities } from '../../../activities/create-activities.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import { askPreview, takePreview } from '../../../db/records/rule-previews.ts';
import { newTestId } from '../../support/rows/factories.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, decide, get, lastCheck, latest, makeRecord, origin, patch, plan, rowsOf, settle } =
  useWatchedRecords();

const JSON_TYPE = 'application/json';
const many = (count: number): string =>
  `id,sku,price\n${Array.from({ length: count }, (_, at) => `${at},s${at},1\n`).join('')}`;

describe('an accepted held check', () => {
  it('is recorded under the rule it was held under, though the next body is to start over', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    await decide(id, 'accepted');
    await patch(id, { keyFields: ['sku'], ignoreFields: ['price'], startsOverGeneration: 1 });
    await settle(id);
    expect(await latest(id)).toMatchObject({ newCount: 0, changedCount: 0, deletedCount: 30, generation: 1 });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ rekeyed: true, generation: 2, totalCount: 10 });
    expect(Object.keys(await rowsOf(id))).toContain('s1');
  });

  it('is read as it was when it was held, whatever was requested since', async () => {
    const rows = (path: string, count: number) =>
      `"${path}":[${Array.from({ length: count }, (_, at) => `{"id":${at},"of":"${path}"}`).join()}]`;
    const { id, serve } = await makeRecord(
      `{${rows('a', 40)},${rows('b', 40)}}`,
      { rowsPath: 'a' },
      JSON_TYPE,
    );
    serve(`{${rows('a', 10)},${rows('b', 40)}}`);
    await bench().check(id);
    await decide(id, 'accepted');
    await patch(id, { rowsPath: 'b', dialectVersion: 1 });
    await settle(id);
    expect(await latest(id)).toMatchObject({ changedCount: 0, deletedCount: 30 });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ newCount: 30, changedCount: 10 });
  });

  it('is read under settings that were set before it was held', async () => {
    const rows = (path: string, count: number) =>
      `"${path}":[${Array.from({ length: count }, (_, at) => `{"id":${at},"of":"x"}`).join()}]`;
    const { id } = await makeRecord(`{${rows('a', 40)},${rows('b', 10)}}`, { rowsPath: 'a' }, JSON_TYPE);
    await patch(id, { rowsPath: 'b', dialectVersion: 1 });
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
    await decide(id, 'accepted');
    await settle(id);
    expect(await latest(id)).toMatchObject({ changedCount: 0, deletedCount: 30, totalCount: 10 });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ isNoChange: true, totalCount: 10 });
  });

  it('is recorded before the stored body is read under another rule', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    await patch(id, { keyFields: ['sku'] });
    const { blobs } = bench().deps;
    let isFirst = true;
    const open: typeof blobs.open = async (recordId, name) => {
      if (isFirst) await decide(id, 'accepted');
      isFirst = false;
      return blobs.open(recordId, name);
    };
    const activities = createActivities({ ...bench().deps, blobs: { ...blobs, open } });
    await bench().run(() => activities.settleRecord(bench().newCheck(id)));
    expect(await latest(id)).toMatchObject({ deletedCount: 30, totalCount: 10, generation: 1 });
    expect(await plan(id)).toMatchObject({ settle: 'settings' });
    await settle(id);
    expect(await latest(id)).toMatchObject({ rekeyed: true, totalCount: 10, generation: 2 });
  });
});

describe('starting over', () => {
  /** Does something when the stored body is opened for the first time in a settlement. */
  const settleWhile = async (id: string, act: () => Promise<void>): Promise<void> => {
    const { blobs } = bench().deps;
    let isFirst = true;
    const open: typeof blobs.open = async (recordId, name) => {
      if (isFirst) await act();
      isFirst = false;
      return blobs.open(recordId, name);
    };
    const activities = createActivities({ ...bench().deps, blobs: { ...blobs, open } });
    await bench().run(() => activities.settleRecord(bench().newCheck(id)));
    expect(isFirst).toBe(false);
  };

  it('is not forgotten when it is requested while the stored body is read under another rule', async () => {
    const { id, serve } = await makeRecord(many(3));
    await patch(id, { keyFields: ['sku'] });
    await settleWhile(id, () => patch(id, { keyFields: ['nr'], startsOverGeneration: 1 }));
    expect(await get(id)).toMatchObject({ generation: 1, keyFields: ['nr'] });
    serve('nr,title\nx,one\n');
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ rekeyed: true, generation: 2, totalCount: 1 });
  });

  it('keeps its key fields if they could not be found in the stored body', async () => {
    const { id } = await makeRecord(many(3));
    await patch(id, { keyFields: ['nr'] });
    await settleWhile(id, () => patch(id, { startsOverGeneration: 1 }));
    expect(await get(id)).toMatchObject({ generation: 1, keyFields: ['nr'], startsOverGeneration: 1 });
  });
});

describe('a table that has never had rows', () => {
  it.each([
    ['{"rows":[]}', JSON_TYPE],
    ['[]', JSON_TYPE],
    ['n\u00e4me,id\n', 'text/csv; charset=windows-1252'],
    ['{"rows":[]}\n', 'application/json; charset=utf-8'],
  ])('has none under another rule: %s as %s', async (body, contentType) => {
    const path = `/never-${newTestId('check')}`;
    const isLatin = contentType.includes('1252');
    const bytes = isLatin ? Buffer.from(body, 'latin1') : body;
    origin().set(path, { body: bytes, headers: { 'content-type': contentType } });
    const id = await bench().makeRecord({ url: origin().url + path });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ totalCount: 0 });
    const previewId = newTestId('rulePreview');
    await askPreview(bench().database.db, previewId, id, {
      keyFields: null,
      ignoreFields: ['seen'],
      rules: {},
      headerRow: null,
      quoting: 'double',
    });
    await bench().run(({ previewRule }) => previewRule({ previewId }));
    expect(await takePreview(bench().database.db, previewId)).toMatchObject({ kind: 'read', rowCount: 0 });
    await patch(id, { ignoreFields: ['seen'] });
    await settle(id);
    expect(await lastCheck(id)).toMatchObject({ trigger: 'settings', outcome: 'unchanged' });
    expect(await latest(id)).toMatchObject({ rekeyed: true, totalCount: 0 });
  });
});

it('columns of a table without rows are not reported as removed because they are ignored', async () => {
  const { id, serve } = await makeRecord('[{"id":1,"price":2}]', {}, JSON_TYPE);
  serve('[]');
  await bench().check(id);
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ totalCount: 0 });
  await patch(id, { ignoreFields: ['price'] });
  await settle(id);
  expect(await get(id)).toMatchObject({ columns: ['id'] });
  serve('[{"id":1,"price":3}]');
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ newCount: 1, schemaChange: null });
});

it('the bytes of a body say nothing about rows that were stored from another path in it', async () => {
  const { fetchSource, recordDelta } = createActivities({ ...bench().deps, indexFromBytes: 0 });
  const check = async (id: string): Promise<void> => {
    const input = bench().newCheck(id);
    const fetched = await bench().run(() => fetchSource(input));
    if (fetched.kind !== 'fetched') throw new Error('Nothing was fetched');
    await bench().run(() => recordDelta({ ...input, ...fetched }));
  };
  const path = '/two-paths';
  const ids = Array.from({ length: 150 }, (_, at) => at + 1);
  // A repeated member is a warning, so that no index is made of the rows in `b`. The first rows are always read.
  const a = ids.map((at) => `{"id":${at},"x":"a"}`);
  const b = ids.map((at) => `{"id":${at},"x":"?","x":"b"}`);
  const body = `{"a":[${a.join()}],"b":[${b.join()}]}`;
  origin().set(path, { body, headers: { 'content-type': JSON_TYPE } });
  const id = await bench().makeRecord({ url: origin().url + path, format: 'json', rowsPath: 'a' });
  await check(id);
  await patch(id, { rowsPath: 'b', dialectVersion: 1 });
  await check(id);
  expect(await latest(id)).toMatchObject({ changedCount: 150 });
  await patch(id, { rowsPath: 'a', dialectVersion: 2 });
  await check(id);
  expect(await latest(id)).toMatchObject({ changedCount: 150 });
  expect(await rowsOf(id)).toMatchObject({ '1': '{"id":1,"x":"a"}', '150': '{"id":150,"x":"a"}' });
});

describe('a record that fails', () => {
  const deliveries = (id: string) =>
    rawRows<{ type: string }>(
      bench().database.db,
      'select event_type as type from deliveries where record_id = ? order by created_at',
      [id],
    ).then((rows) => rows.map(({ type }) => type));

  it('is still failing after its stored body was read under another rule', async () => {
    const { id, serve } = await makeRecord(many(3));
    const webhookId = await bench().makeWebhook(id, 'https://example.com/hook');
    await bench()
      .database.db('webhooks')
      .where({ id: webhookId })
      .update({ eventTypes: ['check.failed', 'check.recovered'] });
    serve('<html>');
    await bench().check(id);
    await patch(id, { keyFields: ['sku'] });
    const settled = await settle(id);
    expect(await lastCheck(id)).toMatchObject({ trigger: 'settings', outcome: 'unchanged' });
    expect(await get(id)).toMatchObject({
      generation: 2,
      consecutiveFailures: 1,
      lastOutcome: 'failed',
      lastErrorCode: 'unexpected_content',
    });
    expect(settled.attributes).toMatchObject({ status: 'failing', consecutiveFailures: 1 });
    expect(await deliveries(id)).toEqual(['check.failed']);
    serve(many(3));
    await bench().check(id);
    expect(await deliveries(id)).toEqual(['check.failed', 'check.recovered']);
    expect(await get(id)).toMatchObject({ consecutiveFailures: 0, lastOutcome: 'unchanged' });
  });

  it('is still failing after a held body is accepted', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    serve('<html>');
    await bench().check(id);
    await decide(id, 'accepted');
    await settle(id);
    expect(await latest(id)).toMatchObject({ deletedCount: 30 });
    expect(await get(id)).toMatchObject({ consecutiveFailures: 1, lastOutcome: 'failed' });
  });

  it('regression: has recovered when the body that it gave afterwards is accepted', async () => {
    const { id, serve } = await makeRecord(many(40));
    const webhookId = await bench().makeWebhook(id, 'https://example.com/hook');
    const { db } = bench().database;
    await db('webhooks')
      .where({ id: webhookId })
      .update({ eventTypes: ['check.failed', 'check.recovered'] });
    const news = () =>
      db('feed_events').where({ recordId: id }).whereNot({ type: 'delta' }).orderBy('position').pluck('type');
    serve('<html>');
    await bench().check(id);
    serve(many(10));
    await bench().check(id);
    expect(await deliveries(id)).toEqual(['check.failed']);
    await decide(id, 'accepted');
    await settle(id);
    expect(await deliveries(id)).toEqual(['check.failed', 'check.recovered']);
    expect(await news()).toEqual(['check.failed', 'check.held', 'check.recovered']);
    serve('<html>');
    await bench().check(id);
    expect(await deliveries(id)).toEqual(['check.failed', 'check.recovered', 'check.failed']);
    const { failingSince, lastCheckedAt } = await get(id);
    expect(failingSince).toEqual(lastCheckedAt);
  });
});

it('a deleted held check cannot be decided', async () => {
  const { id, serve } = await makeRecord(many(40));
  serve(many(10));
  await bench().check(id);
  const { heldCheckId } = await get(id);
  await bench().database.db('checks').where({ id: heldCheckId }).delete();
  expect(await decide(id, 'accepted')).toBe(false);
  expect(await get(id)).toMatchObject({ isHeldAccepted: false, totalRows: 40 });
  expect(await plan(id)).not.toHaveProperty('settle');
});
