// Counting calls in batches, as exact as one by one.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CountCall, createCallCounter } from '../../../db/usage/count-calls.ts';
import { type Database, openDatabase } from '../../../db/driver/knex.ts';
import { type Period, readUsed, takeOne } from '../../../db/usage/usage-counters.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';

let database: TestDatabase;
let db: Database;
let second: Database;
let countCall: CountCall;
let countOnSecond: CountCall;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  second = openDatabase(database.url, { poolSize: 5 });
  countCall = createCallCounter(db);
  countOnSecond = createCallCounter(second);
});
afterAll(async () => {
  await second.destroy();
  await database.drop();
});

let subjects = 0;
const newSubject = (): string => `subject ${(subjects += 1)}`;
const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1);

const usedOf = (all: readonly { isTaken: boolean; used: number }[]): number[] =>
  all
    .filter(({ isTaken }) => isTaken)
    .map(({ used }) => used)
    .toSorted((left, right) => left - right);

it('gives out each of the limit once to 200 callers at once, on two pools', async () => {
  const subject = newSubject();
  const all = await Promise.all(
    Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? countCall : countOnSecond)(subject, 'ever', 50)),
  );
  expect(usedOf(all)).toEqual(numbersTo(50));
  expect(all.filter(({ isTaken }) => !isTaken).every(({ used }) => used === 50)).toBe(true);
  expect(await readUsed(db, subject, 'ever')).toBe(50);
});

it('gives every subject its limit and no more, with other subjects on two pools', async () => {
  const periods = fc.constantFrom<Period>('hour', 'day', 'ever');
  const crowd = fc.array(fc.record({ limit: fc.nat(6), callers: fc.nat(9) }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(crowd, periods, fc.infiniteStream(fc.boolean()), async (asked, period, sides) => {
      const named = asked.map((each) => ({ ...each, subject: newSubject() }));
      const calls = named.flatMap(({ callers, ...each }) => Array.from({ length: callers }, () => each));
      const all = await Promise.all(
        calls.map(async ({ subject, limit }) => {
          const taken = await (sides.next().value ? countCall : countOnSecond)(subject, period, limit);
          return { subject, ...taken };
        }),
      );
      for (const { subject, limit, callers } of named) {
        const count = Math.min(limit, callers);
        expect(usedOf(all.filter((each) => each.subject === subject))).toEqual(numbersTo(count));
        expect(await readUsed(db, subject, period)).toBe(count);
      }
    }),
    { numRuns: 40 },
  );
});

it('continues where others stopped, and says when the count starts again', async () => {
  const subject = newSubject();
  await takeOne(db, subject, 'day', 3);
  const all = await Promise.all(numbersTo(4).map(() => countCall(subject, 'day', 3)));
  expect(usedOf(all)).toEqual([2, 3]);
  for (const { resetInSeconds } of all) {
    expect(resetInSeconds).toBeGreaterThan(0);
    expect(resetInSeconds).toBeLessThanOrEqual(86_400);
  }
  expect((await countCall(newSubject(), 'ever', 1)).resetInSeconds).toBeNull();
});

it('takes nothing from a subject beyond its limit', async () => {
  const subject = newSubject();
  for (const _ of numbersTo(5)) await countCall(subject, 'day', 5);
  expect(await countCall(subject, 'day', 2)).toMatchObject({ isTaken: false, used: 2 });
  expect(await readUsed(db, subject, 'day')).toBe(5);
});

it('fails only the calls of the failed statement', async () => {
  const broken = openDatabase(database.url, { poolSize: 1 });
  await broken.destroy();
  const failing = await Promise.allSettled(numbersTo(3).map(() => createCallCounter(broken)('x', 'day', 9)));
  expect(failing.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  const subject = newSubject();
  await db.raw('alter table usage_counters rename to away');
  await expect(countCall(subject, 'day', 9)).rejects.toThrow('usage_counters');
  await db.raw('alter table away rename to usage_counters');
  expect((await countCall(subject, 'day', 9)).used).toBe(1);
});
