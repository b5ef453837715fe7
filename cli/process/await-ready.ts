// Waits until a child process that has just been started can be used.
import type { Child } from './start-child.ts';
import { waitFor, type WaitOptions } from './wait-for.ts';

/**
 * Polls `isReady` until it returns true. Stops the child when the time is up.
 * @throws Error with the tail of the child's log when it died; waitFor's error when the time is up
 */
export async function awaitReady(
  child: Child,
  isReady: () => boolean | Promise<boolean>,
  options: WaitOptions,
): Promise<void> {
  let death: Error | undefined;
  void child.ended.then((error) => (death = error));
  const probe = async () => {
    if (death !== undefined) throw death;
    return (await isReady()) || undefined;
  };
  try {
    await waitFor(probe, options);
  } catch (error) {
    await child.stop();
    throw error;
  }
}
