// Counting texts by their fingerprints.
import { expect, test } from 'vitest';
import { createFingerprintTable } from '../../../../core/delta/keys/fingerprint-table.ts';

test('counts each text, through many growths, like a map', () => {
  const table = createFingerprintTable();
  const counts = new Map<string, number>();
  for (let n = 0; n < 200_000; n++) {
    // Every third number comes again, as texts that differ little: the hard case for a hash.
    const text = `${(n % 3 === 0 ? n % 999 : n).toString(36)}${n % 2 === 0 ? '' : ' '}`;
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (table.add(text) !== count) throw new Error(`“${text}” was miscounted`);
  }
  expect(counts.size).toBeGreaterThan(100_000);
  expect(table.sizeBytes() / counts.size).toBeLessThan(40);
});

test('distinguishes the empty text, NUL and swapped halves', () => {
  const table = createFingerprintTable();
  expect(['', '\0', '\0\0', 'ab\0c', 'a\0bc', 'ba', 'ab'].map((text) => table.add(text))).toEqual([
    1, 1, 1, 1, 1, 1, 1,
  ]);
});
