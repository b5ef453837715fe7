// Activities that run again after their worker was killed. Committed work stays, nothing is visibly done twice, and no file is
// left behind.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createActivities } from '../../../activities/create-activities.ts';
import { listChecks } from '../../../db/check-log.ts';
import { findRecord, updateRecord, setNextCheck } from '../../../db/records/records.ts';
import type { FetchResult } from '../../../workflows/contract.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

let bench: ActivityBench;
let origin: Origin;
let sink: WebhookSink;
let paths = 0;

beforeAll(async () => {
  bench = await openActivityBench();
  origin = await startOrigin();
  sink = await startSink();
});

afterAll(async () => {
  await sink.close();
  await origin.close();
  await bench.close();
});

const csv = (rows: number, version = 1): string =>
  ['id,name', ...Array.from({ length: rows }, (_, i) => `${i},row ${i} v${version}`)].join('\n');

const sha256 = (body: string): string => createHash('sha256').update(body).digest('hex');

async function recordOf(body: string, settings = {}): Promise<{ id: string; path: string }> {
  paths += 1;
  const path = `/feed-${paths}.csv`;
  origin.set(path, { body });
  return { id: await bench.makeRecord({ url: origin.url + path, ...settings }), path };
}

function fetched(result: FetchResult): Extract<FetchResult, { kind: 'fetched' }> {
  if (result.kind !== 'fetched') throw new Error(`Not fetched: ${JSON.stringify(result)}`);
  return result;
}

/** Fetches for a check whose comparison the test runs. */
async function fetchFor(id: string) {
  const input = bench.newCheck(id);
  return { ...input, ...fetched(await bench.run(({ fetchSource }) => fetchSource(input))) };
}

const checksOf = (recordId: string) =>
  listChecks(bench.database.db, recordId, 'asc', { after: null, limit: 1_000 });

describe('a fetch that runs again', () => {
  it('does not ask the origin when the check is committed', async () => {
    const { id, path } = await recordOf(csv(3));
    await bench.check(id);
    const input = bench.newCheck(id);
    await bench.run(({ fetchSource }) => fetchSource(input));
    // The origin's current body belongs to the next check.
    origin.set(path, { body: csv(4) });
    const seen = origin.requests.length;
    const again = await bench.run(({ fetchSource }) => fetchSource(input), 2);
    expect(again).toMatchObject({ kind: 'committed', plan: { kind: 'check' }, deliver: null });
    expect(origin.requests).toHaveLength(seen);
    expect(bench.bodies(id)).toEqual([sha256(csv(3))]);
    expect(await bench.check(id)).toMatchObject({ words: expect.stringContaining('1 new') });
  });

  it('leaves no file in the spool', async () => {
    const { id } = await recordOf(csv(3));
    await bench.check(id);
    await bench.check(id);
    expect(bench.spool()).toEqual([]);
  });
});

describe('a comparison that runs again', () => {
  it('of a held check keeps the time of the confirmation', async () => {
    const { config } = bench.deps;
    const { heldRecheckSeconds } = config;
    Object.assign(config, { heldRecheckSeconds: 600 });
    onTestFinished(() => void Object.assign(config, { heldRecheckSeconds }));
    const { id, path } = await recordOf(csv(40));
    await bench.check(id);
    origin.set(path, { body: csv(3) });
    const input = await fetchFor(id);
    await bench.run(({ recordDelta }) => recordDelta(input));
    const again = await bench.run(({ recordDelta }) => recordDelta(input), 2);
    if (again.plan.kind !== 'check') throw new Error(again.plan.kind);
    expect(again.plan.inMs).toBeGreaterThan(590_000);
    expect(again.plan.inMs).toBeLessThanOrEqual(600_050);
    expect((await checksOf(id)).map(({ outcome }) => outcome)).toEqual(['unchanged', 'held']);
  });

  it('of a failed check whose body was removed returns that failure', async () => {
    const { id, path } = await recordOf(csv(3), { keyFields: ['id'] });
    await bench.check(id);
    origin.set(path, { body: 'nr,name\n1,a\n' });
    const input = await fetchFor(id);
    await bench.run(({ recordDelta }) => recordDelta(input));
    const again = await bench.run(({ recordDelta }) => recordDelta(input), 2);
    expect(again.words).toContain('A key field is missing');
    expect(again.attributes).toMatchObject({ status: 'failing', consecutiveFailures: 1 });
    expect(bench.bodies(id)).toEqual([sha256(csv(3))]);
  });

  it('of a record deleted meanwhile tells the workflow', async () => {
    const { id } = await recordOf(csv(3));
    const input = await fetchFor(id);
    await bench.database.db('records').where({ id }).update({ deletedAt: new Date() });
    const result = await bench.run(({ recordDelta }) => recordDelta(input));
    expect(result.plan).toEqual({ kind: 'deleted' });
  });
});

