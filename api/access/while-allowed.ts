// A file may take an hour to send: whoever it is for is asked about again and again, and with their credential it ends.

const EVERY_MS = 2_000;

/** @throws Error once it is not allowed any more */
export async function* whileAllowed<T>(
  pieces: AsyncIterable<T>,
  isAllowed: () => Promise<boolean>,
): AsyncGenerator<T> {
  let askedAtMs = performance.now();
  for await (const piece of pieces) {
    if (performance.now() - askedAtMs > EVERY_MS) {
      if (!(await isAllowed())) throw new Error('Its credential has ended');
      askedAtMs = performance.now();
    }
    yield piece;
  }
}
