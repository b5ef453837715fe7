// When digests are due, also where the clock is put forward or back.
import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Digest, lastDigestMs, timeZoneNamed } from '../../../core/notices/digest-times.ts';
import { propertyRuns } from '../../support/runner/property-runs.ts';

const last = (digest: Digest, now: string): string =>
  new Date(lastDigestMs(digest, Date.parse(now))).toISOString();
const daily = (at: string, timeZone: string): Digest => ({ every: 'day', at, timeZone });

it('are due at full hours', () => {
  expect(last({ every: 'hour' }, '2026-03-02T09:59:59.999Z')).toBe('2026-03-02T09:00:00.000Z');
  expect(last({ every: 'hour' }, '2026-03-02T10:00:00.000Z')).toBe('2026-03-02T10:00:00.000Z');
});

it.each([
  ['before today’s', '08:00', 'Europe/Berlin', '2026-01-05T06:59:59.999Z', '2026-01-04T07:00:00.000Z'],
  ['at today’s', '08:00', 'Europe/Berlin', '2026-01-05T07:00:00.000Z', '2026-01-05T07:00:00.000Z'],
  ['in summer', '08:00', 'Europe/Berlin', '2026-07-05T07:00:00.000Z', '2026-07-05T06:00:00.000Z'],
  [
    'where the day is another one',
    '00:15',
    'Pacific/Kiritimati',
    '2026-01-05T12:00:00Z',
    '2026-01-05T10:15:00.000Z',
  ],
  ['west of Greenwich', '18:45', 'America/St_Johns', '2026-01-05T12:00:00Z', '2026-01-04T22:15:00.000Z'],
  // 02:00 to 03:00 is skipped.
  [
    'before an hour that is skipped',
    '02:30',
    'Europe/Berlin',
    '2026-03-29T00:59:59Z',
    '2026-03-28T01:30:00.000Z',
  ],
  ['when an hour is skipped', '02:30', 'Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T01:00:00.000Z'],
  [
    'after a day without its hour',
    '02:30',
    'Europe/Berlin',
    '2026-03-30T00:30:00Z',
    '2026-03-30T00:30:00.000Z',
  ],
  // 02:00 to 03:00 comes twice.
  ['the first time of an hour', '02:30', 'Europe/Berlin', '2026-10-25T00:45:00Z', '2026-10-25T00:30:00.000Z'],
  [
    'the second time of an hour',
    '02:30',
    'Europe/Berlin',
    '2026-10-25T01:45:00Z',
    '2026-10-25T00:30:00.000Z',
  ],
  [
    'where midnight is skipped',
    '00:00',
    'America/Sao_Paulo',
    '2018-11-04T12:00:00Z',
    '2018-11-04T03:00:00.000Z',
  ],
  ['by half an hour', '02:15', 'Australia/Lord_Howe', '2026-10-03T16:00:00Z', '2026-10-03T15:30:00.000Z'],
])('are due once a day in the time zone: %s', (_when, at, timeZone, now, expected) => {
  expect(last(daily(at, timeZone), now)).toBe(expected);
});

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'UTC',
  'America/Sao_Paulo',
];
const DAY_MS = 86_400_000;
const time = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) });
const digests = fc
  .record({ hour: fc.nat(23), minute: fc.nat(59), zone: fc.constantFrom(...ZONES) })
  .map(({ hour, minute, zone }) =>
    daily(`${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`, zone),
  );

it('are due once a day, at times that do not depend on when somebody looks', () => {
  fc.assert(
    fc.property(digests, time, (digest, nowMs) => {
      const dueMs = lastDigestMs(digest, nowMs);
      expect(dueMs).toBeLessThanOrEqual(nowMs);
      expect(lastDigestMs(digest, dueMs)).toBe(dueMs);
      const beforeMs = lastDigestMs(digest, dueMs - 1);
      // A day has 23 to 25 hours, and an hour that is skipped comes up to one later.
      expect(dueMs - beforeMs).toBeGreaterThanOrEqual(DAY_MS - 2 * 3_600_000);
      expect(dueMs - beforeMs).toBeLessThanOrEqual(DAY_MS + 2 * 3_600_000);
    }),
    propertyRuns(200),
  );
});

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['euROPe/berLIN', 'Europe/Berlin'],
  ['Europe/Kiev', 'Europe/Kiev'],
  ['US/Eastern', 'US/Eastern'],
  ['UTC', 'UTC'],
  ['+01:00', undefined],
  ['Berlin', undefined],
  ['', undefined],
])('knows which names are time zones, and how they are spelled: %s', (name, spelled) => {
  expect(timeZoneNamed(name)).toBe(spelled);
});

it('regression: keep one format for all spellings of a zone, and not one for each zone for ever', () => {
  const Original = Intl.DateTimeFormat;
  let made = 0;
  vi.stubGlobal('Intl', {
    supportedValuesOf: Intl.supportedValuesOf,
    DateTimeFormat: class extends Original {
      constructor(...given: ConstructorParameters<typeof Original>) {
        super(...given);
        made += 1;
      }
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const use = (zone: string): string => last(daily('08:00', zone), '2026-01-05T12:00:00Z');
  const spellings = ['Asia/Tokyo', 'asia/tokyo', 'ASIA/TOKYO', 'Asia/tokyo', 'aSIA/tOKYO'];
  expect(new Set(spellings.map(use))).toEqual(new Set(['2026-01-04T23:00:00.000Z']));
  expect(made).toBe(1);
  for (const zone of Intl.supportedValuesOf('timeZone')) use(zone);
  made = 0;
  use('Asia/Tokyo');
  expect(made).toBe(1);
});
