// Bodies that are not accepted at once: held checks that await a decision, empty tables, renamed columns. Uses the real
// activities without a worker.
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { decideHeldCheck } from '../../../db/records/held-checks.ts';
import { listChecks } from '../../../db/check-log.ts';
import { readCheckTimes } from '../../../db/records/records.ts';
import { newTestId } from '../../support/rows/factories.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { ageHeld, bench, decide, get, lastCheck, latest, makeRecord, origin, patch, plan, settle } =
  useWatchedRecords();

const many = (count: number, note = ''): string =>
  `id,name\n${Array.from({ length: count }, (_, at) => `${at},row ${at}${note}\n`).join('')}`;

describe('a held check', () => {
  it('is recorded as received when accepted, without a request', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    const held = await lastCheck(id);
    expect(held).toMatchObject({ outcome: 'held', code: 'sharp_drop' });
    const requests = origin().requests.length;
    expect(await decide(id, 'accepted')).toBe(true);
    expect(await plan(id)).toMatchObject({ settle: 'accepted' });
    await settle(id);
    expect(origin().requests.length).toBe(requests);
    expect(await latest(id)).toMatchObject({ deletedCount: 30, totalCount: 10, isNoChange: false });
    expect(await lastCheck(id)).toMatchObject({ trigger: 'accepted', outcome: 'changed' });
    const after = await get(id);
    expect(after).toMatchObject({ heldCheckId: null, heldSha256: null, isHeldAccepted: false });
    expect(bench().bodies(id)).toEqual([after.bodySha256]);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ isNoChange: true, totalCount: 10 });
  });

  it('can be decided once, and only while it is held', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    const { heldCheckId } = await get(id);
    const accept = () =>
      decideHeldCheck(bench().database.db, {
        recordId: id,
        checkId: heldCheckId ?? '',
        decision: 'accepted',
      });
    serve(many(15));
    await bench().check(id);
    expect(await accept()).toBe(false);
    const other = { recordId: newTestId('record'), checkId: (await get(id)).heldCheckId ?? '' };
    expect(await decideHeldCheck(bench().database.db, { ...other, decision: 'accepted' })).toBe(false);
    const decisions = await Promise.all(
      (['accepted', 'rejected', 'accepted', 'rejected'] as const).map((decision) => decide(id, decision)),
    );
    expect(decisions.filter(Boolean)).toHaveLength(1);
  });

  it('is not confirmed by a repetition once rejected, until the data is back', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    expect(await decide(id, 'rejected')).toBe(true);
    for (const note of ['', '!', '?']) {
      serve(many(10, note));
      await bench().check(id);
      expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
      expect((await lastCheck(id))?.detail).toContain('somebody');
    }
    expect(await get(id)).toMatchObject({ totalRows: 40, rejectedRows: 10 });
    serve(many(40));
    await bench().check(id);
    expect(await get(id)).toMatchObject({ rejectedRows: null, heldRows: null });
    expect(bench().bodies(id)).toHaveLength(1);
    serve(many(10));
    await bench().check(id);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ deletedCount: 30 });
  });

  it('can be accepted even if it looks like a rejected one', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    await decide(id, 'rejected');
    await bench().check(id);
    expect(await decide(id, 'accepted')).toBe(true);
    await settle(id);
    expect(await latest(id)).toMatchObject({ deletedCount: 30 });
    expect(await get(id)).toMatchObject({ rejectedRows: null });
  });

  it('is confirmed by a second body within 10 %', async () => {
    const { id, serve } = await makeRecord(many(400));
    serve(many(100));
    await bench().check(id);
    serve(many(109));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ deletedCount: 291 });
  });

  it('is not confirmed by a body from another URL', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    const first = await get(id);
    origin().set('/elsewhere', { body: many(10, '!'), headers: { 'content-type': 'text/csv' } });
    await patch(id, { url: `${origin().url}/elsewhere` });
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
    const second = await get(id);
    expect(second).toMatchObject({ totalRows: 40, heldRows: 10 });
    expect(second.heldCheckId).not.toBe(first.heldCheckId);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ deletedCount: 30, changedCount: 10 });
  });

  it('is not confirmed by a body fetched with other credentials', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    await bench().database.db('records').where({ id }).update({ authVersion: 1 });
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ deletedCount: 30 });
  });

  it('is not confirmed by data at another path of the document', async () => {
    const rows = (path: string, count: number): string =>
      `"${path}":[${Array.from({ length: count }, (_, at) => `{"id":${at}}`).join()}]`;
    const { id, serve } = await makeRecord(
      `{${rows('a', 40)},${rows('b', 10)}}`,
      { rowsPath: 'a' },
      'application/json',
    );
    serve(`{${rows('a', 10)},${rows('b', 10)}}`);
    await bench().check(id);
    await patch(id, { rowsPath: 'b', dialectVersion: 1 });
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ deletedCount: 30 });
  });

  it('fails when its accepted body is missing, and is no longer held', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    await bench().deps.blobs.remove(id, (await get(id)).heldSha256 ?? '');
    await decide(id, 'accepted');
    await settle(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'failed', code: 'body_not_kept' });
    expect(await get(id)).toMatchObject({ heldCheckId: null, isHeldAccepted: false, totalRows: 40 });
    expect(await plan(id)).not.toHaveProperty('settle');
  });

  it('is not recorded over a later check', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    await decide(id, 'accepted');
    serve(many(40));
    await bench().check(id);
    expect((await settle(id)).words).toBe('Nothing was left to decide.');
    expect(await get(id)).toMatchObject({ totalRows: 40 });
  });

  it('gives way to a new rule', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    await patch(id, { keyFields: ['name'] });
    await settle(id);
    expect(await get(id)).toMatchObject({ heldCheckId: null, heldRows: null, totalRows: 40, generation: 2 });
    expect(bench().bodies(id)).toHaveLength(1);
  });
});

