// A fetch without room on the disk fails alone, leaves nothing behind, and succeeds when there is room.
import { expect, it } from 'vitest';
import { NoSpoolRoom } from '../../../activities/fetch/spool-room.ts';
import { createActivities } from '../../../activities/create-activities.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, makeRecord } = useWatchedRecords();

const csv = (rows: number): string =>
  `id,name\n${Array.from({ length: rows }, (_, i) => `${i},row ${i}\n`).join('')}`;

it('regression: a body without room is refused while it arrives, and fetched when there is room', async () => {
  const { id, serve } = await makeRecord(csv(10));
  const { deps, run, newCheck, spool } = bench();
  const { fetchSource } = createActivities({ ...deps, config: { ...deps.config, spoolMaxMb: 1 } });
  serve(csv(100_000));
  await expect(run(() => fetchSource(newCheck(id)))).rejects.toThrow(NoSpoolRoom);
  expect(spool()).toEqual([]);
  // The room that it used is free again.
  serve(csv(20_000));
  expect(await run(() => fetchSource(newCheck(id)))).toMatchObject({ kind: 'fetched' });
  expect(await run(() => fetchSource(newCheck(id)))).toMatchObject({ kind: 'fetched' });
});
