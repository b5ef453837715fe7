// How many cases a property runs: enough for every change, and as many as FAST_CHECK_RUNS says on demand.

const WANTED = Number(process.env['FAST_CHECK_RUNS'] ?? 0);

/** @param numRuns for every change; more where a case is cheap */
export function propertyRuns(numRuns = 1_000): { numRuns: number } {
  return { numRuns: Math.max(numRuns, WANTED) };
}

/** For the options of a test that holds a property. */
export const PROPERTY_TIMEOUT = { timeout: WANTED > 0 ? 6 * 3_600_000 : 600_000 };
