// How far a number may be from the one that was reported last.
import { describe, expect, it } from 'vitest';
import { sameValueBy } from '../../../../core/delta/rules/same-value.ts';

const isSame = (tolerance: string, was: string, is: string): boolean =>
  sameValueBy({ as: 'number', tolerance })(was, is);

describe('a tolerance', () => {
  it.each([
    ['0.01', '1.00', '1.01', true],
    ['0.01', '1.00', '0.99', true],
    ['0.01', '1.00', '1.0100000000000000000001', false],
    ['0.01', '0', '-0.01', true],
    ['0.01', '-0.005', '0.005', true],
    ['0.01', '-0.005', '0.0050001', false],
    ['0', '1', '1.0', true],
    ['0', '1', '1.0000000000000000000001', false],
    ['100', '1e2', '2e2', true],
    ['100', '1e2', '201', false],
    ['0.3', '0.1', '0.4', true],
  ])('of %s takes %s and %s for the same: %s', (tolerance, was, is, expected) => {
    expect(isSame(tolerance, was, is)).toBe(expected);
    expect(isSame(tolerance, is, was)).toBe(expected);
    expect(isSame(tolerance, `"${was}"`, is)).toBe(expected);
  });

  it.each([
    ['1%', '100', '101', true],
    ['1%', '101', '100', true],
    ['1%', '100', '101.0001', false],
    ['1%', '-100', '-101', true],
    ['1%', '-100', '100', false],
    ['0.5%', '200', '199', true],
    ['0.5%', '200', '198.99', false],
    ['10%', '100', '90', true],
    ['10%', '90', '100', false],
    ['100%', '5', '0', true],
    ['100%', '5', '10', true],
    ['100%', '0', '0.0001', false],
    ['100%', '0', '-0.00', true],
    ['1%', '1e-200', '1.01e-200', true],
    ['1%', '1e-200', '1.02e-200', false],
    ['1%', '1e300', '1.01e300', true],
  ])(
    'of %s of what was reported last takes %s and then %s for the same: %s',
    (tolerance, was, is, expected) => {
      expect(isSame(tolerance, was, is)).toBe(expected);
    },
  );

  it('is about numbers alone', () => {
    expect(isSame('1', '"a"', '"b"')).toBe(false);
    expect(isSame('1', '"a"', '"a"')).toBe(true);
    expect(isSame('1', '1', 'null')).toBe(false);
    expect(isSame('1', '1', '"1,5"')).toBe(false);
    expect(isSame('1', '1', '1e1000')).toBe(false);
    expect(sameValueBy({ as: 'date', tolerance: '1' })('"1"', '"1.5"')).toBe(false);
  });
});
