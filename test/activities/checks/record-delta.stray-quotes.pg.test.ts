// A body with stray quotes changes no row: through the real activities, by rows and by bytes.
import { describe, expect, it } from 'vitest';
import { createActivities } from '../../../activities/create-activities.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, get, lastCheck, latest, makeRecord, rowsOf } = useWatchedRecords();

const write = (nameOf: (at: number) => string): string =>
  `id,name,seen\n${Array.from({ length: 30 }, (_, at) => `${at},${nameOf(at)},now\n`).join('')}`;
const WHOLE = write((at) => `"row ${at}"`);
const STRAY = write((at) => (at === 3 ? '"row 15\\""' : `"row ${at}"`));

describe.each([
  ['by rows', Infinity],
  ['by bytes', 0],
])('regression: a body with a stray quote, compared %s,', (_what, indexFromBytes) => {
  it.each([
    ['no column is ignored', []],
    ['its column is ignored', ['name']],
  ])('fails and deletes nothing if %s', async (_columns, ignoreFields) => {
    const { id, serve } = await makeRecord(WHOLE, { keyFields: ['id'], ignoreFields });
    const check = async (body: string) => {
      serve(body);
      const { fetchSource, recordDelta } = createActivities({ ...bench().deps, indexFromBytes });
      const input = bench().newCheck(id);
      const fetched = await bench().run(() => fetchSource(input));
      if (fetched.kind !== 'fetched') throw new Error('The body was not fetched');
      await bench().run(() => recordDelta({ ...input, ...fetched }));
    };
    // The second body is compared with the index of this one.
    await check(`${WHOLE}30,x,now\n`);
    await check(STRAY);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'failed', code: 'malformed_body' });
    expect((await lastCheck(id))?.detail).toContain('In row 5 a quote opens a cell');
    expect(await get(id)).toMatchObject({ totalRows: 31 });
    expect(Object.keys(await rowsOf(id))).toHaveLength(31);
    await check(`${WHOLE}30,x,now\n31,y,now\n`);
    expect(await latest(id)).toMatchObject({ newCount: 1, changedCount: 0, deletedCount: 0, totalCount: 32 });
  });
});