describe('regression: checks in quick succession', () => {
  const RECHECK_SECONDS = 600;
  /** As if the body had been held for so long. */
  beforeEach(() => {
    // Changes the object in place, because the activities hold a reference to it.
    const { config } = bench().deps;
    const { heldRecheckSeconds } = config;
    Object.assign(config, { heldRecheckSeconds: RECHECK_SECONDS });
    onTestFinished(() => void Object.assign(config, { heldRecheckSeconds }));
  });

  it('confirm no drop, and do not postpone the one that does', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    for (const count of [10, 11, 10]) {
      await ageHeld(id, RECHECK_SECONDS / 4);
      serve(many(count));
      await bench().check(id);
      const check = await lastCheck(id);
      expect(check).toMatchObject({ outcome: 'held', code: 'sharp_drop' });
      expect(check?.detail).toMatch(/A check before 20[\d-]+T[\d:.]+Z is too soon after the first/);
    }
    // Three quarters have passed since the first, none of it since the last.
    const { untilDueMs } = await readCheckTimes(bench().database.db, id);
    expect(untilDueMs).toBeGreaterThan(0);
    expect(untilDueMs).toBeLessThanOrEqual((RECHECK_SECONDS / 4) * 1_000 + 50);
    await ageHeld(id, RECHECK_SECONDS / 4);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ deletedCount: 30, totalCount: 10 });
  });

  it('do not confirm it with a body that was requested before the time and read after it', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    serve(many(10, '!'));
    const input = bench().newCheck(id);
    const fetched = await bench().run(({ fetchSource }) => fetchSource(input));
    if (fetched.kind !== 'fetched') throw new Error('Nothing was fetched');
    // As if comparing had waited for longer than the recheck.
    await ageHeld(id, RECHECK_SECONDS + 1);
    const startedAtMs = fetched.startedAtMs - (RECHECK_SECONDS - 1) * 1_000;
    await bench().run(({ recordDelta }) => recordDelta({ ...input, ...fetched, startedAtMs }));
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
  });

  it('regression: do not confirm it when the clock of the worker is put back meanwhile', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    serve(many(10, '!'));
    const input = bench().newCheck(id);
    const fetched = await bench().run(({ fetchSource }) => fetchSource(input));
    if (fetched.kind !== 'fetched') throw new Error('Nothing was fetched');
    const startedAtMs = fetched.startedAtMs + RECHECK_SECONDS * 1_000;
    await bench().run(({ recordDelta }) => recordDelta({ ...input, ...fetched, startedAtMs }));
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
  });

  it('count from the new drop when it is a different one', async () => {
    const { id, serve } = await makeRecord(many(400));
    serve(many(100));
    await bench().check(id);
    await ageHeld(id, RECHECK_SECONDS + 1);
    serve(many(150));
    await bench().check(id);
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
    await ageHeld(id, RECHECK_SECONDS);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ deletedCount: 250 });
  });

  it('also after a pause and a changed interval', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    await patch(id, { status: 'paused' });
    await plan(id);
    await patch(id, { status: 'active', checkIntervalSeconds: 60 });
    await plan(id);
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
  });
});

