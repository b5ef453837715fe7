// A fetch without space on the disk fails alone, leaves nothing behind, and succeeds when there is space.
import { expect, it } from 'vitest';
import { SpoolFull } from '../../../activities/fetch/spool-quota.ts';
import { createActivities } from '../../../activities/create-activities.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, makeRecord } = useWatchedRecords();

const csv = (rows: number): string =>
  `id,name\n${Array.from({ length: rows }, (_, i) => `${i},row ${i}\n`).join('')}`;

it('regression: a body without space is refused while it arrives, and fetched when there is space', async () => {
  const { id, serve } = await makeRecord(csv(10));
  const { deps, run, newCheck, spool } = bench();
  const { fetchSource } = createActivities({ ...deps, config: { ...deps.config, spoolMaxMb: 1 } });
  serve(csv(100_000));
  await expect(run(() => fetchSource(newCheck(id)))).rejects.toThrow(SpoolFull);
  expect(spool()).toEqual([]);
  // The space that it used is free again.
  serve(csv(20_000));
  expect(await run(() => fetchSource(newCheck(id)))).toMatchObject({ kind: 'fetched' });
  expect(await run(() => fetchSource(newCheck(id)))).toMatchObject({ kind: 'fetched' });
});
