// The order of keys is that of their UTF-8 bytes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareKeys } from '../../../core/delta/compare-keys.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';

test('orders as the bytes do', PROPERTY_TIMEOUT, () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '！', '\u{10000}', '😀', '\u{10ffff}'),
  });
  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(Math.sign(compareKeys(left, right))).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)));
    }),
    propertyRuns(2_000),
  );
});

test('differs from the order of JavaScript', () => {
  expect(compareKeys('！', '😀')).toBeLessThan(0);
  expect(['！', '😀'].sort()).toEqual(['😀', '！']);
});
