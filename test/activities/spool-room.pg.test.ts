// A fetch that runs out of room on the disk fails by itself, leaves nothing behind, and is made once there is room.
import { expect, it } from 'vitest';
import { NoSpoolRoom } from '../../activities/fetch/spool-room.ts';
import { createActivities } from '../../activities/create-activities.ts';
import { useWatchedRecords } from '../support/watched-records.ts';

const { bench, makeRecord } = useWatchedRecords();

const csv = (rows: number): string =>
  `id,name\n${Array.from({ length: rows }, (_, i) => `${i},row ${i}\n`).join('')}`;

it('regression: a body without room is refused on the way, and fetched when there is some', async () => {
  const { id, serve } = await makeRecord(csv(10));
  const { deps, run, newCheck, spool } = bench();
  const { fetchSource } = createActivities({ ...deps, config: { ...deps.config, spoolMaxMb: 1 } });
  serve(csv(100_000));
  await expect(run(() => fetchSource(newCheck(id)))).rejects.toThrow(NoSpoolRoom);
  expect(spool()).toEqual([]);
  // What it had taken is free again.
  serve(csv(20_000));
  expect(await run(() => fetchSource(newCheck(id)))).toMatchObject({ kind: 'fetched' });
  expect(await run(() => fetchSource(newCheck(id)))).toMatchObject({ kind: 'fetched' });
});
