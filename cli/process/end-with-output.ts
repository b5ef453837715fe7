// Ends the program when its standard output cannot be written.
import { safeLines } from '../../core/text/safe-text.ts';

/** As programs do that a signal ends when `head` has seen enough. */
const BROKEN_PIPE_EXIT = 141;

let isWatched = false;

/** @param failed the exit code when there is no space, or another fault */
export function endWithOutput(failed: number): void {
  if (isWatched) return;
  isWatched = true;
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(BROKEN_PIPE_EXIT);
    console.error(safeLines(`recordwatch: The output cannot be written: ${message}`));
    process.exit(failed);
  });
}
