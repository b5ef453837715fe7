// Records with large data: 5,040 different rows, columns of any name, digits that a double loses, and many events.
import type { Dashboard } from './dashboard.ts';
import { commitRows } from '../rows/factories.ts';
import { checkAndWait, createRecord } from '../servers/system.ts';

export const BRANDS = ['Acme', 'Globex', 'Initech', 'Umbrella', 'Stark'];

export interface Price {
  sku: string;
  brand: string;
  price: string;
  stock: string;
}

export const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

export const price = (at: number, cents: number): Price => ({
  sku: `SKU-${String(at).padStart(5, '0')}`,
  brand: BRANDS[at % BRANDS.length] ?? '',
  price: ((at % 100) + cents / 100).toFixed(2),
  stock: String((at * 7) % 400),
});

/** Two versions of prices: 20 rows deleted, 40 new, and all others changed. */
export const BEFORE = numbers(0, 5_000).map((at) => price(at, 10));
export const AFTER = numbers(20, 5_040).map((at) => price(at, 20));

export const csvOf = (rows: readonly Price[]): string =>
  ['sku,brand,price,stock', ...rows.map((row) => Object.values(row).join(','))]
    .map((line) => `${line}\n`)
    .join('');

export const LONG = `${'long '.repeat(1_000)}end`;
export const BIG = '10000000000000000999';

/** A JSON document as text, so that its numbers keep their digits, with unusual names of columns. */
const odd = (rows: Readonly<Record<string, readonly [name: string, price: string]>>): string =>
  `[${Object.entries(rows)
    .map(
      ([id, [name, amount]]) =>
        `{"id":"${id}","name":"${name}","price":${amount},"big":${BIG},"":"bare ${id}","a[b]":"=cmd ${name}","__proto__":"p ${id}","long":"${LONG}"}`,
    )
    .join(',')}]`;

const ODD = [
  odd({ r1: ['Anna', '1.0'], r2: ['Ben', '2.50'], r3: ['Cleo', '3'], r4: ['Dora', '4'] }),
  odd({ r1: ['Anna', '1.0'], r2: ['Ben', '2.75'], r3: ['Cleo', '3'], r4: ['Dora', '4'] }),
  odd({ r1: ['Anna', '1.10'], r2: ['Bea', '2.75'], r4: ['Dora', '4'], r5: ['Emil', '5'] }),
];

/** Creates the records `prices`, `odd` and `many` in the system's account. */
export async function makeRowsWorld(dashboard: Dashboard): Promise<void> {
  await watchVersions(dashboard, 'prices', { type: 'text/csv', bodies: [csvOf(BEFORE), csvOf(AFTER)] });
  await watchVersions(dashboard, 'odd', { type: 'application/json', bodies: ODD });
  await watchMany(dashboard);
}

interface Versions {
  type: string;
  bodies: readonly string[];
}

async function watchVersions({ system, origin }: Dashboard, slug: string, { type, bodies }: Versions) {
  for (const [at, body] of bodies.entries()) {
    origin.set(`/${slug}`, { body, headers: { 'content-type': type } });
    // One version after the other.
    // oxlint-disable-next-line no-await-in-loop
    await (at === 0
      ? createRecord(system, { url: `${origin.url}/${slug}`, name: slug, slug })
      : checkAndWait(system, slug));
  }
}

/** Makes a first snapshot, 60 changes and a check without changes, an hour apart. */
async function watchMany({ system, origin }: Dashboard): Promise<void> {
  const { db } = system.database;
  origin.set('/many.csv', { body: 'id,price\na,0\n' });
  const { id } = await createRecord(system, { url: `${origin.url}/many.csv`, name: 'many', slug: 'many' });
  for (const at of [...numbers(1, 61), 60]) {
    // oxlint-disable-next-line no-await-in-loop
    await commitRows(db, id, { a: `{"id":"a","price":"${at}"}` });
  }
  await db.raw(
    `update delta_events set detected_at = date_trunc('hour', now()) - interval '1 hour' * (62 - number)
     where record_id = ?`,
    [id],
  );
  await db.raw(
    `update unchanged_checks set finished_at = date_trunc('hour', now())
    where record_no = (select record_no from record_heads where record_id = ?)`,
    [id],
  );
}
