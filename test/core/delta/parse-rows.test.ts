// The stream of batches: columns first, cells as JSON tokens, undefined for what is missing.
import { expect, test } from 'vitest';
import { ROW_LIMITS, type Dialect } from '../../../core/delta/model.ts';
import { parseRows } from '../../../core/delta/parse-rows.ts';
import { createWarnings } from '../../../core/delta/warnings.ts';
import { collect } from './read-body.ts';

const parse = (texts: string[], dialect: Partial<Dialect>, maxRows = 10) =>
  collect(
    parseRows(
      (async function* () {
        yield* await Promise.resolve(texts);
      })(),
      { format: 'csv', delimiter: ',', charset: 'utf-8', rowsPath: '', headerRow: 1, ...dialect },
      { ...ROW_LIMITS, maxRows },
      createWarnings(),
    ),
  );

test('delimited text names its columns before there are rows', async () => {
  const batches = await parse(['a,b\n', '1,"x"""\n', '2\n3,y,extra\n'], {});
  // One list of columns serves all batches, and grows with longer rows.
  expect(batches[0]).toEqual({ columns: ['a', 'b', 'column_3'], rows: [] });
  expect(batches.flatMap((batch) => batch.rows)).toEqual([
    ['"1"', String.raw`"x\""`],
    ['"2"'],
    ['"3"', '"y"', '"extra"'],
  ]);
});

test('the columns of JSONL grow with its rows', async () => {
  const batches = await parse(['{"a":1}\n{"b":{"c":null}}\n', '{"b":{"c":2},"a":[ ]}'], {
    format: 'jsonl',
    delimiter: null,
  });
  expect(batches.flatMap((batch) => batch.rows)).toEqual([['1'], [undefined, 'null'], ['[]', '2']]);
  expect(batches.at(-1)?.columns).toEqual(['a', 'b.c']);
});

test('short lines of a wide table make small batches, so that a chunk stays a chunk in memory', async () => {
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`c${n}`, 1])));
  const batches = await parse(
    [`${wide}\n${'{}\n'.repeat(999)}`],
    { format: 'jsonl', delimiter: null },
    1_000,
  );
  expect(batches.flatMap(({ rows }) => rows)).toHaveLength(1_000);
  expect(Math.max(...batches.map(({ rows }) => rows.length))).toBeLessThanOrEqual(100);
});

test('the names of all columns together are limited, because every snapshot carries them', async () => {
  const names = Array.from({ length: 100 }, (_, n) => `c${n}${'x'.repeat(2_000)}`);
  const tooLong = { code: 'row_too_large' };
  await expect(parse([`${names.join(',')}\n1\n`], {})).rejects.toMatchObject(tooLong);
  const lines = names.map((name) => `{"${name}":1}\n`);
  await expect(parse(lines, { format: 'jsonl', delimiter: null }, 1_000)).rejects.toMatchObject(tooLong);
});
