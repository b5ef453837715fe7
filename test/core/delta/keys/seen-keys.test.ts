// Repeated keys are found whatever the order of the keys, and keys in order are not remembered.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSeenKeys } from '../../../../core/delta/keys/seen-keys.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';

/** As a reader uses it. @returns for each key whether it repeats, and how many keys were read again */
function repeatsOf(batches: readonly string[][]): { repeats: boolean[]; reread: number } {
  const seen = createSeenKeys();
  const earlier: string[] = [];
  const repeats: boolean[] = [];
  let reread = 0;
  for (const batch of batches) {
    if (seen.needsEarlier(() => batch)) {
      seen.remember(earlier);
      reread += earlier.length;
    }
    repeats.push(...batch.map((key) => seen.add(key)));
    earlier.push(...batch);
  }
  return { repeats, reread };
}

const ascending = (length: number, keyOf: (n: number) => string): string[] =>
  Array.from({ length }, (_, n) => keyOf(n));
const batchesOf = (keys: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(keys.length / size) }, (_, at) => keys.slice(at * size, (at + 1) * size));

describe('seen keys', () => {
  it('repeat as in a set', PROPERTY_TIMEOUT, () => {
    expect.hasAssertions();
    const odd = fc.array(fc.constantFrom('', 'a', 'b', 'ab', '9', '10', '100', 'é'), { maxLength: 6 });
    const prefix = fc.nat(12).map((length) => ascending(length, String));
    const property = fc.property(
      prefix,
      odd,
      prefix,
      fc.integer({ min: 1, max: 5 }),
      (first, middle, last, size) => {
        const keys = [...first, ...middle, ...last];
        const known = new Set<string>();
        const expected = keys.map((key) => known.size === known.add(key).size);
        expect(repeatsOf(batchesOf(keys, size)).repeats).toEqual(expected);
      },
    );
    fc.assert(property, propertyRuns());
  });

  it.each<[string, (n: number) => string]>([
    ['numbers', (n) => String(n + 1)],
    ['padded numbers', (n) => `P${String(n).padStart(6, '0')}`],
    ['words by their characters', (n) => `${String(n).padStart(6, '0')}${'x'.repeat(n % 7)}`],
  ])('in the order of %s are not remembered', (_what, keyOf) => {
    const keys = ascending(1_000, keyOf);
    const seen = createSeenKeys();
    expect(
      batchesOf(keys, 90).every(
        (batch) => !seen.needsEarlier(() => batch) && batch.every((key) => !seen.add(key)),
      ),
    ).toBe(true);
    // The first that is out of order needs them all.
    expect(seen.needsEarlier(() => ['0'])).toBe(true);
    expect(() => seen.add('0')).toThrow('must be remembered');
  });

  it('are remembered once', () => {
    const { reread } = repeatsOf([...batchesOf(ascending(100, String), 10), ['3', '3'], ['1'], ['2']]);
    expect(reread).toBe(100);
  });
});
