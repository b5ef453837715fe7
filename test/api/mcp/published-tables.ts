// Published tables as records of an account: airports, and four years of weather in two versions, the first without its last month.
import { readFileSync } from 'node:fs';
import type { Database } from '../../../db/driver/knex.ts';
import { naiveTable, type NaiveTable } from '../../support/checks/naive-compare.ts';
import { commitRows, createTestRecord } from '../../support/rows/factories.ts';

export interface PublishedTables {
  airports: NaiveTable;
  /** By day: `2012/01/01`. */
  weather: NaiveTable;
}

export const LAST_MONTH = '2015/12/';

const folder = new URL('../../../node_modules/vega-datasets/data/', import.meta.url);
const read = (file: string, key: string): NaiveTable =>
  naiveTable(readFileSync(new URL(file, folder), 'utf8'), key);

export async function makePublishedTables(db: Database, accountId: string): Promise<PublishedTables> {
  const [airports, weather] = [read('airports.csv', 'iata'), read('seattle-weather.csv', 'date')];
  const earlier = new Map([...weather].filter(([day]) => !day.startsWith(LAST_MONTH)));
  await store(db, accountId, 'airports', 'iata', [airports], { topic: 'travel' });
  await store(db, accountId, 'weather', 'date', [earlier, weather], { topic: 'nature', place: 'Seattle' });
  return { airports, weather };
}

async function store(
  db: Database,
  accountId: string,
  slug: string,
  key: string,
  versions: readonly NaiveTable[],
  labels: Record<string, string>,
): Promise<void> {
  const id = await createTestRecord(db, accountId, { slug, name: slug, keyFields: [key], labels });
  for (const table of versions) {
    const rows = Object.fromEntries(Array.from(table, ([name, row]) => [name, JSON.stringify(row)]));
    const [first = {}] = table.values();
    await commitRows(db, id, rows, Object.keys(first));
  }
}
