// Bodies that nobody needs are removed, and none that a check is still about to commit. Uses the real activities,
// without a worker: skipping an activity has the effect of a worker that died.
import { createHash } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { removeOrphans, sweepStore } from '../../../activities/housekeeping/remove-orphans.ts';
import { markRecordDeleted } from '../../../db/records/records.ts';
import { createGate } from '../../support/gate.ts';
import { until } from '../../support/until.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, get, makeRecord } = useWatchedRecords();

const csv = (note: string): string => `id,name\n1,${note}\n`;
const sha256 = (body: string): string => createHash('sha256').update(body).digest('hex');
const sweep = () => bench().run(() => removeOrphans(bench().deps));

/** As if all that is loose had been so for a day, and the checks of the record had ended since. */
async function age(id: string, { andChecks = false } = {}): Promise<void> {
  const { db } = bench().database;
  await db.raw(`update loose_bodies set loose_since = loose_since - interval '1 day' where record_id = ?`, [
    id,
  ]);
  if (!andChecks) return;
  await db.raw(
    `update record_heads set last_checked_at = last_checked_at - interval '1 day' where record_id = ?`,
    [id],
  );
}

/** Fetches for a check that is never compared. */
async function fetchOnly(id: string) {
  const input = bench().newCheck(id);
  const fetched = await bench().run(({ fetchSource }) => fetchSource(input));
  if (fetched.kind !== 'fetched') throw new Error('Nothing was fetched');
  return { ...input, ...fetched };
}

describe('regression: a body stored by a fetch whose worker died', () => {
  it('is removed half a day after its retry has fetched another version', async () => {
    const { id, serve } = await makeRecord(csv('one'));
    serve(csv('two'));
    await fetchOnly(id);
    serve(csv('three'));
    await bench().check(id);
    expect(bench().bodies(id)).toHaveLength(2);
    await sweep();
    expect(bench().bodies(id)).toHaveLength(2);
    await age(id);
    await sweep();
    expect(bench().bodies(id)).toEqual([sha256(csv('three'))]);
    expect(await bench().database.db('loose_bodies').where({ recordId: id })).toEqual([]);
  });

  it('stays while its check is not finished, however long it waits for a worker', async () => {
    const { id, serve } = await makeRecord(csv('one'));
    serve(csv('two'));
    const input = await fetchOnly(id);
    await age(id, { andChecks: true });
    await sweep();
    expect(bench().bodies(id)).toContain(sha256(csv('two')));
    await bench().run(({ recordDelta }) => recordDelta(input));
    expect(await get(id)).toMatchObject({ bodySha256: sha256(csv('two')) });
    await age(id);
    await sweep();
    expect(bench().bodies(id)).toEqual([sha256(csv('two'))]);
  });

  it('stays when it is fetched again while it is being removed', async () => {
    const { id, serve } = await makeRecord(csv('one'));
    serve(csv('two'));
    await fetchOnly(id);
    serve(csv('three'));
    await bench().check(id);
    await age(id);
    const { blobs } = bench().deps;
    const { remove } = blobs;
    const [begun, gate] = [createGate(), createGate()];
    onTestFinished(() => {
      blobs.remove = remove;
    });
    blobs.remove = async (...body) => {
      begun.open();
      await gate.wait();
      await remove(...body);
    };
    const sweeping = sweep();
    await begun.wait();
    serve(csv('two'));
    const fetching = fetchOnly(id);
    await until('the fetch waits', async () => {
      const { rows } = await bench().database.db.raw<{ rows: unknown[] }>(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    gate.open();
    await sweeping;
    const input = await fetching;
    await bench().run(({ recordDelta }) => recordDelta(input));
    expect(await get(id)).toMatchObject({ bodySha256: sha256(csv('two')) });
    expect(bench().bodies(id)).toContain(sha256(csv('two')));
  });
});

describe('regression: a body that the head no longer refers to', () => {
  it('is removed when the worker died before it could', async () => {
    const { id, serve } = await makeRecord(csv('one'));
    const { blobs } = bench().deps;
    const { remove } = blobs;
    onTestFinished(() => {
      blobs.remove = remove;
    });
    blobs.remove = () => Promise.reject(new Error('The worker dies here'));
    serve(csv('two'));
    await expect(bench().check(id)).rejects.toThrow('dies here');
    blobs.remove = remove;
    expect(bench().bodies(id)).toHaveLength(2);
    await age(id);
    await sweep();
    expect(bench().bodies(id)).toEqual([sha256(csv('two'))]);
  });

  it('is removed with its record, and so is one stored after that', async () => {
    const { id, serve } = await makeRecord(csv('one'));
    serve(csv('two'));
    await fetchOnly(id);
    const { db, blobs } = bench().deps;
    const { put } = blobs;
    onTestFinished(() => {
      blobs.put = put;
    });
    blobs.put = async (...body) => {
      await markRecordDeleted(db, id);
      await bench().run(({ eraseRecord }) => eraseRecord(id));
      await put(...body);
    };
    serve(csv('three'));
    const late = await bench().run(({ fetchSource }) => fetchSource(bench().newCheck(id)));
    expect(late).toMatchObject({ kind: 'committed', plan: { kind: 'deleted' } });
    expect(bench().bodies(id)).toEqual([]);
    expect(await db('loose_bodies').where({ recordId: id })).toEqual([]);
  });

  it('is removed when it was stored while its record was erased', async () => {
    const { id, serve } = await makeRecord(csv('one'));
    serve(csv('two'));
    await fetchOnly(id);
    await bench().database.db('records').where({ id }).delete();
    await age(id);
    await sweep();
    expect(bench().bodies(id)).not.toContain(sha256(csv('two')));
  });
});

describe('regression: a body stored before bodies were recorded', () => {
  const startOver = () => bench().database.db('body_sweep').update({ afterKey: '' });
  const forget = (recordId: string) => bench().database.db('loose_bodies').where({ recordId }).delete();

  it('is found once, step by step, and removed later', async () => {
    const { id, serve } = await makeRecord(csv('one'));
    serve(csv('two'));
    await fetchOnly(id);
    await forget(id);
    await age(id);
    await sweep();
    expect(bench().bodies(id)).toHaveLength(2);
    await startOver();
    const { db } = bench().database;
    const { deps, run } = bench();
    await run(() => sweepStore(deps, { steps: 1, limit: 1 }));
    const positions = await db<{ afterKey: string | null }>('body_sweep').select('afterKey');
    expect(positions.map(({ afterKey }) => afterKey)).toEqual([
      expect.stringMatching(/^src_\w+\/[0-9a-f]{64}$/),
    ]);
    await until('all are looked at', async () => {
      await run(() => sweepStore(deps, { steps: 1, limit: 1 }));
      return (await db('body_sweep').whereNull('afterKey')).length === 1;
    });
    expect(await db('loose_bodies').where({ recordId: id }).pluck('sha256')).toEqual([sha256(csv('two'))]);
    serve(csv('three'));
    await bench().check(id);
    await age(id);
    await sweep();
    expect(bench().bodies(id)).toEqual([sha256(csv('three'))]);
  });
});

it('regression: the rest of an interrupted upload is removed', async () => {
  const folder = `${bench().deps.spoolDir}/../blobs/.partial`;
  mkdirSync(folder, { recursive: true });
  for (const name of ['old', 'new']) writeFileSync(`${folder}/${name}`, 'half a body');
  const yesterday = Date.now() / 1_000 - 86_400;
  utimesSync(`${folder}/old`, yesterday, yesterday);
  await sweep();
  expect(bench().bodies('.partial')).toEqual(['new']);
});
