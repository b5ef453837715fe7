// The names of columns: unique, as the header has them where possible, and found in time that grows with their number.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readHeader } from '../../../../core/delta/delimited/parse-delimited.ts';
import { COMMAS } from '../../../../core/delta/delimited/split-delimited.ts';
import { ROW_LIMITS } from '../../../../core/delta/model.ts';
import { propertyRuns } from '../../../support/runner/property-runs.ts';

const namesOf = (header: readonly string[]): string[] =>
  readHeader(`${header.join(',')}\n`, COMMAS, 1, { ...ROW_LIMITS, maxRows: Infinity });

describe('names of columns', () => {
  const name = fc.constantFrom<string[]>(
    '',
    'a',
    'a_2',
    'a_3',
    'a_2_2',
    'column_1',
    'column_2',
    'column_2_2',
  );

  it('are numbered from 2 where they repeat, past those that the header has', () => {
    const property = fc.property(fc.array(name, { minLength: 2, maxLength: 12 }), (header) => {
      const taken: string[] = [];
      for (const [index, text] of header.entries()) {
        const base = text || `column_${index + 1}`;
        const numbered = Array.from({ length: 40 }, (_, at) => (at === 0 ? base : `${base}_${at + 1}`));
        const isFree = (one: string) => !taken.includes(one) && (one === text || !header.includes(one));
        taken.push(numbered.find(isFree) ?? '');
      }
      expect(namesOf(header)).toEqual(taken);
    });
    fc.assert(property, propertyRuns());
  });

  it('regression: are looked up about as often as there are columns, also if all are equal', () => {
    const lookUps = (count: number): number => {
      const has = vi.spyOn(Set.prototype, 'has');
      try {
        expect(namesOf(Array.from({ length: count }, () => 'a'))).toHaveLength(count);
        return has.mock.calls.length;
      } finally {
        has.mockRestore();
      }
    };
    expect(lookUps(1_000)).toBeLessThan(20 * lookUps(100));
  });
});
