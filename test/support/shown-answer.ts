// Checks the answer that a document shows against the real answer.

/** Ids, times and what a reader sees shortened differ from run to run. */
const VARYING = /…|\b[a-z]+_[0-9a-f]{32}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=;[rt]=)\d+/;

/**
 * What a document shows need not be all: members of objects, and items at the end of lists, may be left out.
 * @returns where the two differ, in words; empty when the answer is as shown
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
  // Seconds that are left run on while the test does.
  if (
    at.endsWith('/secondsLeft') &&
    Number.isInteger(actual) &&
    Math.abs(Number(actual) - Number(shown)) < 120
  ) {
    return [];
  }
  return actual === shown ? [] : [`${at} is ${JSON.stringify(actual)}, not ${JSON.stringify(shown)}`];
}

/** Whether a text is the one that a document shows. */
export function isLine(actual: string, shown: string): boolean {
  const fixed = shown.split(VARYING).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${fixed.join('.*')}$`).test(actual);
}
