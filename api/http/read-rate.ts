// Measures how fast a client reads a file: the time in which the next piece is being made is not its fault.
import type { Reading } from '../capacity/capacity.ts';

type Piece = string | Uint8Array;

/** The pieces of a file, which is opened with the first one, and how they are read. */
export function measureReading(open: () => AsyncGenerator<Piece>): {
  pieces: AsyncGenerator<Piece>;
  progress: Reading['progress'];
} {
  let bytes = 0;
  let waitedMs = 0;
  let waitingSinceMs: number | undefined;
  const stopWaiting = (): void => {
    if (waitingSinceMs !== undefined) waitedMs += performance.now() - waitingSinceMs;
    waitingSinceMs = undefined;
  };
  async function* measured(): AsyncGenerator<Piece> {
    for await (const piece of open()) {
      waitingSinceMs = performance.now();
      yield piece;
      stopWaiting();
      bytes += piece.length;
    }
  }
  const progress = () => ({
    bytes,
    waitedMs: waitedMs + (waitingSinceMs === undefined ? 0 : performance.now() - waitingSinceMs),
  });
  return { pieces: measured(), progress };
}
