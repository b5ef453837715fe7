// Usage counters, which are exact under any number of callers and restart with their period.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../db/driver/knex.ts';
import { BEGIN, deleteOldCounts, type Period, readUsed, takeOne } from '../../../db/usage/usage-counters.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { propertyRuns } from '../../support/runner/property-runs.ts';

let database: TestDatabase;
let db: Database;
let second: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  second = openDatabase(database.url, { poolSize: 5 });
});
afterAll(async () => {
  await second.destroy();
  await database.drop();
});

let subjects = 0;
const newSubject = (): string => `subject ${(subjects += 1)}`;

describe('takeOne', () => {
  it('gives out exactly the limit to 200 callers at once, on two pools', async () => {
    const subject = newSubject();
    const taken = await Promise.all(
      Array.from({ length: 200 }, (_, at) => takeOne(at % 2 === 0 ? db : second, subject, 'ever', 50)),
    );
    expect(
      taken
        .filter(({ isTaken }) => isTaken)
        .map(({ used }) => used)
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
    expect(taken.filter(({ isTaken }) => !isTaken).every(({ used }) => used === 50)).toBe(true);
    expect(await readUsed(db, subject, 'ever')).toBe(50);
  });

  it('gives out the limit and no more, for any limit and any number of callers', async () => {
    expect.hasAssertions();
    const periods = fc.constantFrom<Period>('hour', 'day', 'ever');
    await fc.assert(
      fc.asyncProperty(fc.nat(12), fc.nat(20), periods, async (limit, callers, period) => {
        const subject = newSubject();
        const taken = await Promise.all(
          Array.from({ length: callers }, () => takeOne(db, subject, period, limit)),
        );
        expect(taken.filter(({ isTaken }) => isTaken)).toHaveLength(Math.min(limit, callers));
        expect(await readUsed(db, subject, period)).toBe(Math.min(limit, callers));
      }),
      propertyRuns(30),
    );
  });

  it('says when the count starts again', async () => {
    const subject = newSubject();
    const inSeconds = async (period: Period) => (await takeOne(db, subject, period, 1)).resetInSeconds;
    expect(await inSeconds('ever')).toBeNull();
    for (const [period, seconds] of [
      ['hour', 3_600],
      ['day', 86_400],
    ] as const) {
      expect(await inSeconds(period)).toBeGreaterThan(0);
      expect(await inSeconds(period)).toBeLessThanOrEqual(seconds);
    }
  });

  it('starts again at zero with the period, and counts subjects and periods apart, also in the first hour of a day', async () => {
    const subject = newSubject();
    expect((await takeOne(db, subject, 'hour', 1)).isTaken).toBe(true);
    expect((await takeOne(db, subject, 'hour', 1)).isTaken).toBe(false);
    expect((await takeOne(db, subject, 'day', 1)).isTaken).toBe(true);
    expect((await takeOne(db, `${subject}!`, 'hour', 1)).isTaken).toBe(true);
    await db.raw(`update usage_counters set period = period - interval '1 hour' where subject = ?`, [
      subject,
    ]);
    expect((await takeOne(db, subject, 'hour', 1)).isTaken).toBe(true);
  });

  it('regression: counts the first hour of a day apart from the day', async () => {
    const atMidnight = (sql: string): string => sql.replaceAll('now()', `timestamptz '2026-01-01 00:30:00Z'`);
    const { rows } = await db.raw(`select ${atMidnight(BEGIN.hour)} = ${atMidnight(BEGIN.day)} as "isOne"`);
    expect(rows).toEqual([{ isOne: false }]);
  });
});

describe('deleting old counts', () => {
  it('deletes those of days ago, in bounded steps, and never one without a period', async () => {
    const [old, older, young, ever] = [newSubject(), newSubject(), newSubject(), newSubject()];
    for (const subject of [old, older, young]) await takeOne(db, subject, 'day', 5);
    await takeOne(db, ever, 'ever', 5);
    const age = `update usage_counters set period = now() - interval '49 hours' where subject = any(?)`;
    await db.raw(age, [[old, older]]);
    expect(await deleteOldCounts(db, 1)).toBe(1);
    expect(await deleteOldCounts(db, 9)).toBe(1);
    expect(await deleteOldCounts(db, 9)).toBe(0);
    const left = (await db('usage_counters').pluck('subject')) as string[];
    expect(left).toEqual(expect.arrayContaining([young, ever]));
  });
});