describe('an activity that fails after its commit', () => {
  it('keeps the change and its deliveries, and records no failed check', async () => {
    const { id, path } = await recordOf(csv(3));
    await bench.makeWebhook(id, `${sink.url}/gave-up`);
    await bench.check(id);
    origin.set(path, { body: csv(4) });
    const input = await fetchFor(id);
    const { deliver } = await bench.run(({ recordDelta }) => recordDelta(input));
    const given = await bench.run(({ recordFailedCheck }) =>
      recordFailedCheck({ ...input, reason: 'heartbeat timeout' }),
    );
    expect(given).toMatchObject({ deliver: { ...deliver }, attributes: { consecutiveFailures: 0 } });
    expect(await checksOf(id)).toHaveLength(2);
  });
});

describe('bodies of held checks', () => {
  it('are removed when the rows are back, and when another body is held', async () => {
    const { id, path } = await recordOf(csv(40));
    await bench.check(id);
    origin.set(path, { body: csv(3) });
    await bench.check(id);
    expect(bench.bodies(id)).toEqual([sha256(csv(3)), sha256(csv(40))].toSorted());
    origin.set(path, { body: csv(15) });
    await bench.check(id);
    expect(bench.bodies(id)).toEqual([sha256(csv(15)), sha256(csv(40))].toSorted());
    origin.set(path, { body: csv(40) });
    await bench.check(id);
    expect(bench.bodies(id)).toEqual([sha256(csv(40))]);
  });
});

describe('a detected key', () => {
  it('stays when the table is emptied and filled again, so snapshots remain comparable', async () => {
    const { id, path } = await recordOf('name,id\na,1\nb,1\n');
    await bench.check(id);
    origin.set(path, { body: 'name,id\n' });
    // The first drop is held, and the second one confirms it.
    await bench.check(id);
    await bench.check(id);
    origin.set(path, { body: 'name,id\na,1\n' });
    await bench.check(id);
    const { recordNo } = (await findRecord(bench.database.db, id)) ?? {};
    const mine = await bench.database
      .db('row_versions')
      .where({ recordNo })
      .orderBy(['first_seq', 'row_key']);
    expect(mine.map(({ rowKey }) => rowKey as string)).toEqual(['a', 'b', 'a']);
  });

  it('is detected again while the table never had rows', async () => {
    const { id, path } = await recordOf('name,id\n');
    await bench.check(id);
    origin.set(path, { body: 'name,id\na,1\n' });
    await bench.check(id);
    expect(await findRecord(bench.database.db, id)).toMatchObject({
      headKeyFields: ['id'],
      keySource: 'detected',
    });
  });
});

describe('a JSONL body of one line end', () => {
  it('is not taken for a table that lost its rows', async () => {
    const { id, path } = await recordOf('{"id":1}\n{"id":2}\n', { format: 'jsonl' });
    await bench.check(id);
    origin.set(path, { body: '\n' });
    expect(await bench.check(id)).toMatchObject({ words: expect.stringContaining('empty_body') });
    expect(await findRecord(bench.database.db, id)).toMatchObject({ totalRows: 2 });
  });
});

