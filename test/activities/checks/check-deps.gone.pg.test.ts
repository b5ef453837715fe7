// The watch for deleted records, which all fetches of a process share.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCheckDeps } from '../../../activities/checks/check-deps.ts';
import { type Pulse, withPulse } from '../../../db/driver/pulse.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { until } from '../../support/until.ts';

let bench: ActivityBench;

beforeAll(async () => {
  bench = await openActivityBench();
});
afterAll(() => bench.close());

it('regression: its looks are no progress of the fetch that began it, whose disk may hang', async () => {
  let looks = 0;
  bench.database.db.on('query-response', (_rows: unknown, { sql }: { sql: string }) => {
    if (sql.includes('ephemeral_sessions')) looks += 1;
  });
  const pulse: Pulse = { hasMoved: false, waits: 0, pausedMs: () => 0, stuck: new Promise(() => undefined) };
  const { gone } = createCheckDeps(bench.deps);
  const recordId = await bench.makeRecord({ url: 'https://example.com/feed' });
  const { signal, forget } = withPulse(pulse, () => gone.watch(recordId));
  await until('it has looked twice', () => looks >= 2);
  expect(pulse).toMatchObject({ hasMoved: false, waits: 0 });
  await bench.database.db('records').where({ id: recordId }).update({ deletedAt: new Date() });
  await until('it says that the record is gone', () => signal.aborted);
  forget();
});
