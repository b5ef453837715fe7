// How often a property is tried: enough for every change, and as often as FAST_CHECK_RUNS says on demand.

/** @param numRuns in CI; more where a case is cheap */
export function propertyRuns(numRuns = 1_000): { numRuns: number } {
  const wanted = process.env['FAST_CHECK_RUNS'];
  return { numRuns: wanted === undefined ? numRuns : Math.max(numRuns, Number(wanted)) };
}
