// Requests to start over, and newer checks, that arrive while a check runs. Either the check's body starts the new generation, or
// the request stays for the next body. Uses the real activities, without a worker.
import { describe, expect, it } from 'vitest';
import { createActivities } from '../../../activities/create-activities.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import { lockRecord } from '../../../db/records/lock-record.ts';
import { type RecordChanges, updateRecord } from '../../../db/records/records.ts';
import type { RecordDeltaInput } from '../../../workflows/contract.ts';
import { until } from '../../support/until.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, get, lastCheck, latest, makeRecord, origin, patch, settle } = useWatchedRecords();

const OLD = 'id,sku\n1,a\n2,b\n3,c\n';
const NEW = 'nr,title\nx,one\ny,two\n';

/** As PATCH does it. */
async function startOver(id: string, changes: RecordChanges = {}): Promise<void> {
  const { accountId } = await get(id);
  await bench().database.db.transaction(async (trx) => {
    const locked = await lockRecord(trx, { id, accountId });
    if (locked === undefined) throw new Error('The record is gone');
    await updateRecord(trx, id, { ...changes, startsOverGeneration: locked.generation });
  });
}

let paths = 0;

/** Serves a body at an address of its own. */
function serve(body: string): string {
  paths += 1;
  const path = `/over-${paths}`;
  origin().set(path, { body, headers: { 'content-type': 'text/csv' } });
  return origin().url + path;
}

async function fetchNow(id: string): Promise<RecordDeltaInput> {
  const input = bench().newCheck(id);
  const fetched = await bench().run(({ fetchSource }) => fetchSource(input));
  if (fetched.kind !== 'fetched') throw new Error('Nothing was fetched');
  return { ...input, ...fetched };
}

const record = (input: RecordDeltaInput) => bench().run(({ recordDelta }) => recordDelta(input));

/** Does something when the body is opened for the first time. */
async function recordWhile(input: RecordDeltaInput, act: () => Promise<void>): Promise<void> {
  const { blobs } = bench().deps;
  let isFirst = true;
  const open: typeof blobs.open = async (recordId, name) => {
    if (isFirst) await act();
    isFirst = false;
    return blobs.open(recordId, name);
  };
  const activities = createActivities({ ...bench().deps, blobs: { ...blobs, open } });
  await bench().run(() => activities.recordDelta(input));
  expect(isFirst).toBe(false);
}

