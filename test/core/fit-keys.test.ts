// Keys that are left out: the text fits, the first ones stay, and no list pays for another.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitKeys, type KeyLists } from '../../core/fit-keys.ts';
import { propertyRuns } from '../support/property-runs.ts';

const MAX_BYTES = 1_000;
const write = (lists: KeyLists): string => JSON.stringify(lists);
const keys = fc.array(fc.string({ unit: 'binary', maxLength: 60, size: 'max' }), {
  maxLength: 30,
  size: 'max',
});
const sizeBytes = (text: string): number => Buffer.byteLength(text);

it('leaves a text that fits as it is, and makes any other fit', () => {
  fc.assert(
    fc.property(keys, keys, keys, (newKeys, changedKeys, deletedKeys) => {
      const lists = { newKeys, changedKeys, deletedKeys };
      const text = fitKeys(lists, MAX_BYTES, write);
      expect(sizeBytes(text)).toBeLessThanOrEqual(MAX_BYTES);
      const fits = sizeBytes(write(lists)) <= MAX_BYTES;
      expect(text === write(lists)).toBe(fits);
      // Written by `write` above.
      const kept = JSON.parse(text) as Record<keyof KeyLists, string[]>;
      for (const name of ['newKeys', 'changedKeys', 'deletedKeys'] as const) {
        expect(kept[name]).toEqual(lists[name].slice(0, kept[name].length));
        // A third of the room is a list's own, whatever the others need.
        const third =
          (MAX_BYTES - sizeBytes(write({ newKeys: [], changedKeys: [], deletedKeys: [] })) - 16) / 3;
        const needed = lists[name]
          .slice(0, kept[name].length + 1)
          .map((key) => sizeBytes(JSON.stringify(key)) + 1);
        const isAll = kept[name].length === lists[name].length;
        expect(isAll || needed.reduce((sum, next) => sum + next, 0) > Math.floor(third)).toBe(true);
      }
    }),
    propertyRuns(),
  );
});
