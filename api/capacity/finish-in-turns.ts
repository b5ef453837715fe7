// Runs a long computation so that other requests have their turns of the event loop.
import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../../core/delta/steps.ts';

/** For about so long a computation may block the process. */
const MOST_MS = 10;

export async function finishInTurns<T>(steps: Steps<T>): Promise<T> {
  let began = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() - began < MOST_MS) continue;
    await setImmediate();
    began = performance.now();
  }
}
