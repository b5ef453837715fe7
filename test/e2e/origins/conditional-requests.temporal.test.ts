// Conditional requests: which validators a check sends, and when it sends none.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRecord } from '../../../db/records/records.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { type Origin, type OriginBehaviour, startOrigin } from '../../support/servers/origin-server.ts';

const BODY = 'id,name\n1,Ann\n';
const HOUR_MS = 3_600_000;

let bench: ActivityBench;
let origin: Origin;
let paths = 0;

beforeAll(async () => {
  [bench, origin] = await Promise.all([openActivityBench(), startOrigin()]);
});

afterAll(async () => {
  await bench.close();
  await origin.close();
});

async function checked(behaviour: OriginBehaviour, times = 2): Promise<string> {
  paths += 1;
  const path = `/${paths}.csv`;
  origin.set(path, { body: BODY, ...behaviour });
  const id = await bench.makeRecord({ url: origin.url + path });
  for (let i = 0; i < times; i += 1) await bench.check(id);
  return id;
}

const lastAsked = () => {
  const { headers } = origin.requests.at(-1) ?? { headers: {} };
  return { etag: headers['if-none-match'], since: headers['if-modified-since'] };
};

const httpDate = (ageMs: number): string => new Date(Date.now() - ageMs).toUTCString();

describe('a check sends', () => {
  it('a strong ETag and a weak one', async () => {
    for (const etag of ['"v1"', 'W/"v1"']) {
      await checked({ etag });
      expect(lastAsked()).toEqual({ etag, since: undefined });
    }
  });

  it('a modification time that lies in the past', async () => {
    const lastModified = httpDate(HOUR_MS);
    await checked({ headers: { 'last-modified': lastModified } });
    expect(lastAsked()).toEqual({ etag: undefined, since: lastModified });
  });

  it('no validator within the second of the modification, because the body may change again in that second', async () => {
    await checked({ etag: '"mtime-size"', headers: { 'last-modified': httpDate(-2_000) } });
    expect(lastAsked()).toEqual({ etag: undefined, since: undefined });
  });

  it('no validator after a redirect, whose target may use the same ETag for another body', async () => {
    const target = `/target-${paths}.csv`;
    origin.set(target, { body: BODY, etag: '"1"' });
    const id = await checked({ redirectTo: target });
    expect(lastAsked()).toEqual({ etag: undefined, since: undefined });
    expect(await findRecord(bench.deps.db, id)).toMatchObject({ etag: null, lastModified: null });
  });

  it('no validator after its URL has changed, and accepts no 304 then', async () => {
    const id = await checked({ etag: '"v1"' });
    origin.set('/other.csv', { status: 304 });
    await bench.deps
      .db('records')
      .where({ id })
      .update({ url: `${origin.url}/other.csv` });
    await bench.check(id);
    expect(lastAsked()).toEqual({ etag: undefined, since: undefined });
    expect(await findRecord(bench.deps.db, id)).toMatchObject({
      lastOutcome: 'failed',
      lastErrorCode: 'http_error',
    });
  });

  it('no validator after its credentials have changed', async () => {
    const id = await checked({ etag: '"v1"' });
    await bench.deps.db('records').where({ id }).increment('authVersion', 1);
    await bench.check(id);
    expect(lastAsked()).toEqual({ etag: undefined, since: undefined });
  });
});

describe('the next check', () => {
  /** For a record that is checked once an hour. Up to a twentieth of the interval is random. */
  const plannedInHours = async (behaviour: OriginBehaviour, times: number): Promise<number> => {
    const input = bench.newCheck(await checked(behaviour, times - 1));
    const fetched = await bench.run(({ fetchSource }) => fetchSource(input));
    if (fetched.kind === 'later') throw new Error('Nobody takes turns here');
    const { plan } =
      fetched.kind === 'committed'
        ? fetched
        : await bench.run(({ recordDelta }) => recordDelta({ ...input, ...fetched }));
    return plan.kind === 'check' ? plan.inMs / HOUR_MS : NaN;
  };

  it.each([
    ['says nothing', {}, 1],
    ['expects no change for less than the interval', { 'cache-control': 'max-age=60' }, 1],
    ['expects no change for an hour and a half', { 'cache-control': 'max-age=5400' }, 1.5],
    ['expects no change for a year', { 'cache-control': 'max-age=31536000, immutable' }, 2],
    ['wants nothing stored', { 'cache-control': 'no-store, max-age=5400' }, 1],
  ])(
    'is planned by the interval and the Cache-Control of an origin that %s',
    async (_what, headers, hours) => {
      for (const [times, etag] of [
        [1, '"v1"'],
        [2, '"v1"'],
        [2, undefined],
      ] as const) {
        const inHours = await plannedInHours({ headers, ...(etag && { etag }) }, times);
        expect(inHours).toBeGreaterThanOrEqual(hours * 0.95);
        expect(inHours).toBeLessThanOrEqual(hours * 1.05);
      }
    },
  );

  it.each([
    ['seconds', '7200'],
    ['a date', httpDate(-2 * HOUR_MS)],
  ])('waits for Retry-After in %s', async (_form, retryAfter) => {
    for (const status of [429, 503]) {
      const inHours = await plannedInHours({ status, headers: { 'retry-after': retryAfter } }, 1);
      expect(inHours).toBeGreaterThan(1.9);
      expect(inHours).toBeLessThanOrEqual(2);
    }
  });
});