/** Does something while a commit is between taking the head's lock and writing its snapshot. */
async function whileCommitting(commit: () => Promise<unknown>, act: () => Promise<void>): Promise<void> {
  const { db } = bench().database;
  const barrier = await db.transaction();
  await barrier.raw('lock table snapshots in share mode');
  const committing = commit();
  await until('the commit waits', async () => {
    const waiting = await rawRows(
      db,
      `select from pg_locks where relation = 'snapshots'::regclass and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return waiting.length > 0;
  });
  await act();
  await barrier.rollback();
  await committing;
}

describe('a request to start over, at the moment in which', () => {
  it('the stored body is committed under another rule, takes effect with the next body', async () => {
    const { id, serve: serveNext } = await makeRecord(OLD);
    await patch(id, { keyFields: ['sku'] });
    await whileCommitting(
      () => settle(id),
      () => startOver(id, { keyFields: ['nr'] }),
    );
    expect(await get(id)).toMatchObject({ generation: 2, startsOverGeneration: 2 });
    serveNext(NEW);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ rekeyed: true, generation: 3, totalCount: 2 });
    expect(await get(id)).toMatchObject({ startsOverGeneration: null, headKeyFields: ['nr'] });
  });

  it('a body from another URL starts over, starts over once more', async () => {
    const { id } = await makeRecord(OLD);
    await startOver(id, { url: serve('id,sku\n1,z\n') });
    const fetched = await fetchNow(id);
    await whileCommitting(
      () => record(fetched),
      () => startOver(id, { url: serve(NEW) }),
    );
    expect(await get(id)).toMatchObject({ generation: 2, startsOverGeneration: 2, totalRows: 1 });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ rekeyed: true, generation: 3, totalCount: 2 });
  });

  it('the first rows from another URL are committed, takes effect with the next body', async () => {
    const id = await bench().makeRecord({ url: serve(OLD) });
    const fetched = await fetchNow(id);
    await whileCommitting(
      () => record(fetched),
      () => startOver(id, { url: serve(NEW), keyFields: ['nr'] }),
    );
    expect(await latest(id)).toMatchObject({ generation: 1, totalCount: 3 });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ rekeyed: true, isNoChange: true, generation: 2, totalCount: 2 });
  });

  it('a generation starts, waits for it and applies to the new one', async () => {
    const { id } = await makeRecord(OLD);
    const { accountId } = await get(id);
    const { db } = bench().database;
    const commit = await db.transaction();
    await rawRows(commit, 'select from records where id = ? for no key update', [id]);
    await commit('record_heads').where({ recordId: id }).update({ generation: 2 });
    const asking = db.transaction((trx) => lockRecord(trx, { id, accountId }));
    await until('the request waits', async () => {
      const waiting = await rawRows(
        db,
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    await commit.commit();
    expect(await asking).toMatchObject({ generation: 2 });
  });
});

describe('a request to start over', () => {
  it('is not fulfilled by a body that was fetched from another URL before', async () => {
    const { id, serve: serveNext } = await makeRecord(OLD);
    serveNext('id,sku\n1,a\n2,B\n');
    const fetched = await fetchNow(id);
    await startOver(id, { url: serve(NEW), keyFields: ['nr'] });
    expect(await record(fetched)).toMatchObject({ isPlanStale: true });
    expect(await latest(id)).toMatchObject({ generation: 1, changedKeys: ['2'], deletedKeys: ['3'] });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ rekeyed: true, generation: 2, totalCount: 2 });
  });

  it('is not fulfilled by a body that is being read under the previous settings', async () => {
    const { id, serve: serveNext } = await makeRecord(OLD);
    await startOver(id);
    serveNext('id,nr\n1,x\n2,y\n');
    await recordWhile(await fetchNow(id), () => startOver(id, { keyFields: ['nr'] }));
    expect(await get(id)).toMatchObject({ generation: 2, startsOverGeneration: 2, headKeyFields: ['id'] });
    await bench().check(id);
    expect(await get(id)).toMatchObject({ generation: 3, startsOverGeneration: null, headKeyFields: ['nr'] });
  });

  it.each([
    ['the same settings', {}],
    ['other settings', { ignoreFields: ['note'] }],
  ])(
    'regression: and with %s is not fulfilled by a body that was requested before',
    async (_what, changes) => {
      const { id, serve: serveNext } = await makeRecord(OLD);
      serveNext('id,sku\n1,a\n2,B\n3,c\n');
      const fetched = await fetchNow(id);
      await startOver(id, changes);
      await record(fetched);
      expect(await latest(id)).toMatchObject({ rekeyed: false, generation: 1, changedKeys: ['2'] });
      serveNext('id,sku\n9,z\n');
      await bench().check(id);
      expect(await latest(id)).toMatchObject({
        rekeyed: true,
        generation: 2,
        totalCount: 1,
        deletedCount: 0,
      });
    },
  );

  it('ends when it is withdrawn while a body is read', async () => {
    const { id, serve: serveNext } = await makeRecord(OLD);
    await startOver(id);
    serveNext('id,sku\n1,a\n2,B\n3,c\n');
    await recordWhile(await fetchNow(id), () => patch(id, { startsOverGeneration: null }));
    expect(await latest(id)).toMatchObject({ rekeyed: false, generation: 1, changedKeys: ['2'] });
  });
});

it('a request to start over before there are rows is fulfilled by the first ones', async () => {
  const id = await bench().makeRecord({ url: serve(OLD) });
  await startOver(id);
  await bench().check(id);
  await bench().check(id);
  expect(await lastCheck(id)).toMatchObject({ outcome: 'unchanged' });
  expect(await latest(id)).toMatchObject({ generation: 1, rekeyed: false });
  expect(await get(id)).toMatchObject({ startsOverGeneration: null });
});

it('regression: a body that was fetched before that of a newer check is not recorded after it', async () => {
  const { id, serve: serveNow } = await makeRecord(OLD);
  serveNow('id,sku\n1,a\n2,OLDER\n3,c\n');
  const older = await fetchNow(id);
  serveNow('id,sku\n1,a\n2,NEWER\n3,c\n');
  await bench().check(id);
  const { snapshotId } = await get(id);
  const ended = await bench().run(({ recordDelta }) => recordDelta(older));
  expect(ended).toMatchObject({ isPlanStale: true, attributes: null, deliver: null });
  expect(await get(id)).toMatchObject({ snapshotId, consecutiveFailures: 0 });
  expect(await latest(id)).toMatchObject({ changedCount: 1 });
  expect(await lastCheck(id)).toMatchObject({ outcome: 'changed' });
});
