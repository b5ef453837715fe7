// A long computation in steps. Who runs it decides what happens between them.

export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
