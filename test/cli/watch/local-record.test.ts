// A record watched without a server: a version of the user's, and versions without the line end that the accepted one has.
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { openInput } from '../../../cli/input/open-input.ts';
import { createScratch } from '../../../cli/input/scratch.ts';
import { LocalRecord } from '../../../cli/watch/local-record.ts';
import { type Origin, type OriginBehaviour, startOrigin } from '../../support/servers/origin-server.ts';

let origin: Origin;
let scratch: ReturnType<typeof createScratch>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  [origin, scratch] = [await startOrigin(), createScratch()];
});

afterEach(async () => {
  vi.useRealTimers();
  await origin.close();
  scratch.remove();
});

const rows = (count: number): string =>
  `id,name\n${Array.from({ length: count }, (_, at) => `${at},row ${at}\n`).join('')}`;

function watching() {
  const url = `${origin.url}/list`;
  const rule = { keyFields: ['id'], ignoreFields: ['seen'] };
  const record = new LocalRecord({ url, rule, scratch, mostRows: 5 });
  const check = async (body: string, how: OriginBehaviour = { closeDelimited: true }): Promise<string> => {
    origin.set('/list', { body, ...how });
    return (await record.check(AbortSignal.timeout(60_000))).outcome;
  };
  return { check, record };
}

const watched = () => watching().check;

const later = () => vi.setSystemTime(Date.now() + 600_000);

it('regression: a table that has lost its last line end is recorded within an hour, whatever its rows', async () => {
  const check = watched();
  expect(await check(rows(60))).toBe('begun');
  const outcomes: string[] = [];
  for (const count of [59, 58, 57, 20, 56, 55, 54]) {
    outcomes.push(await check(rows(count).trimEnd()));
    later();
  }
  expect(outcomes).toEqual([...Array.from({ length: 6 }, () => 'held'), 'changed']);
});

it('such versions in quick succession count as one, and one with its line end ends the run', async () => {
  const check = watched();
  await check(rows(60));
  for (const count of [59, 58, 57, 56, 55, 54, 53, 52])
    expect(await check(rows(count).trimEnd())).toBe('held');
  later();
  expect(await check(rows(60))).toBe('unchanged');
  for (const count of [51, 50, 49, 48, 47, 46]) {
    expect(await check(rows(count).trimEnd())).toBe('held');
    later();
  }
});

it('regression: a cut in an ignored column does not hide that the table ends in a line end', async () => {
  const check = watched();
  const seen = (count: number) =>
    rows(count).replaceAll('\n', ',2026-01-01\n').replace(',2026-01-01', ',seen');
  await check(seen(60));
  for (const count of [60, 52, 60, 51]) {
    const outcome = count === 60 ? 'unchanged' : 'held';
    expect(await check(seen(count).slice(0, -3))).toBe(outcome);
    expect(await check(seen(60).slice(0, -4))).toBe('unchanged');
  }
  expect(await check(seen(61))).toBe('changed');
  expect(await check(seen(50).slice(0, -3))).toBe('held');
});

it('regression: a file that is fetched while it is written is held, also if new rows at its top are as many as are missing', async () => {
  const check = watched();
  const list = (newest: number): string =>
    `id,name\n${Array.from({ length: newest }, (_, at) => `${newest - at},row ${newest - at}\n`).join('')}`;
  await check(list(100), {});
  expect(await check(list(106).slice(0, list(106).indexOf('\n3,row') + 6), {})).toBe('held');
  expect(await check(list(106), {})).toBe('changed');
});

it('regression: the first version may change while a later one is held', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'since-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'last.csv');
  writeFileSync(file, rows(30));
  const { check, record } = watching();
  await record.beginWith(await openInput(file, scratch, AbortSignal.timeout(60_000)));
  expect(await check(rows(10))).toBe('held');
  utimesSync(file, 1, 1);
  expect(await check(rows(31))).toBe('changed');
});

it('regression: a held version is confirmed although the clock was put back', async () => {
  const check = watched();
  await check(rows(60));
  expect(await check(rows(10))).toBe('held');
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(await check(rows(10))).toBe('changed');
});

it('regression: a held version with its line end ends a run of accepted ones without', async () => {
  const check = watched();
  await check(rows(60));
  for (const count of [61, 62, 63, 64, 65, 66]) {
    expect(await check(rows(count).trimEnd(), {})).toBe('changed');
    later();
  }
  expect(await check(rows(20), {})).toBe('held');
  expect(await check(rows(66).trimEnd(), {})).toBe('unchanged');
  expect(await check(rows(45).slice(0, -4))).toBe('held');
});
