// Keeps the last reported values in rows whose hashes differ, where the column's rule treats old and new as equal
// (core/delta/carry-over.ts). A row in which all values are equal has not changed. The stored hash is that of the stored values, so
// that any two versions of a row can be compared by it.
import { rowHashBy } from '../../core/delta/canonical-row.ts';
import { type CarryOver, carryOverBy } from '../../core/delta/carry-over.ts';
import { changedFields } from '../../core/delta/keys/keyed-row.ts';
import { type Knex, rawRows } from '../driver/knex.ts';
import type { DeltaCommit, Difference, ReadBody, RowsByKey } from './commit-facts.ts';

export interface Carrying {
  carryOver: CarryOver;
  hashOf: (data: string) => Buffer;
  onKept: DeltaCommit['onKept'] | undefined;
}

/** Undefined when no rule applies to the rows. */
export function carryingOf({ rule, onKept }: DeltaCommit, { key }: ReadBody): Carrying | undefined {
  const carryOver = carryOverBy(rule.rules, key.fields);
  return carryOver && { carryOver, hashOf: rowHashBy(rule.rules, key.fields), onKept };
}

export interface CarriedInMemory {
  /** Without rows in which every value is still the same. */
  differences: readonly Difference[];
  /** With the values that are still the same as they are stored. */
  rows: RowsByKey;
}

export function carryOverInMemory(
  found: readonly Difference[],
  gathered: RowsByKey,
  carrying: Carrying | undefined,
): CarriedInMemory {
  if (carrying === undefined) return { differences: found, rows: gathered };
  const rows = new Map(gathered);
  const tellKept = keptTeller(gathered, carrying);
  const differences = found.filter(({ key, before }) => {
    const row = rows.get(key);
    if (before === null || row === undefined) return true;
    const data = carrying.carryOver(before, row.data);
    if (data !== row.data) {
      rows.set(key, { ...row, data, hash: carrying.hashOf(data) });
      tellKept(key, data);
    }
    return changedFields(before, data).length > 0;
  });
  return { differences, rows };
}

/** Tells the index of a row among those that were gathered. */
function keptTeller(gathered: RowsByKey, { onKept }: Carrying): (key: string, data: string) => void {
  if (onKept === undefined) return () => undefined;
  const indexes = new Map([...gathered.keys()].map((key, index) => [key, index]));
  return (key, data) => onKept(indexes.get(key) ?? 0, data);
}

/** Rows to read at a time: at most so many, and so many characters unless one row has more. */
const PAGE_ROWS = 1_000;
const PAGE_LENGTH = 4 * 1024 * 1024;

/** Where the two sides of a changed row are stored. */
interface RowLocation {
  storedCtid: string;
  incomingCtid: string;
  length: number;
}

/**
 * Changes the data and hashes of such rows in the table `incoming`, and removes rows that have not changed from the table `differing`,
 * before either is stored.
 * @returns how many were removed
 */
export async function carryOverRows(trx: Knex.Transaction, carrying: Carrying | undefined): Promise<number> {
  if (carrying === undefined) return 0;
  await trx.raw(
    `create temporary table carried (row_key text collate "C" not null, data json not null,
       row_hash bytea not null, is_same boolean not null) on commit drop`,
  );
  await trx.raw(
    `declare changed_rows no scroll cursor for
     select differing.stored_ctid::text as "storedCtid", incoming.ctid::text as "incomingCtid",
       length(stored.data::text) + length(incoming.data::text) as length
     from differing join row_versions stored on stored.ctid = differing.stored_ctid
       join incoming on incoming.row_key = differing.row_key
     where change_type = 'changed'`,
  );
  let count = 0;
  for (;;) {
    const locations = await rawRows<RowLocation>(trx, `fetch ${PAGE_ROWS} from changed_rows`);
    if (locations.length === 0) break;
    for (const page of pagesOf(locations)) count += await carryPage(trx, page, carrying);
  }
  await trx.raw('close changed_rows');
  return count === 0 ? 0 : applyCarried(trx);
}

async function applyCarried(trx: Knex.Transaction): Promise<number> {
  await trx.raw('analyze carried');
  await trx.raw(
    `update incoming set data = carried.data, row_hash = carried.row_hash from carried
     where incoming.row_key = carried.row_key and not is_same`,
  );
  const { rowCount }: { rowCount: number } = await trx.raw(
    'delete from differing using carried where differing.row_key = carried.row_key and is_same',
  );
  return rowCount;
}

function pagesOf(locations: readonly RowLocation[]): RowLocation[][] {
  const pages: RowLocation[][] = [];
  let left = 0;
  for (const location of locations) {
    left -= location.length;
    if (left < 0) {
      pages.push([]);
      left = PAGE_LENGTH - location.length;
    }
    pages.at(-1)?.push(location);
  }
  return pages;
}

/** Of rows that are not stored. */
const NO_HASH = Buffer.alloc(0);

/** @returns how many rows have values to keep */
async function carryPage(
  trx: Knex.Transaction,
  locations: readonly RowLocation[],
  { carryOver, hashOf, onKept }: Carrying,
): Promise<number> {
  const rows = await rawRows<{ ordinal: number; key: string; before: string; after: string }>(
    trx,
    `select incoming.ordinal, incoming.row_key as key, stored.data::text as before, incoming.data::text as after
     from unnest(?::tid[], ?::tid[]) as location (stored_ctid, incoming_ctid)
     join row_versions stored on stored.ctid = location.stored_ctid
     join incoming on incoming.ctid = location.incoming_ctid`,
    [locations.map(({ storedCtid }) => storedCtid), locations.map(({ incomingCtid }) => incomingCtid)],
  );
  const carried = rows
    .map((row) => ({ ...row, data: carryOver(row.before, row.after) }))
    .map((row) => ({ ...row, isSame: changedFields(row.before, row.data).length === 0 }))
    .filter(({ after, data, isSame }) => isSame || after !== data);
  if (carried.length === 0) return 0;
  for (const { ordinal, after, data } of carried) if (after !== data) onKept?.(ordinal - 1, data);
  await trx.raw('insert into carried select * from unnest(?::text[], ?::json[], ?::bytea[], ?::boolean[])', [
    carried.map(({ key }) => key),
    carried.map(({ data }) => data),
    carried.map(({ data, isSame }) => (isSame ? NO_HASH : hashOf(data))),
    carried.map(({ isSame }) => isSame),
  ]);
  return carried.length;
}
