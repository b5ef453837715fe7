// Pairs edited rows without a key, where the owner of a record asks for it: a deleted and a new row become one changed row,
// under the key of the new one (core/delta/pair-similar.ts). Their versions are stored as without a pair; the new one names
// the key of the other.
import { type CarryOver, carryOverBy } from '../../core/delta/carry-over.ts';
import type { RowVersion } from '../../core/delta/compare.ts';
import { PAIRING_LIMITS, pairSimilar, type RowPair } from '../../core/delta/pair-similar.ts';
import type { ColumnRules } from '../../core/delta/rules/column-rules.ts';
import { unpairedRows, type Warning } from '../../core/delta/warnings.ts';
import { type Knex, rawRows } from '../driver/knex.ts';
import type { DeltaCounts } from '../rows/delta-rows.ts';
import type { CarriedInMemory } from './carry-over.ts';
import type { DeltaCommit, Difference, ReadBody } from './commit-facts.ts';

/** The rules to pair rows under. Undefined where rows are not paired: their owner does not ask for it, or they have a key. */
export const pairingOf = ({ pairing, rule }: DeltaCommit, { key }: ReadBody): ColumnRules | undefined =>
  pairing === 'similarity' && key.fields.length === 0 ? rule.rules : undefined;

export interface PairedInMemory extends CarriedInMemory {
  /** When there are too many rows to pair. */
  warnings: Warning[];
}

/** The differences of a small body, with its pairs. */
export async function pairInMemory(
  trx: Knex.Transaction,
  found: CarriedInMemory,
  rules: ColumnRules | undefined,
): Promise<PairedInMemory> {
  const ctids = found.differences.flatMap(({ changeType, ctid }) =>
    changeType === 'deleted' && ctid !== null ? [ctid] : [],
  );
  const added = found.differences.flatMap(({ key, changeType }) => {
    const row = changeType === 'new' ? found.rows.get(key) : undefined;
    return row === undefined ? [] : [{ key, data: row.data }];
  });
  const counts = { new: added.length, deleted: ctids.length };
  const paired = await findPairs(rules, {
    counts,
    sizeBytes: async () => sizeOf(added) + (await sizeOfStored(trx, ctids)),
    rows: async () => ({ deleted: await storedRows(trx, ctids), added }),
  });
  if (paired === 'too many') return { ...found, warnings: [unpairedRows(counts)] };
  return { ...applyInMemory(found, paired), warnings: [] };
}

/** Changes the tables `differing` and `incoming`. */
export async function pairRows(
  trx: Knex.Transaction,
  counts: DeltaCounts,
  rules: ColumnRules | undefined,
): Promise<{ counts: DeltaCounts; warnings: Warning[] }> {
  const paired = await findPairs(rules, {
    counts,
    sizeBytes: async () => (await sizeOfRows(trx, DELETED)) + (await sizeOfRows(trx, ADDED)),
    rows: async () => ({
      deleted: await rawRows<RowVersion>(trx, DELETED),
      added: await rawRows<RowVersion>(trx, ADDED),
    }),
  });
  if (paired === 'too many') return { counts, warnings: [unpairedRows(counts)] };
  if (paired.length > 0) await applyRows(trx, paired);
  const [count, warnings] = [paired.length, []];
  const { new: added, changed, deleted } = counts;
  return { counts: { new: added - count, changed: changed + count, deleted: deleted - count }, warnings };
}

/** A pair, with the data of both rows. */
interface PairedRow extends RowPair {
  dataBefore: string;
  /** With the cells of `dataBefore` that are still the same under the rule of their column. */
  dataAfter: string;
}

interface Sides {
  counts: Pick<DeltaCounts, 'new' | 'deleted'>;
  /** Of the data of both sides. */
  sizeBytes: () => Promise<number>;
  rows: () => Promise<{ deleted: readonly RowVersion[]; added: readonly RowVersion[] }>;
}

