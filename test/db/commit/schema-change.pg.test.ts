// Columns with new names, in tables with very many columns that may be meant.
import { expect, it } from 'vitest';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, latest, makeRecord } = useWatchedRecords();

const COLUMNS = Array.from({ length: 49 }, (_, at) => at);
const ROWS = Array.from({ length: 3_000 }, (_, at) => at);

/** @param values of each row, after its id */
const table = (names: string[], values: (row: number) => (string | number)[]): string =>
  [['id', ...names], ...ROWS.map((row) => [row, ...values(row)])].map((cells) => cells.join(',')).join('\n');

it.each([
  ['empty', ''],
  ['alike', 'x'],
])('regression: finds the one among many columns that are %s', async (_name, value) => {
  const others = COLUMNS.map(() => value);
  const names = (prefix: string) => COLUMNS.map((at) => `${prefix} ${at}`);
  const { id, serve } = await makeRecord(table([...names('was'), 'price'], (row) => [...others, row * 3]));
  serve(table([...names('is'), 'cost'], (row) => [...others, row * 3]));
  await bench().check(id);
  expect(await latest(id)).toMatchObject({
    changedCount: ROWS.length,
    schemaChange: {
      renamed: [{ from: 'price', to: 'cost' }],
      added: names('is'),
      removed: names('was'),
      schemaOnlyCount: ROWS.length,
    },
  });
});

it('regression: names no new name for columns that are alike and vary', async () => {
  const names = (prefix: string) => COLUMNS.map((at) => `${prefix} ${at}`);
  const values = (row: number) => COLUMNS.map(() => row);
  const { id, serve } = await makeRecord(table(names('was'), values));
  serve(table(names('is'), values));
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ schemaChange: { renamed: [], schemaOnlyCount: ROWS.length } });
});
