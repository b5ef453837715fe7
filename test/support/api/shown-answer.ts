// Checks the answer that a document shows against the real answer.

/** Ids, times and shortened parts differ from run to run. */
const VARYING = /…|\b[a-z]+_[0-9a-f]{32}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=;[rt]=)\d+/;

/**
 * A document may omit members of objects and items at the end of lists.
 * @returns descriptions of the differences; empty when the answer is as shown
 */
export function differencesIn(actual: unknown, shown: unknown, at = ''): string[] {
  if (typeof shown === 'string' && typeof actual === 'string') {
    return isLine(actual, shown) ? [] : [`${at} is ${actual}, not ${shown}`];
  }
  if (typeof shown === 'object' && shown !== null && typeof actual === 'object' && actual !== null) {
    const members = new Map(Object.entries(actual));
    return Object.entries(shown).flatMap(([name, value]) =>
      differencesIn(members.get(name), value, `${at}/${name}`),
    );
  }
  // The remaining seconds decrease during the test.
  if (
    at.endsWith('/secondsLeft') &&
    Number.isInteger(actual) &&
    Math.abs(Number(actual) - Number(shown)) < 120
  ) {
    return [];
  }
  return actual === shown ? [] : [`${at} is ${JSON.stringify(actual)}, not ${JSON.stringify(shown)}`];
}

/** Whether a text matches the one that a document shows. */
export function isLine(actual: string, shown: string): boolean {
  const fixed = shown.split(VARYING).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${fixed.join('.*')}$`).test(actual);
}