describe('a modification date', () => {
  it('in the second of the answer is not used to skip a body', async () => {
    const { id, path } = await recordOf(csv(3));
    const date = new Date().toUTCString();
    origin.set(path, { body: csv(3), headers: { date, 'last-modified': date } });
    await bench.check(id);
    await bench.check(id);
    expect(origin.requests.at(-1)?.headers['if-modified-since']).toBeUndefined();
    const long = new Date(Date.now() - 60_000).toUTCString();
    origin.set(path, { body: csv(3), headers: { date, 'last-modified': long } });
    await bench.check(id);
    await bench.check(id);
    expect(origin.requests.at(-1)?.headers['if-modified-since']).toBe(long);
  });
});

describe('a plan', () => {
  const planOf = async (id: string) => (await bench.run(({ planCheck }) => planCheck(id))).plan;

  it('of a record resumed long before its interval ends is due at once', async () => {
    const { id } = await recordOf(csv(3));
    await bench.check(id);
    await updateRecord(bench.database.db, id, { status: 'paused' });
    expect(await planOf(id)).toEqual({ kind: 'paused' });
    await updateRecord(bench.database.db, id, { status: 'active' });
    await setNextCheck(bench.database.db, id, 0);
    expect(await planOf(id)).toEqual({ kind: 'check', inMs: 0 });
  });
});

describe('deliveries', () => {
  async function changeFor(id: string, path: string): Promise<string> {
    origin.set(path, { body: csv(4) });
    const { deliver } = await bench.check(id);
    if (deliver === null) throw new Error('Nothing to deliver');
    return deliver.checkId;
  }

  const received = (path: string) =>
    sink.deliveries.filter((delivery) => delivery.path.endsWith(path)).length;

  it('that were sent are not sent again because another one fails', async () => {
    const { id, path } = await recordOf(csv(3));
    await bench.check(id);
    const good = await bench.makeWebhook(id, `${sink.url}/good`);
    await bench.makeWebhook(id, `${sink.url}/unsignable`, good);
    const check = await changeFor(id, path);
    for (const attempt of [1, 2]) {
      await bench.run(({ attemptDeliveries }) => attemptDeliveries(check), attempt);
    }
    expect(received('/good')).toBe(1);
    expect(received('/unsignable')).toBe(0);
    const [later] = bench.started.splice(0);
    expect(later).toMatchObject({ input: { words: expect.stringContaining('secret_unreadable') } });
  });

  it('whose first attempts an earlier run recorded continue with later attempts when due', async () => {
    const { id, path } = await recordOf(csv(3));
    await bench.check(id);
    await bench.makeWebhook(id, `${sink.url}/failing`);
    const check = await changeFor(id, path);
    sink.respondWith(500);
    await bench.run(({ attemptDeliveries }) => attemptDeliveries(check));
    const [first, ...others] = bench.started.splice(0);
    expect(others).toEqual([]);
    await bench.run(({ attemptDeliveries }) => attemptDeliveries(check), 2);
    const [again] = bench.started.splice(0);
    expect(again).toMatchObject({ workflowId: first?.workflowId, input: { words: 'Attempt 1 failed.' } });
    expect(received('/failing')).toBe(1);
    const deliveryId = first?.workflowId.split('/')[1] ?? '';
    const early = await bench.run(({ attemptDelivery }) => attemptDelivery(deliveryId), 2);
    expect(early).toMatchObject({ kind: 'wait', words: 'Attempt 1 failed.' });
    expect(received('/failing')).toBe(1);
    sink.respondWith(200);
  });
});

describe('reconciling', () => {
  it('continues after a record that cannot be started', async () => {
    const ids = [await recordOf(csv(1)), await recordOf(csv(1))].map(({ id }) => id);
    for (const id of ids) await setNextCheck(bench.database.db, id, -1_000_000_000);
    const started: string[] = [];
    const workflow = {
      signalWithStart: (_type: string, { workflowId }: { workflowId: string }) => {
        started.push(workflowId);
        return workflowId === `record/${ids[0]}`
          ? Promise.reject(new Error('too many signals'))
          : Promise.resolve();
      },
      start: () => Promise.resolve(),
    };
    // The two client calls that reconciling uses.
    const activities = createActivities({ ...bench.deps, temporal: { workflow } as never });
    await bench.run(() => activities.reconcile());
    expect(started).toEqual(expect.arrayContaining(ids.map((id) => `record/${id}`)));
  });
});
