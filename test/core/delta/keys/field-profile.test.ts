// Steps between times: most are equal, or none is taken for regular. Only so many different ones are held.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addValue, isDated, isRegular, newProfile } from '../../../../core/delta/keys/field-profile.ts';
import { propertyRuns } from '../../../support/runner/property-runs.ts';

function profileOf(texts: readonly string[]) {
  const profile = newProfile('date', 0);
  for (const text of texts) addValue(profile, text);
  return profile;
}

/** Numbers that are these steps apart. */
function apart(steps: readonly number[]): string[] {
  let at = 0;
  return ['0', ...steps.map((step) => `${(at += step)}`)];
}

describe('steps between times', () => {
  const step = fc.oneof({ arbitrary: fc.constant(1), weight: 3 }, fc.integer({ min: -2, max: 26 }));

  it('are regular if half of them are equal and all have one sign', () => {
    const signed = fc.oneof(fc.array(step), fc.array(step.filter((size) => size > 0)));
    const property = fc.property(signed, fc.boolean(), (sizes, isDescending) => {
      const steps = isDescending ? sizes.map((size) => -size) : sizes;
      const hasOneSign = sizes.every((size) => size > 0) || sizes.every((size) => size < 0);
      const counts = Map.groupBy(sizes, (size) => size);
      const most = Math.max(0, ...Array.from(counts.values(), ({ length }) => length));
      expect(isRegular(profileOf(apart(steps)))).toBe(hasOneSign && most * 2 >= sizes.length);
    });
    fc.assert(property, propertyRuns());
  });

  it('are no dates if half of the texts are numbers or no times', () => {
    const texts = fc.array(fc.constantFrom('2026-01-01', '2026-02-03', '1999', 'soon'), { minLength: 1 });
    const property = fc.property(texts, (values) => {
      const steps = values.slice(1).filter((text, at) => text === 'soon' || values[at] === 'soon').length;
      const numbers = values.filter((text) => text === '1999').length;
      expect(isDated(profileOf(values))).toBe((steps + numbers) * 2 < values.length);
    });
    fc.assert(property, propertyRuns());
  });

  // Steps beyond 27 are rounded to months of 30.5.
  const different = (count: number) => Array.from({ length: count }, (_, at) => 30 + 61 * at);
  const equal = (count: number) => Array.from({ length: count }, () => 7);

  it('are regular with many other sizes before or after those that are equal', () => {
    expect(isRegular(profileOf(apart([...different(1_000), ...equal(1_050)])))).toBe(true);
    expect(isRegular(profileOf(apart([...equal(1_050), ...different(1_000)])))).toBe(true);
    expect(isRegular(profileOf(apart([...different(1_000), ...equal(900)])))).toBe(false);
  });

  it('regression: take the same memory, however many sizes there are', () => {
    const heldOf = (count: number) => profileOf(apart(different(count))).steps?.counts.size;
    expect(heldOf(9_000)).toBeLessThanOrEqual(100);
    expect(heldOf(50)).toBe(50);
    // Nor are they needed once times go back and forth.
    expect(profileOf(apart([...different(50), -1])).steps?.counts.size).toBe(0);
  });
});
