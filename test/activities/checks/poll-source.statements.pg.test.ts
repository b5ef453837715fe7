// The statements of a check without changes, which most checks are.
import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { newTestId } from '../../support/rows/factories.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, latest, origin } = useWatchedRecords();
const BODY = 'id,name\n1,tea\n';

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ['the same bytes', { body: BODY }],
  ['a 304', { body: BODY, headers: { etag: '"1"' } }],
])('takes at most four statements for %s', async (_name, behaviour) => {
  const path = `/unchanged-${newTestId('check')}`;
  origin().set(path, behaviour);
  const id = await bench().makeRecord({ url: origin().url + path });
  await bench().check(id);
  if ('headers' in behaviour) origin().set(path, { ...behaviour, status: 304, body: '' });
  const check = bench().newCheck(id);
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  const result = await bench().run(({ fetchSource }) => fetchSource(check));
  expect(result.kind).toBe('committed');
  expect(sent.mock.calls.length).toBeGreaterThan(0);
  expect(sent.mock.calls.length).toBeLessThanOrEqual(4);
  expect(await latest(id)).toMatchObject({ isNoChange: true });
});
