// Pruning page by page: every tier gets its turn, and an attempt continues where the one before it stopped.
import { asyncLocalStorage, Context } from '@temporalio/activity';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { pruneHistory } from '../../../activities/housekeeping/prune-history.ts';
import { commitProblemCheck, commitUnchangedCheck } from '../../../db/commit/checks.ts';
import { listChecks } from '../../../db/check-log.ts';
import { askRecordPreview } from '../../../db/records/record-previews.ts';
import { askPreview } from '../../../db/records/rule-previews.ts';
import type { Tier } from '../../../core/tiers.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { newTestId } from '../../support/rows/factories.ts';
import { checkFacts, commitTable, table } from '../../db/factories.ts';

const PAGE = 2;

let bench: ActivityBench;
beforeAll(async () => {
  bench = await openActivityBench();
});
afterAll(() => bench.close());
beforeEach(() => bench.database.db.raw('truncate records cascade'));

type Beat = Partial<Record<Tier, string | null>>;

/** Runs the activity. @param onBeat called at each heartbeat with its details @param left what an earlier attempt left */
function prune(
  onBeat: (details: Beat) => void = () => undefined,
  left?: Beat,
  recordsPerPage = PAGE,
): Promise<{ deleted: number }> {
  const unused = undefined as never;
  const beat = (details: Beat): void => onBeat(structuredClone(details));
  const context = new Context(
    { heartbeatDetails: left } as Context['info'],
    new Promise<never>(() => undefined),
    new AbortController().signal,
    beat as never,
    unused,
    unused,
    unused,
    {},
  );
  return asyncLocalStorage.run(context, () => pruneHistory(bench.deps, recordsPerPage));
}

/** A record with a change, unchanged checks around it and failed ones at the end, all older than any retention. */
async function makeOldRecord(tier: Tier): Promise<string> {
  const { db } = bench.database;
  const id = await bench.makeRecord({ url: 'https://example.com/a.csv', tier });
  const quiet = () =>
    commitUnchangedCheck(db, checkFacts(id), { urlHash: 'u', etag: null, lastModified: null });
  await commitTable(db, id, table({ a: '1' }));
  await quiet();
  await commitTable(db, id, table({ a: '2' }));
  await quiet();
  await quiet();
  const problem = { code: 'http_error', detail: 'Down.' } as const;
  for (let made = 0; made < 3; made += 1) await commitProblemCheck(db, 'failed', checkFacts(id), problem);
  const years = `- interval '9 years'`;
  await db.raw(`update checks set finished_at = finished_at ${years} where record_id = ?`, [id]);
  await db.raw(`update delta_events set detected_at = detected_at ${years} where record_id = ?`, [id]);
  await db.raw(
    `update unchanged_checks set finished_at = finished_at ${years}
     where record_no = (select record_no from record_heads where record_id = ?)`,
    [id],
  );
  return id;
}

const numbersOf = async (id: string): Promise<number[]> =>
  (await listChecks(bench.database.db, id, 'asc', { after: null, limit: 100 })).map(({ number }) => number);

it('deletes all that is older than the retention, but the latest event and the latest check', async () => {
  const ids: string[] = [];
  for (const tier of ['free', 'free', 'free', 'free', 'free', 'max', 'watch'] as const) {
    ids.push(await makeOldRecord(tier));
  }
  await prune();
  // The last unchanged check is the latest event; failed ones after it are no reason to keep more.
  for (const id of ids) expect(await numbersOf(id)).toEqual([5, 8]);
  expect((await prune()).deleted).toBe(0);
});

it('lets no tier wait for a record of another one (regression: the last tier waited for all others)', async () => {
  const slow = await makeOldRecord('free');
  const quick = await makeOldRecord('max');
  const pruning: Promise<unknown>[] = [];
  await bench.database.db.transaction(async (lock) => {
    await lock('checks').where({ recordId: slow }).forUpdate();
    const maxIsDone = new Promise<void>((resolve) => {
      pruning.push(prune((details) => void (details.max === null && resolve())));
    });
    await maxIsDone;
    expect(await numbersOf(quick)).toHaveLength(2);
  });
  await Promise.all(pruning);
  expect(await numbersOf(slow)).toHaveLength(2);
});

it('regression: one record whose history cannot be deleted stops no other, and the run says so', async () => {
  const { db } = bench.database;
  const ids = (await Promise.all(Array.from({ length: 5 }, () => makeOldRecord('free')))).sort();
  const faulty = ids[0] ?? '';
  const ofOtherTier = await makeOldRecord('max');
  await db.raw(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'The disk is full'; end $$;
    create trigger refuse before delete on checks for each row when (old.record_id = '${faulty}') execute function refuse()`);
  try {
    // Not in parts of one record each.
    const failure = { nonRetryable: true, message: expect.stringContaining(faulty) };
    await expect(prune(undefined, undefined, 100)).rejects.toMatchObject(failure);
    for (const id of [...ids.slice(1), ofOtherTier]) expect(await numbersOf(id)).toHaveLength(2);
    expect((await numbersOf(faulty)).length).toBeGreaterThan(2);
    await expect(prune()).rejects.toMatchObject(failure);
  } finally {
    await db.raw('drop function refuse cascade');
  }
  await prune();
  expect(await numbersOf(faulty)).toHaveLength(2);
});

it('continues where an attempt stopped (regression: each began at the first record)', async () => {
  const ids: string[] = [];
  for (let made = 0; made < 2 * PAGE; made += 1) ids.push(await makeOldRecord('free'));
  ids.sort();
  let left: Beat = {};
  const stopped = prune((details) => {
    left = details;
    if (details.free === ids[PAGE - 1]) throw new Error('The worker dies');
  });
  await expect(stopped).rejects.toThrow('The worker dies');
  expect(await Promise.all(ids.map(async (id) => (await numbersOf(id)).length))).toEqual([2, 2, 8, 8]);
  await prune(undefined, left);
  expect(await Promise.all(ids.map(async (id) => (await numbersOf(id)).length))).toEqual([2, 2, 2, 2]);
});

it('deletes previews whose answers nobody has read (regression: previews of rules remained)', async () => {
  const { db } = bench.database;
  const rule = { keyFields: null, ignoreFields: [], rules: {}, headerRow: null, quoting: 'double' as const };
  const detected = { format: null, delimiter: null, rowsPath: null, pairing: null, ...rule };
  const settings = { url: 'https://example.com/b.csv', tier: 'free', authType: 'none', ...detected } as const;
  const ask = async (): Promise<string[]> => {
    const recordId = await bench.makeRecord({ url: 'https://example.com/a.csv' });
    const [{ accountId = '' } = {}] = await db('records').where({ id: recordId }).select('accountId');
    const [ofRule, ofRecord] = [newTestId('rulePreview'), newTestId('recordPreview')];
    await askPreview(db, ofRule, recordId, rule);
    await askRecordPreview(db, ofRecord, accountId, { settings, sealed: null });
    return [ofRule, ofRecord];
  };
  await ask();
  const tables = ['rule_previews', 'record_previews'];
  for (const each of tables) await db(each).update({ createdAt: db.raw("now() - interval '11 minutes'") });
  const young = await ask();
  await prune();
  expect((await Promise.all(tables.map((each) => db(each).pluck('id')))).flat()).toEqual(young);
});
