// Starts a process again when it dies, as `restart: unless-stopped` does in docker-compose.yml.
import { setTimeout as delay } from 'node:timers/promises';
import type { Child } from '../process/start-child.ts';
import type { Run } from '../start/run.ts';

/** Between two attempts to start it. */
const PAUSE_MS = 1_000;

/**
 * Starts a process, and starts it again whenever it dies, until the run ends.
 * @param start comes back when the process is ready; passes each process on when it exists
 * @throws what the first start throws
 */
export async function keepRunning(
  run: Run,
  start: (onStart: (child: Child) => void) => Promise<Child>,
): Promise<Child> {
  const begin = () => start((child) => run.adopt(child, { mayDie: true }));
  const first = await begin();
  void follow(run, first, begin);
  return first;
}

async function follow(run: Run, first: Child, begin: () => Promise<Child>): Promise<void> {
  let child: Child | undefined = first;
  while (child !== undefined) {
    const death: Error | undefined = await child.ended;
    // It was asked to end, with the run.
    if (death === undefined) return;
    run.say(`✗ ${death.message}\n  It is started again.`);
    child = await startAgain(run, begin);
  }
}

/** Undefined: the run ends or has ended. */
async function startAgain(run: Run, begin: () => Promise<Child>): Promise<Child | undefined> {
  for (;;) {
    await delay(PAUSE_MS, undefined, { signal: run.signal }).catch(() => undefined);
    if (run.signal.aborted || run.stack.disposed) return undefined;
    try {
      const child = await begin();
      run.say(`✓ ${child.name}: process ${child.pid}`);
      return child;
    } catch (error) {
      if (run.signal.aborted || run.stack.disposed) return undefined;
      run.say(`✗ ${error instanceof Error ? error.message : String(error)}\n  It is started again.`);
    }
  }
}
