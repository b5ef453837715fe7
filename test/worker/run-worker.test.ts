// The workers of a process run and end together.
import type { Worker } from '@temporalio/worker';
import { expect, it, vi } from 'vitest';
import { runWorkers, stopWorkers } from '../../worker/run-worker.ts';

/** A worker that runs until it is shut down or fails. */
function scriptedWorker() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const shutdown = vi.fn<() => void>();
  const worker = { run: () => promise, getState: () => 'RUNNING', shutdown } as unknown as Worker;
  return { worker, shutdown, drain: resolve, fail: reject };
}

it('regression: the other worker of a process drains when one fails', async () => {
  const [failing, other] = [scriptedWorker(), scriptedWorker()];
  const workers = [failing.worker, other.worker];
  const failed = new Error('out of memory');
  const events: string[] = [];
  const run = runWorkers(workers, (error) => {
    events.push(`failed with ${String(error)}`);
    stopWorkers(workers);
  }).catch((error: unknown) => events.push(`ended with ${String(error)}`));
  failing.fail(failed);
  await vi.waitFor(() => expect(other.shutdown).toHaveBeenCalledOnce());
  events.push('drained');
  other.drain();
  await run;
  const error = 'Error: out of memory';
  expect(events).toEqual([`failed with ${error}`, 'drained', `ended with ${error}`]);
});
