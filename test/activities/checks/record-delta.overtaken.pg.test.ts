// A body that waits for its comparison while another check asks the origin. Uses the real activities, without a worker.
import { expect, it } from 'vitest';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, get, lastCheck, latest, makeRecord } = useWatchedRecords();

it('regression: a body that was fetched before that of a newer check is not recorded after it', async () => {
  const { id, serve } = await makeRecord('id,sku\n1,a\n2,b\n3,c\n');
  serve('id,sku\n1,a\n2,OLDER\n3,c\n');
  const input = bench().newCheck(id);
  const older = await bench().run(({ fetchSource }) => fetchSource(input));
  if (older.kind !== 'fetched') throw new Error('Nothing was fetched');
  serve('id,sku\n1,a\n2,NEWER\n3,c\n');
  await bench().check(id);
  const { snapshotId } = await get(id);
  const ended = await bench().run(({ recordDelta }) => recordDelta({ ...input, ...older }));
  expect(ended).toMatchObject({ isPlanStale: true, attributes: null, deliver: null });
  expect(await get(id)).toMatchObject({ snapshotId, consecutiveFailures: 0 });
  expect(await latest(id)).toMatchObject({ changedCount: 1 });
  expect(await lastCheck(id)).toMatchObject({ outcome: 'changed' });
});
