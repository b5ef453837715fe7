// Activities that wait for an origin leave the worker room for others, and so do long comparisons.
import type { ActivityExecuteInput } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CheckSlots } from '../../activities/check-slots.ts';
import { COMPARED_AT_ONCE, createCheckDeps, runLong } from '../../activities/checks/check-deps.ts';
import { type ActivityBench, openActivityBench } from '../support/checks/activity-bench.ts';
import { type Origin, startOrigin } from '../support/servers/origin-server.ts';

let bench: ActivityBench;
let origin: Origin;

beforeAll(async () => {
  bench = await openActivityBench();
  origin = await startOrigin();
});
afterAll(async () => {
  await origin.close();
  await bench.close();
});

/** As a worker runs it. Long work never stops to count. */
const slots = new CheckSlots({ total: 10, atWork: 10, briefMs: 600_000 });
const execute = slots.interceptor().inbound?.execute;
const inSlot = async (work: () => Promise<unknown>): Promise<unknown> =>
  execute?.({} as ActivityExecuteInput, work);

it('a fetch is no work, what comes before and after it is', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  origin.set('/slow.csv', { body: 'id,price\na,1\n', until: answered });
  const id = await bench.makeRecord({ url: `${origin.url}/slow.csv` });
  const input = bench.newCheck(id);
  const seen: number[] = [];
  const checking = inSlot(async () => {
    seen.push(slots.load.atWork);
    const fetched = await bench.run(({ fetchSource }) => fetchSource(input));
    seen.push(slots.load.atWork);
    return fetched;
  });
  await expect.poll(() => origin.requests.length).toBe(1);
  expect(slots.load).toEqual({ running: 1, atWork: 0 });
  answer();
  await checking;
  expect(seen).toEqual([1, 1]);
  expect(slots.load).toEqual({ running: 0, atWork: 0 });
});

it('a brief comparison finds a slot while long ones of many accounts take all that they may', async () => {
  const deps = createCheckDeps(bench.deps);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { signal } = new AbortController();
  let begun = 0;
  const long = Array.from({ length: COMPARED_AT_ONCE }, (_, account) =>
    runLong(deps, `account ${account}`, signal, () => {
      begun += 1;
      return ended;
    }),
  );
  await expect.poll(() => begun).toBe(COMPARED_AT_ONCE - 2);
  const release = await deps.comparing.take('another account');
  release();
  end();
  await Promise.all(long);
  expect(begun).toBe(COMPARED_AT_ONCE);
});
