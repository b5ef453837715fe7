// Runs of accepted bodies without the line end of the table: whose they are, and what ends them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRows } from '../../db/driver/knex.ts';
import { useWatchedRecords } from '../support/checks/watched-records.ts';
import type { OriginBehaviour } from '../support/servers/origin-server.ts';

const { ageHeld, bench, decide, get, lastCheck, makeRecord, origin, patch, settle } = useWatchedRecords();

const RECHECK_SECONDS = 600;

beforeAll(() => {
  // Changes the object in place, because the activities hold a reference to it.
  const { config } = bench().deps;
  const { heldRecheckSeconds } = config;
  Object.assign(config, { heldRecheckSeconds: RECHECK_SECONDS });
  afterAll(() => void Object.assign(config, { heldRecheckSeconds }));
});

const CLOSED = { closeDelimited: true } as const;

const table = (count: number): string =>
  `id,note\n${Array.from({ length: count }, (_, at) => `${at},note ${at}\n`).join('')}`;
const open = (count: number): string => table(count).trimEnd();
const cut = (count: number): string => table(count).slice(0, -4);

/** A record whose last six bodies had a length, new rows and no line end, so that the next one is the seventh. */
async function afterSixBodies() {
  const { id, serve } = await makeRecord(table(60), { keyFields: ['id'] });
  const check = async () => {
    await bench().check(id);
    await ageHeld(id, RECHECK_SECONDS + 1);
    return (await lastCheck(id))?.outcome;
  };
  const checkBody = async (body: string, how: OriginBehaviour = {}) => {
    serve(body, how);
    return check();
  };
  for (const count of [61, 62, 63, 64, 65, 66]) expect(await checkBody(open(count))).toBe('changed');
  expect(await get(id)).toMatchObject({ openEndedRun: { bodies: 6 } });
  return { id, check, checkBody };
}

describe('regression: bodies without their line end', () => {
  it('confirm another one', async () => {
    const { checkBody } = await afterSixBodies();
    expect(await checkBody(cut(45), CLOSED)).toBe('changed');
  });

  it('say nothing once a version that does not count them has accepted another body', async () => {
    const { id, checkBody } = await afterSixBodies();
    const { openEndedRun } = await get(id);
    expect(await checkBody(table(67))).toBe('changed');
    const run = JSON.stringify(openEndedRun);
    await rawRows(bench().database.db, 'update record_heads set open_ended_run = ? where record_id = ?', [
      run,
      id,
    ]);
    expect(await checkBody(cut(45), CLOSED)).toBe('held');
  });

  it('say nothing about another URL, except that the table ended in a line end', async () => {
    const { id, check } = await afterSixBodies();
    const answer = { body: cut(45), headers: { 'content-type': 'text/csv' }, ...CLOSED };
    origin().set('/other', answer);
    await patch(id, { url: `${origin().url}/other` });
    expect(await check()).toBe('held');
  });

  it('say nothing once a body with its line end was held', async () => {
    const { id, checkBody } = await afterSixBodies();
    expect(await checkBody(table(20))).toBe('held');
    expect(await checkBody(open(66))).toBe('unchanged');
    expect(await get(id)).toMatchObject({ openEndedRun: { bodies: 0 } });
    expect(await checkBody(cut(45), CLOSED)).toBe('held');
  });

  it('say nothing once somebody has rejected one', async () => {
    const { id, checkBody } = await afterSixBodies();
    expect(await checkBody(cut(20), CLOSED)).toBe('held');
    expect(await decide(id, 'rejected')).toBe(true);
    expect(await checkBody(open(66))).toBe('unchanged');
    expect(await checkBody(cut(45), CLOSED)).toBe('held');
  });

  it('still confirm another one after the stored body was read again', async () => {
    const { id, checkBody } = await afterSixBodies();
    await patch(id, { ignoreFields: ['nothing'] });
    await settle(id);
    expect(await checkBody(cut(45), CLOSED)).toBe('changed');
  });
});

/** A record and a check of another body of it, some time after the one before. */
async function watched(first: string) {
  const { id, serve } = await makeRecord(first, { keyFields: ['id'] });
  return {
    id,
    check: async (body: string, afterSeconds = RECHECK_SECONDS + 1) => {
      await ageHeld(id, afterSeconds);
      serve(body, CLOSED);
      await bench().check(id);
      return (await lastCheck(id))?.outcome;
    },
  };
}

it('regression: bodies that end within a row were cut, and do not show that the table has lost its line end', async () => {
  const { check } = await watched(table(200));
  const withinRow = (count: number) => table(count).slice(0, table(count).lastIndexOf(','));
  for (const count of [190, 150, 190, 150, 190, 150]) expect(await check(withinRow(count))).toBe('held');
  expect(await check(cut(170))).toBe('held');
  for (const count of [140, 130, 120, 115, 110]) expect(await check(open(count))).toBe('held');
  expect(await check(withinRow(145))).toBe('held');
  expect(await check(open(105))).toBe('changed');
});

it('bodies that end in the footer of the table count', async () => {
  const { check } = await watched(`${table(60)}Total\n`);
  for (const count of [59, 58, 57, 56, 55, 54]) expect(await check(`${table(count)}Total`)).toBe('held');
  expect(await check(`${table(53)}Total`)).toBe('changed');
});

it('regression: a held body with its line end does not count for one without, also if both have few rows', async () => {
  const { id, check } = await watched(table(100));
  expect(await check(table(48))).toBe('held');
  expect(await check(cut(46), RECHECK_SECONDS - 2)).toBe('held');
  expect((await lastCheck(id))?.detail).not.toContain('too soon');
  expect(await check(cut(46), 3)).toBe('held');
  expect((await lastCheck(id))?.detail).toContain('too soon');
  expect(await check(cut(46))).toBe('changed');
});

it('regression: a body that an earlier version has held is confirmed by the next one', async () => {
  const { id, check } = await watched(table(60));
  expect(await check(open(55))).toBe('held');
  await rawRows(
    bench().database.db,
    `update record_heads set held_body = (held_body::jsonb - 'rowsSinceMs' - 'openEndedRun')::json where record_id = ?`,
    [id],
  );
  expect(await check(open(55))).toBe('changed');
});
