// The events of a record without rules, replayed under rules, against the events of a record that has these rules from the
// beginning and gets the same bodies.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ignoreTest } from '../../../core/delta/model.ts';
import { createReplay, type PastRow, type Replay } from '../../../core/delta/replay-events.ts';
import type { ColumnRules } from '../../../core/delta/rules/column-rules.ts';
import { finish } from '../../../core/delta/steps.ts';
import { findRecord } from '../../../db/records/records.ts';
import { listDeltaEvents } from '../../../db/rows/delta-events.ts';
import { exportDeltaRows } from '../../../db/rows/delta-rows.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';

let bench: ActivityBench;
let origin: Origin;
beforeAll(async () => {
  bench = await openActivityBench();
  origin = await startOrigin();
});
afterAll(async () => {
  await origin.close();
  await bench.close();
});

/** Neighbours are within the tolerances, the ends are not. */
const PRICES = ['1', '1.0', '1.005', '1.01', '1.015', '1.02', '1.03', 'n/a'];
const row = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  price: fc.constantFrom(...PRICES),
  name: fc.constantFrom('x', 'x', 'X', ' x', 'y'),
  seen: fc.constantFrom('1', '1', '2'),
});
const bodies = (isKeyed: boolean) =>
  fc.array(
    fc.uniqueArray(row, {
      selector: (each) => (isKeyed ? each.id : JSON.stringify(each)),
      minLength: 2,
      maxLength: 4,
    }),
    { minLength: 5, maxLength: 8 },
  );
const settings = fc.record({
  pairing: fc.constantFrom(null, 'similarity' as const),
  rules: fc.constantFrom<ColumnRules[]>(
    { price: { as: 'number' } },
    { price: { as: 'number', tolerance: '0.01' }, name: { trim: true } },
    { name: { trim: true, ignoreCase: true }, price: { as: 'number', tolerance: '2%' } },
    {},
  ),
  ignoreFields: fc.constantFrom<string[][]>([], ['seen'], ['seen', 'name']),
});

/** The counts of each event with changes, oldest first, with its rows. */
async function eventsOf(id: string) {
  const { db } = bench.database;
  const page = { after: null, limit: 100 };
  const events = await listDeltaEvents(db, id, { changesOnly: true }, 'asc', page, 0);
  const record = await findRecord(db, id);
  return Promise.all(
    events.map(async (event) => {
      const { newCount, changedCount, deletedCount } = event;
      const rows: PastRow[] = [];
      const ref = { id: event.id, recordId: id, recordNo: record?.recordNo ?? 0 };
      for await (const some of exportDeltaRows(db, {
        ...ref,
        rowCount: newCount + changedCount + deletedCount,
      }))
        rows.push(...some);
      return { counts: { newCount, changedCount, deletedCount }, rows, snapshotId: event.snapshotId };
    }),
  );
}

type Counts = Awaited<ReturnType<typeof eventsOf>>[number]['counts'];

/** What is said of events whose rows are not all read is true of those that are. */
function expectPartOf(
  whole: readonly Counts[],
  events: readonly { rows: readonly PastRow[] }[],
  replay: Replay,
  limit: number,
): void {
  for (const [at, { rows }] of events.entries()) {
    const read = rows.slice(0, limit);
    const { counts, decided } = finish(
      replay(read, read.length < rows.length ? (read.at(-1)?.key ?? '') : null),
    );
    expect(sum(whole[at] ?? {}) - sum(counts)).toBeLessThanOrEqual(rows.length - decided);
    for (const [name, count] of Object.entries(counts))
      expect(count).toBeLessThanOrEqual(whole[at]?.[name as keyof typeof counts] ?? 0);
  }
}

const sum = (counts: object): number =>
  Object.values(counts).reduce((total: number, count: number) => total + count, 0);

const isSomething = (counts: object): boolean => Object.values(counts).some((count) => count > 0);

it.each([['id'], []])(
  'agrees with the record that has the rules (key fields: %j)',
  PROPERTY_TIMEOUT,
  async (...keyFields) => {
    await fc.assert(
      fc.asyncProperty(
        bodies(keyFields.length > 0),
        settings,
        fc.nat({ max: 3 }),
        async (versions, { rules, ignoreFields, pairing }, limit) => {
          const url = `${origin.url}/${crypto.randomUUID()}.csv`;
          const plain = await bench.makeRecord({ url, keyFields });
          const ruled = await bench.makeRecord({ url, keyFields, rules, ignoreFields, pairing });
          for (const version of versions) {
            const lines = version.map((each) => `${each.id},${each.price},${each.name},${each.seen}`);
            origin.set(new URL(url).pathname, { body: `id,price,name,seen\n${lines.join('\n')}\n` });
            await bench.check(plain);
            await bench.check(ruled);
          }
          const rule = { rules, keyFields, isIgnored: ignoreTest(ignoreFields, 'csv'), pairing };
          const replay = createReplay(rule);
          const events = await eventsOf(plain);
          const whole = events.map(({ rows }) => finish(replay(rows)).counts);
          const replayed = whole.filter(isSomething);
          if (keyFields.length > 0) expectPartOf(whole, events, createReplay(rule), limit);
          expect(replayed).toEqual((await eventsOf(ruled)).map(({ counts }) => counts));
        },
      ),
      propertyRuns(30),
    );
  },
);