describe('an empty table', () => {
  it.each([
    ['[]', 'application/json'],
    ['{"rows": []}', 'application/json'],
    ['id,name\n', 'text/csv'],
  ])('%s is one, and takes rows later', async (body, type) => {
    const headers = { 'content-type': type };
    origin().set('/empty', { body, headers });
    const id = await bench().makeRecord({ url: `${origin().url}/empty` });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ isNoChange: true, totalCount: 0 });
    const rows = '[{"id":1,"name":"a"}]';
    const next = body === '[]' ? rows : body.startsWith('{') ? `{"rows": ${rows}}` : 'id,name\n1,a\n';
    origin().set('/empty', { body: next, headers });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ newKeys: ['1'] });
  });

  it.each(['[]', '{"rows":[]}'])('%s after rows is held, however few they were', async (empty) => {
    const headers = { 'content-type': 'application/json' };
    const rows = '[{"id":1},{"id":2}]';
    const path = `/emptied-${empty.length}`;
    origin().set(path, { body: empty === '[]' ? rows : `{"rows":${rows}}`, headers });
    const id = await bench().makeRecord({ url: origin().url + path });
    await bench().check(id);
    origin().set(path, { body: empty, headers });
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ deletedKeys: ['1', '2'], totalCount: 0, schemaChange: null });
    expect(await get(id)).toMatchObject({ columns: ['id'], headKeyFields: ['id'] });
  });

  it.each(['application/json', 'text/csv', 'application/x-ndjson'])(
    'is not a body of no bytes (%s)',
    async (type) => {
      origin().set('/nothing', { body: '', headers: { 'content-type': type } });
      const id = await bench().makeRecord({ url: `${origin().url}/nothing` });
      await bench().check(id);
      expect(await lastCheck(id)).toMatchObject({ outcome: 'failed', code: 'empty_body' });
    },
  );
});

describe('a column that is renamed', () => {
  const change = async (before: string, after: string) => {
    const { id, serve } = await makeRecord(before, { keyFields: ['id'] });
    serve(after);
    await bench().check(id);
    return latest(id);
  };

  it('is reported when all rows have the same values', async () => {
    const event = await change('id,cost,x\n1,5,a\n2,6,b\n', 'id,x,price\n1,a,5\n2,b,6\n3,c,9\n');
    expect(event).toMatchObject({
      changedCount: 2,
      schemaChange: { added: [], removed: [], renamed: [{ from: 'cost', to: 'price' }], schemaOnlyCount: 2 },
    });
  });

  it('is not reported when one value differs as text', async () => {
    const event = await change('id,cost\n1,5\n2,6.0\n', 'id,price\n1,5\n2,6\n');
    expect(event.schemaChange).toEqual({
      added: ['price'],
      removed: ['cost'],
      renamed: [],
      schemaOnlyCount: 2,
    });
  });

  it('is not reported when two columns match, or when all values are the same', async () => {
    const twice = await change('id,a\n1,5\n2,6\n', 'id,b,c\n1,5,5\n2,6,6\n');
    expect(twice.schemaChange).toMatchObject({ added: ['b', 'c'], removed: ['a'], renamed: [] });
    const constant = await change('id,active\n1,yes\n2,yes\n', 'id,in_stock\n1,yes\n2,yes\n');
    expect(constant.schemaChange).toMatchObject({ added: ['in_stock'], removed: ['active'], renamed: [] });
  });

  it('is found among fifty, as when a table changes its naming style', async () => {
    const names = Array.from({ length: 50 }, (_, at) => `field_${at}`);
    const rows = [1, 2].map((row) => [row, ...names.map((name) => `${name}${row}`)].join(','));
    const tableOf = (header: string[]) => `${['id', ...header].join(',')}\n${rows.join('\n')}\n`;
    const renamed = names.map((from) => ({ from, to: from.replace('_', '') }));
    const event = await change(tableOf(names), tableOf(renamed.map(({ to }) => to)));
    expect(event.schemaChange).toEqual({ added: [], removed: [], renamed, schemaOnlyCount: 2 });
  });

  it('is found with other columns added, removed and renamed', async () => {
    const event = await change('id,a,b,c\n1,p,x,0\n2,q,y,1\n', 'id,b2,a2,d\n1,x,p,7\n2,y,q,7\n');
    expect(event.schemaChange).toEqual({
      added: ['d'],
      removed: ['c'],
      renamed: [
        { from: 'a', to: 'a2' },
        { from: 'b', to: 'b2' },
      ],
      schemaOnlyCount: 2,
    });
  });
});

/** Of each check in order: whether it is called a baseline; null without an event. */
async function baselines(id: string): Promise<(boolean | null)[]> {
  const checks = await listChecks(bench().database.db, id, 'asc', { after: null, limit: 50 });
  return checks.map(({ deltaEventId, isBaseline }) => (deltaEventId === null ? null : isBaseline));
}

describe('regression: a check that has nothing to compare its rows with', () => {
  it('is called a baseline after a start over and under another key', async () => {
    const { id, serve } = await makeRecord('id,sku\n1,a\n2,b\n');
    await bench().check(id);
    const { generation } = await get(id);
    await patch(id, { startsOverGeneration: generation });
    serve('nr,title\nx,one\ny,two\n');
    await bench().check(id);
    expect(await get(id)).toMatchObject({ lastOutcome: 'unchanged', isBaseline: true });
    await bench().check(id);
    expect(await get(id)).toMatchObject({ lastOutcome: 'unchanged', isBaseline: false });
    await patch(id, { keyFields: ['title'] });
    await settle(id);
    serve('nr,title\nx,one\ny,zwei\n');
    await bench().check(id);
    expect(await baselines(id)).toEqual([true, false, true, false, true, false]);
  });
});

