// The number of cases of a property: enough for every change, and as many as FAST_CHECK_RUNS says on demand.

const WANTED = Number(process.env['FAST_CHECK_RUNS'] ?? 0);

export const IS_LONG = WANTED > 0;

/** @param numRuns the number for every change; larger when a case is cheap */
export function propertyRuns(numRuns = 1_000): { numRuns: number } {
  return { numRuns: Math.max(numRuns, WANTED) };
}

/** Test options for a property. */
export const PROPERTY_TIMEOUT = { timeout: IS_LONG ? 6 * 3_600_000 : 600_000 };
