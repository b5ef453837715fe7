// Runs of accepted bodies without the line end of the table: whose they are, and what ends them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRows } from '../../../db/driver/knex.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { ageHeld, bench, decide, get, lastCheck, makeRecord, origin, patch, settle } = useWatchedRecords();

const RECHECK_SECONDS = 600;

beforeAll(() => {
  // Changes the object in place, because the activities hold a reference to it.
  const { config } = bench().deps;
  const { heldRecheckSeconds } = config;
  Object.assign(config, { heldRecheckSeconds: RECHECK_SECONDS });
  afterAll(() => void Object.assign(config, { heldRecheckSeconds }));
});

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
  const checkBody = async (body: string, how = {}) => {
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
    expect(await checkBody(cut(45), { closeDelimited: true })).toBe('changed');
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
    expect(await checkBody(cut(45), { closeDelimited: true })).toBe('held');
  });

  it('say nothing about another URL, except that the table ended in a line end', async () => {
    const { id, check } = await afterSixBodies();
    const answer = { body: cut(45), headers: { 'content-type': 'text/csv' }, closeDelimited: true };
    origin().set('/other', answer);
    await patch(id, { url: `${origin().url}/other` });
    expect(await check()).toBe('held');
  });

  it('say nothing once a body with its line end was held', async () => {
    const { id, checkBody } = await afterSixBodies();
    expect(await checkBody(table(20))).toBe('held');
    expect(await checkBody(open(66))).toBe('unchanged');
    expect(await get(id)).toMatchObject({ openEndedRun: { bodies: 0 } });
    expect(await checkBody(cut(45), { closeDelimited: true })).toBe('held');
  });

  it('say nothing once somebody has rejected one', async () => {
    const { id, checkBody } = await afterSixBodies();
    expect(await checkBody(cut(20), { closeDelimited: true })).toBe('held');
    expect(await decide(id, 'rejected')).toBe(true);
    expect(await checkBody(open(66))).toBe('unchanged');
    expect(await checkBody(cut(45), { closeDelimited: true })).toBe('held');
  });

  it('still confirm another one after the stored body was read again', async () => {
    const { id, checkBody } = await afterSixBodies();
    await patch(id, { ignoreFields: ['nothing'] });
    await settle(id);
    expect(await checkBody(cut(45), { closeDelimited: true })).toBe('changed');
  });
});