async function findPairs(
  rules: ColumnRules | undefined,
  { counts, sizeBytes, rows }: Sides,
): Promise<PairedRow[] | 'too many'> {
  if (rules === undefined || counts.new === 0 || counts.deleted === 0) return [];
  if (Math.max(counts.new, counts.deleted) > PAIRING_LIMITS.rows) return 'too many';
  if ((await sizeBytes()) > PAIRING_LIMITS.bytes) return 'too many';
  const { deleted, added } = await rows();
  const pairs = pairSimilar(deleted, added, rules);
  if (pairs === undefined) return 'too many';
  const [old, now] = [byKey(deleted), byKey(added)];
  const carryOver = carryOverOf(rules);
  return pairs.map(({ before, after }) => {
    const dataBefore = old.get(before) ?? '{}';
    return { before, after, dataBefore, dataAfter: carryOver(dataBefore, now.get(after) ?? '{}') };
  });
}

const byKey = (rows: readonly RowVersion[]) => new Map(rows.map(({ key, data }) => [key, data]));

/** Without tolerances: the content is the key of the row, and would not fit values that are only near. */
function carryOverOf(rules: ColumnRules): CarryOver {
  const exact = Object.entries(rules).map(([column, { tolerance: _tolerance, ...rule }]) => [column, rule]);
  return carryOverBy(Object.fromEntries(exact) as ColumnRules, []) ?? ((_before, after) => after);
}

const sizeOf = (rows: readonly RowVersion[]): number =>
  rows.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0);

async function sizeOfStored(trx: Knex.Transaction, ctids: string[]): Promise<number> {
  const [sum] = await rawRows<{ bytes: number }>(
    trx,
    `select sum(octet_length(data::text))::float8 as bytes from row_versions where ctid = any(?::tid[])`,
    [ctids],
  );
  return sum?.bytes ?? 0;
}

/** The ctids cannot change while the head is locked. */
const storedRows = (trx: Knex.Transaction, ctids: string[]): Promise<RowVersion[]> =>
  rawRows(trx, `select row_key as key, data::text as data from row_versions where ctid = any(?::tid[])`, [
    ctids,
  ]);

const DELETED = `select stored.row_key as key, stored.data::text as data
  from differing join row_versions stored on stored.ctid = differing.stored_ctid where change_type = 'deleted'`;
const ADDED = `select row_key as key, incoming.data::text as data
  from differing join incoming using (row_key) where change_type = 'new'`;

async function sizeOfRows(trx: Knex.Transaction, rows: string): Promise<number> {
  const [sum] = await rawRows<{ bytes: number }>(
    trx,
    `select coalesce(sum(octet_length(data)), 0)::float8 as bytes from (${rows}) rows`,
  );
  return sum?.bytes ?? 0;
}

function applyInMemory(
  { differences, rows }: CarriedInMemory,
  paired: readonly PairedRow[],
): CarriedInMemory {
  if (paired.length === 0) return { differences, rows };
  const carried = new Map(rows);
  for (const { after, dataAfter: data } of paired) {
    const row = rows.get(after);
    if (row !== undefined) carried.set(after, { ...row, data });
  }
  const ctidOf = new Map(differences.map(({ key, ctid }) => [key, ctid]));
  const byAfter = new Map(paired.map((pair) => [pair.after, pair]));
  const gone = new Set(paired.map(({ before }) => before));
  const left = differences.filter(({ key }) => !gone.has(key));
  return {
    rows: carried,
    differences: left.map((difference): Difference => {
      const pair = byAfter.get(difference.key);
      if (pair === undefined) return difference;
      const { before: previousKey, dataBefore: before } = pair;
      return {
        key: difference.key,
        changeType: 'changed',
        ctid: ctidOf.get(previousKey) ?? null,
        before,
        previousKey,
      };
    }),
  };
}

async function applyRows(trx: Knex.Transaction, paired: readonly PairedRow[]): Promise<void> {
  const [before, after, data] = [
    paired.map((pair) => pair.before),
    paired.map((pair) => pair.after),
    paired.map(({ dataAfter }) => dataAfter),
  ];
  await trx.raw(
    `update differing set change_type = 'changed', stored_ctid = gone.stored_ctid, previous_key = gone.row_key
     from unnest(?::text[], ?::text[]) as pair (before, after) join differing gone on gone.row_key = pair.before
     where differing.row_key = pair.after`,
    [before, after],
  );
  await trx.raw('delete from differing where row_key = any(?::text[])', [before]);
  await trx.raw(
    `update incoming set data = pair.data from unnest(?::text[], ?::json[]) as pair (after, data)
     where incoming.row_key = pair.after and incoming.data::text <> pair.data::text`,
    [after, data],
  );
}
