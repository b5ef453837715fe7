// docs/data.md names every warning, format and limit of the code.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DATA_FORMATS, ROW_LIMITS } from '../../core/delta/model.ts';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const page = read('docs/data.md');
const rowsOf = (heading: string): string[] =>
  [...(page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)`/gm)].map(
    ([, code = '']) => code,
  );

it('names every warning', () => {
  const codes = [...read('core/delta/warnings.ts').matchAll(/^ {2}\| '(\w+)'/gm)].map(
    ([, code = '']) => code,
  );
  expect(codes.length).toBeGreaterThan(5);
  expect(rowsOf('Warnings').toSorted()).toEqual(codes.toSorted());
});

it('names every format', () => {
  expect(rowsOf('What can be watched').toSorted()).toEqual([...DATA_FORMATS].toSorted());
});

it('names every limit', () => {
  const limits = page.split('## Limits\n')[1] ?? '';
  for (const value of Object.values(ROW_LIMITS))
    expect(limits).toMatch(new RegExp(`\\b${value.toLocaleString('en')}\\b`));
});
