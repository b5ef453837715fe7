// The addresses to which a check of an anonymous record may connect, whatever the database contains and the origin redirects to.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import { createGuard } from '../../../outbound/guard.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';

let bench: ActivityBench;
let own: Origin;
let other: Origin;

beforeAll(async () => {
  bench = await openActivityBench();
  own = await startOrigin();
  other = await startOrigin();
  Object.assign(bench.deps.anonymousGuard, createGuard(parseAllowedNetworks([new URL(own.url).host])));
  other.set('/a.csv', { body: 'id,name\n1,secret\n' });
});
afterAll(async () => {
  await Promise.all([own.close(), other.close()]);
  await bench.close();
});

const errorOf = async (id: string) =>
  (await bench.database.db('checks').where({ recordId: id }).orderBy('startedAt', 'desc').first())?.errorCode;

it('regression: reaches its allowed address, and neither another nor one that it is redirected to', async () => {
  own.set('/a.csv', { body: 'id,name\n1,public\n' });
  const id = await bench.makeRecord({ url: `${own.url}/a.csv`, tier: 'anonymous' });
  await bench.check(id);
  expect(await errorOf(id)).toBeNull();
  own.set('/a.csv', { status: 302, headers: { location: `${other.url}/a.csv` } });
  await bench.check(id);
  expect(await errorOf(id)).toBe('redirect_not_allowed');
  const elsewhere = await bench.makeRecord({ url: `${other.url}/a.csv`, tier: 'anonymous' });
  await bench.check(elsewhere);
  expect(await errorOf(elsewhere)).toBe('url_not_allowed');
  expect(other.requests).toEqual([]);
  // In an account the rules of accounts apply.
  await bench.database.db('records').where({ id: elsewhere }).update({ tier: 'free' });
  await bench.check(elsewhere);
  expect(await errorOf(elsewhere)).toBeNull();
});
