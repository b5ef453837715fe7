// The rows of a record's first snapshot. There is nothing to compare them with, so they are copied straight into
// `row_versions`.
import type { SnapshotRef } from '../rows/snapshots.ts';
import type { StoredRow } from '../../core/delta/keys/keyed-row.ts';
import { copyRows, int4, int8 } from '../driver/copy-rows.ts';
import { loadIncomingRows } from './compare-rows.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';

/**
 * The first snapshot of a record, which its rows will be; undefined if the record has a snapshot. Holds an advisory lock
 * until the transaction ends, because two checks that insert the same keys would deadlock.
 */
export async function claimFirstRows(
  trx: Knex.Transaction,
  { recordId }: { recordId: string },
): Promise<SnapshotRef | undefined> {
  if ((await findFirstSnapshot(trx, recordId)) === undefined) return undefined;
  await trx.raw(`select pg_advisory_xact_lock(hashtextextended('first rows of ' || ?, 0))`, [recordId]);
  return findFirstSnapshot(trx, recordId);
}

async function findFirstSnapshot(trx: Knex.Transaction, recordId: string): Promise<SnapshotRef | undefined> {
  const [first] = await rawRows<SnapshotRef>(
    trx,
    `select record_no as "recordNo", generation, sequence + 1 as sequence from record_heads
     where record_id = ? and snapshot_id is null`,
    [recordId],
  );
  return first;
}

/** @throws Error the head has moved since the snapshot was claimed */
export function requireSameSnapshot(
  head: { generation: number; sequence: number; snapshotId: string | null },
  { generation, sequence }: SnapshotRef,
): void {
  const isSame = head.snapshotId === null && head.generation === generation && head.sequence + 1 === sequence;
  if (!isSame) throw new Error('The head moved while the first rows were being stored');
}

/**
 * Copies rows into `row_versions`. Once a key may repeat, or the keys are not in ascending order, the remaining rows go
 * through the temporary table `incoming`, which sorts them by key. Of rows with the same key the last one is kept.
 * @returns how many rows are stored
 */
export async function storeFirstRows(
  trx: Knex.Transaction,
  { recordNo, generation, sequence }: SnapshotRef,
  batches: AsyncIterable<readonly StoredRow[]>,
): Promise<number> {
  const snapshot = [int8(recordNo), int4(generation), int4(sequence)];
  const { direct, rest, close } = split(batches);
  try {
    const copied = await copyRows(
      trx,
      'row_versions (record_no, generation, first_seq, row_key, row_hash, data)',
      direct(),
      (row) => [...snapshot, row.key, row.hash, row.data],
    );
    const others = rest();
    return others === undefined
      ? copied
      : copied + (await replaceRows(trx, [recordNo, generation, sequence], others));
  } finally {
    await close();
  }
}

/** Reads one source in two parts: what can be copied directly, then the rest. */
function split(batches: AsyncIterable<readonly StoredRow[]>) {
  const source = batches[Symbol.asyncIterator]();
  const goesUp = createOrderTest();
  let held: readonly StoredRow[] | undefined;
  async function* direct(): AsyncGenerator<readonly StoredRow[]> {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      if (next.value.some(({ isRepeat }) => isRepeat) || !goesUp(next.value)) {
        held = next.value;
        return;
      }
      yield next.value;
    }
  }
  async function* from(first: readonly StoredRow[]): AsyncGenerator<readonly StoredRow[]> {
    yield first;
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  }
  return {
    direct,
    /** Undefined when `direct` read everything. */
    rest: () => (held === undefined ? undefined : from(held)),
    close: () => source.return?.(),
  };
}

const ENOUGH_ROWS = 1_000;
const MOST_FALLS = 1 / 8;

/**
 * Whether keys mostly ascend. Unsorted keys would be scattered over the table and its indexes, which makes every later
 * read slower.
 */
function createOrderTest(): (rows: readonly StoredRow[]) => boolean {
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

/** Replaces rows whose key is already stored, and inserts the others. @returns how many were inserted */
async function replaceRows(
  trx: Knex.Transaction,
  snapshot: number[],
  batches: AsyncIterable<readonly StoredRow[]>,
): Promise<number> {
  await loadIncomingRows(trx, batches);
  await trx.raw(
    `update row_versions set row_hash = incoming.row_hash, data = incoming.data from incoming
     where record_no = ? and generation = ? and first_seq = ? and row_versions.row_key = incoming.row_key`,
    snapshot,
  );
  const { rowCount }: { rowCount: number } = await trx.raw(
    `insert into row_versions (record_no, generation, first_seq, row_key, row_hash, data)
     select ?, ?, ?, row_key, row_hash, data from incoming order by row_key on conflict do nothing`,
    snapshot,
  );
  return rowCount;
}

const MANY_ROWS = 10_000;

/**
 * Runs ANALYZE on `row_versions` after a commit of many rows, if they are at least a hundredth of the table. Autovacuum
 * would do so a minute later; until then the planner may choose plans that take just as long.
 */
export async function analyzeRows(db: Database, rowCount: number): Promise<void> {
  if (rowCount < MANY_ROWS) return;
  const [table] = await rawRows<{ isGrown: boolean }>(
    db,
    `select reltuples < 100 * ?::float8 as "isGrown" from pg_class where oid = 'row_versions'::regclass`,
    [rowCount],
  );
  if (table?.isGrown === true) await db.raw('analyze (skip_locked) row_versions');
}
