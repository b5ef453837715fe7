// The tables of tiers and limits in docs/guide.md have the figures of the code.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMPARED_AT_ONCE } from '../../activities/checks/check-deps.ts';
import { userAgent } from '../../activities/fetch/open-origin.ts';
import {
  EXTRA_CHECKS_PER_HOUR,
  RECORDS_PER_HOST,
  SESSIONS_PER_DAY,
  SESSIONS_PER_HOUR,
} from '../../api/access/usage-limits.ts';
import { SITE_FACTOR } from '../../core/network/caller-address.ts';
import { parseConfig } from '../../core/config.ts';
import { ENTRY_BYTES } from '../../core/delta/raw/row-index.ts';
import { MOST_COLUMNS, NUMBER_BYTES } from '../../core/delta/raw/tolerant-columns.ts';
import { isPaidTier, type Tier, type TierLimits, TIERS } from '../../core/tiers.ts';

const guide = readFileSync(new URL('../../docs/guide.md', import.meta.url), 'utf8');

/** Finds a row of a table in the guide by its first cell. @returns the other cells */
function cellsOf(name: string): string[] {
  const line = guide.split('\n').find((each) => each.startsWith(`| ${name} `));
  return (line ?? '').split('|').slice(2, -1).map((cell) => cell.trim()); // prettier-ignore
}

const count = (value: number): string => value.toLocaleString('en');
const counted = (value: number, unit: string): string => `${count(value)} ${unit}${value === 1 ? '' : 's'}`;
const interval = (seconds: number): string =>
  seconds >= 3_600 ? counted(seconds / 3_600, 'hour') : counted(seconds / 60, 'minute');
const size = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${bytes / 2 ** 30} GiB` : `${bytes / 2 ** 20} MiB`;

const ROWS: [string, (limits: TierLimits, tier: Tier) => string][] = [
  ['shortest time between checks', ({ minIntervalSeconds }) => interval(minIntervalSeconds)],
  ['rows', ({ maxRows }) => count(maxRows)],
  ['size of the data, decompressed', ({ maxBodyBytes }) => size(maxBodyBytes)],
  ['one fetch takes at most', ({ maxFetchSeconds }) => counted(maxFetchSeconds / 60, 'minute')],
  ['data come at least at, average', ({ minBytesPerSecond }) => `${minBytesPerSecond / 1_024} KiB/s`],
  ['history is kept for', ({ retentionDays }) => counted(retentionDays, 'day')],
  ['API requests a minute', ({ requestsPerMinute }) => count(requestsPerMinute)],
  [
    'MCP tool calls',
    ({ mcpCallsPerDay }, tier) => `${count(mcpCallsPerDay)} ${tier === 'anonymous' ? 'in all' : 'a day'}`,
  ],
  ['new API keys and webhooks', (_limits, tier) => (isPaidTier(tier) ? 'yes' : 'no')],
];

it.each(ROWS)('tiers: %s', (name, cell) => {
  expect(cellsOf(name)).toEqual(Object.entries(TIERS).map(([tier, limits]) => cell(limits, tier as Tier)));
});

it('anonymous use', () => {
  expect(cellsOf('a session lasts')[0]).toMatch(`${parseConfig({}).sessionSeconds / 3_600} hours;`);
  expect(cellsOf('new sessions for one address')[0]).toMatch(
    `${SESSIONS_PER_HOUR} an hour, ${SESSIONS_PER_DAY} a day`,
  );
  expect(cellsOf('new sessions for one address')[0]).toMatch(`a /48 gets ${SITE_FACTOR} times as much`);
  expect(cellsOf('open sessions of everybody')[0]).toMatch(count(parseConfig({}).sessionsMax));
  expect(cellsOf('checks that you ask for')[0]).toMatch(`${EXTRA_CHECKS_PER_HOUR} an hour`);
  expect(cellsOf('anonymous records of one host, of all sessions together')).toEqual([
    String(RECORDS_PER_HOST),
  ]);
});

it('the header that identifies requests', () => {
  expect(guide).toContain(`User-Agent: ${userAgent('{base_url}')}`);
});

it('the disk space of row indexes', () => {
  const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  expect(operations).toContain(`${ENTRY_BYTES} bytes for each row`);
  const mostRows = Math.max(...Object.values(TIERS).map(({ maxRows }) => maxRows));
  const rowBytes = ENTRY_BYTES + MOST_COLUMNS * NUMBER_BYTES;
  const gigabytes = (COMPARED_AT_ONCE * mostRows * rowBytes) / 1e9;
  expect([MOST_COLUMNS, NUMBER_BYTES]).toEqual([7, 8]);
  expect(COMPARED_AT_ONCE).toBe(8);
  expect(operations).toContain(`they take ${gigabytes.toFixed(1)} GB at most`);
});
