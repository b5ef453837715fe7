// The rows of a record's first snapshot. There is nothing to compare them with, so they are copied to where they stay.
import { copyRows, int4, int8 } from '../driver/copy-rows.ts';
import { type IncomingRow, loadIncomingRows } from './incoming-rows.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';

/** Where rows are stored. */
export interface RowsPlace {
  recordNo: number;
  generation: number;
  sequence: number;
}

/**
 * Where the rows go that a record without a snapshot is given; undefined if it has one. Until the transaction ends
 * nobody else is given this place: two checks that put the same rows there would wait for each other for ever.
 */
export async function claimFirstRows(
  trx: Knex.Transaction,
  { recordId }: { recordId: string },
): Promise<RowsPlace | undefined> {
  if ((await findPlace(trx, recordId)) === undefined) return undefined;
  await trx.raw(`select pg_advisory_xact_lock(hashtextextended('first rows of ' || ?, 0))`, [recordId]);
  return findPlace(trx, recordId);
}

async function findPlace(trx: Knex.Transaction, recordId: string): Promise<RowsPlace | undefined> {
  const [place] = await rawRows<RowsPlace>(
    trx,
    `select record_no as "recordNo", generation, sequence + 1 as sequence from record_heads
     where record_id = ? and snapshot_id is null`,
    [recordId],
  );
  return place;
}

/** @throws Error when the head, locked now, gives the rows another place than they were given before */
export function requireSamePlace(
  head: { generation: number; sequence: number; snapshotId: string | null },
  { generation, sequence }: RowsPlace,
): void {
  const isSame = head.snapshotId === null && head.generation === generation && head.sequence + 1 === sequence;
  if (!isSame) throw new Error('The head moved while the first rows were being stored');
}

/**
 * Copies rows into `row_versions`, and once a key comes again, or keys turn out to go up and down, the rest into the
 * temporary table `incoming`: from there they follow in the order of their keys, or take the place of those that have them.
 * @returns how many rows there are: the last of those with the same key
 */
export async function storeFirstRows(
  trx: Knex.Transaction,
  { recordNo, generation, sequence }: RowsPlace,
  batches: AsyncIterable<readonly IncomingRow[]>,
): Promise<number> {
  const place = [int8(recordNo), int4(generation), int4(sequence)];
  const { direct, rest, close } = split(batches);
  try {
    const copied = await copyRows(
      trx,
      'row_versions (record_no, generation, first_seq, row_key, row_hash, data)',
      direct(),
      (row) => [...place, row.key, row.hash, row.data],
    );
    const others = rest();
    return others === undefined
      ? copied
      : copied + (await placeRows(trx, [recordNo, generation, sequence], others));
  } finally {
    await close();
  }
}

/** Two readers of one source, one after the other. */
function split(batches: AsyncIterable<readonly IncomingRow[]>) {
  const source = batches[Symbol.asyncIterator]();
  const goesUp = createOrderTest();
  let held: readonly IncomingRow[] | undefined;
  async function* direct(): AsyncGenerator<readonly IncomingRow[]> {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      if (next.value.some(({ isRepeat }) => isRepeat) || !goesUp(next.value)) {
        held = next.value;
        return;
      }
      yield next.value;
    }
  }
  async function* from(first: readonly IncomingRow[]): AsyncGenerator<readonly IncomingRow[]> {
    yield first;
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  }
  return {
    /** Batches that may go where they stay. */
    direct,
    /** All after them, if there are any. */
    rest: () => (held === undefined ? undefined : from(held)),
    close: () => source.return?.(),
  };
}

const ENOUGH_ROWS = 1_000;
const MOST_FALLS = 1 / 8;

/**
 * Whether keys go up, by and large. Those that do not would be put all over the indexes, and read from all over the table
 * ever after.
 */
function createOrderTest(): (rows: readonly IncomingRow[]) => boolean {
  let [count, falls, last] = [0, 0, ''];
  return (rows) => {
    for (const { key } of rows) {
      if (key < last) falls++;
      last = key;
    }
    count += rows.length;
    return count < ENOUGH_ROWS || falls <= count * MOST_FALLS;
  };
}

/** @returns how many of them have taken no other row's place */
async function placeRows(
  trx: Knex.Transaction,
  place: number[],
  batches: AsyncIterable<readonly IncomingRow[]>,
): Promise<number> {
  await loadIncomingRows(trx, batches);
  await trx.raw(
    `update row_versions set row_hash = incoming.row_hash, data = incoming.data from incoming
     where record_no = ? and generation = ? and first_seq = ? and row_versions.row_key = incoming.row_key`,
    place,
  );
  const { rowCount }: { rowCount: number } = await trx.raw(
    `insert into row_versions (record_no, generation, first_seq, row_key, row_hash, data)
     select ?, ?, ?, row_key, row_hash, data from incoming order by row_key on conflict do nothing`,
    place,
  );
  return rowCount;
}

const MANY_ROWS = 10_000;

/**
 * Renews what the planner knows of `row_versions` after a commit of so many rows, if they are a hundredth of the table or more.
 * Autovacuum does so too, but a minute later; until then, reading two snapshots of such a record may take as long.
 */
export async function tellPlanner(db: Database, rowCount: number): Promise<void> {
  if (rowCount < MANY_ROWS) return;
  const [table] = await rawRows<{ isGrown: boolean }>(
    db,
    `select reltuples < 100 * ?::float8 as "isGrown" from pg_class where oid = 'row_versions'::regclass`,
    [rowCount],
  );
  if (table?.isGrown === true) await db.raw('analyze (skip_locked) row_versions');
}