describe('regression: a detected key that begins to repeat', () => {
  const people = (...names: string[]): string =>
    `name,town\n${names.map((name, at) => `${name},t${at}\n`).join('')}`;
  const before = people('ann', 'bob', 'cy');
  const repeated = people('ann', 'bob', 'bob');

  it('holds the check, says which fields would serve, and records nothing', async () => {
    const { id, serve } = await makeRecord(before);
    expect(await get(id)).toMatchObject({ headKeyFields: ['name'], keySource: 'detected' });
    const { snapshotId } = await get(id);
    serve(repeated);
    for (let times = 0; times < 2; times++) {
      await bench().check(id);
      const check = await lastCheck(id);
      expect(check).toMatchObject({ outcome: 'held', code: 'key_repeated' });
      expect(check?.detail).toContain('One row has the “name” of an earlier row.');
      expect(check?.detail).toContain('Accepted, rows are known by “town”.');
      expect(await get(id)).toMatchObject({ snapshotId, totalRows: 3, heldCheckId: check?.id });
    }
    serve(before.replace('t2', 't9'));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ changedKeys: ['cy'], newCount: 0, deletedCount: 0 });
    expect(await get(id)).toMatchObject({ heldCheckId: null });
  });

  it('regression: says how many rows are gone too', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `n${at}`);
    const { id, serve } = await makeRecord(people(...names));
    serve(people(...names.slice(0, 11), 'n0'));
    await bench().check(id);
    const check = await lastCheck(id);
    expect(check).toMatchObject({ outcome: 'held', code: 'key_repeated' });
    expect(check?.detail).toContain('The body has 12 rows, and the last snapshot has 100.');
  });

  it('begins a generation with another key when the check is accepted', async () => {
    const { id, serve } = await makeRecord(before);
    serve(repeated);
    await bench().check(id);
    const { generation } = await get(id);
    expect(await decide(id, 'accepted')).toBe(true);
    await settle(id);
    expect(await lastCheck(id)).toMatchObject({ trigger: 'accepted', outcome: 'unchanged' });
    expect(await latest(id)).toMatchObject({ isNoChange: true, rekeyed: true, totalCount: 3 });
    expect(await baselines(id)).toEqual([true, null, true]);
    const after = await get(id);
    expect(after).toMatchObject({
      generation: generation + 1,
      headKeyFields: ['town'],
      keySource: 'detected',
      heldCheckId: null,
      isHeldAccepted: false,
    });
    expect(bench().bodies(id)).toEqual([after.bodySha256]);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ isNoChange: true, totalCount: 3 });
  });

  it('is left to its owner if the key was given', async () => {
    const { id, serve } = await makeRecord(before, { keyFields: ['name'] });
    serve(repeated);
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'changed', code: null });
    expect((await lastCheck(id))?.warnings).toMatchObject([{ code: 'duplicate_key', count: 1 }]);
  });

  it('continues with the key that its owner gives instead', async () => {
    const { id, serve } = await makeRecord(before);
    serve(repeated);
    await bench().check(id);
    await patch(id, { keyFields: ['town'] });
    await settle(id);
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'changed', code: null });
    expect(await latest(id)).toMatchObject({ changedKeys: ['t2'], newCount: 0, deletedCount: 0 });
  });

  it('says nothing about drops when it is rejected, and undoes no rejection of one', async () => {
    const town = (at: number): string => `t${at}`;
    const table = (rows: number, names = rows): string =>
      `name,town\n${Array.from({ length: rows }, (_, at) => `n${at % names},${town(at)}\n`).join('')}`;
    const { id, serve } = await makeRecord(table(40));
    serve(table(10, 9));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held', code: 'key_repeated' });
    expect(await decide(id, 'rejected')).toBe(true);
    expect(await get(id)).toMatchObject({ rejectedRows: null, heldCheckId: null });
    // A drop to as many rows is one like any other: a second check may confirm it.
    serve(table(10));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held', code: 'sharp_drop' });
    expect((await lastCheck(id))?.detail).not.toContain('somebody');
    expect(await decide(id, 'rejected')).toBe(true);
    expect(await get(id)).toMatchObject({ rejectedRows: 10 });
    serve(table(30, 29));
    await bench().check(id);
    expect(await decide(id, 'rejected')).toBe(true);
    expect(await get(id)).toMatchObject({ rejectedRows: 10, totalRows: 40 });
    serve(table(10));
    await bench().check(id);
    expect((await lastCheck(id))?.detail).toContain('somebody');
  });
});
