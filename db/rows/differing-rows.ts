// SQL of the rows that differ between two snapshots of one generation. A row that differs has a version that ended between
// them or one that began between them, so rows that stayed the same are not read.
import { afterKey, type PageRequest } from '../page.ts';

export interface SnapshotPair {
  recordNo: number;
  generation: number;
  /** The two sequences, in either order. */
  from: number;
  to: number;
}

/**
 * How to find the versions that ended or began. `byTime` reads all of them first, through the indexes on sequence, where they are
 * adjacent. `byKey` walks the primary key, past the rows that stayed, and stops at the end of the page: better where
 * most rows changed. `inPairs` reads all of them and finds those that were paired by similarity, also over several events:
 * for records with pairs, which are few.
 */
export type Way = 'byTime' | 'byKey' | 'inPairs';

/** Which side of differingSql is the earlier data, and which the later. */
export const sidesOf = ({ from, to }: SnapshotPair): readonly [before: Side, after: Side] =>
  from <= to ? ['older', 'newer'] : ['newer', 'older'];

type Side = 'older' | 'newer';

export const bindingsOf = ({ recordNo, generation, from, to }: SnapshotPair) => ({
  recordNo,
  generation,
  older: Math.min(from, to),
  newer: Math.max(from, to),
});

/**
 * Of each row its key, change type, previous key, and the key and first sequence of its version on each side. Rows that changed
 * and changed back do not differ: they have the same hash again.
 */
export const differingSql = (pair: SnapshotPair, page: PageRequest<string>, way: Way): string =>
  way === 'inPairs' ? pairedSql(pair, page) : plainSql(pair, page, way === 'byTime');

const sideSql = (side: Side, range: string): string => `
  select row_key, first_seq, row_hash, previous_key from row_versions
  where record_no = :recordNo and generation = :generation and ${
    side === 'older'
      ? 'last_seq >= :older and last_seq < :newer and first_seq <= :older'
      : 'first_seq > :older and first_seq <= :newer and (last_seq is null or last_seq >= :newer)'
  } ${range}`;

/** @param seq SQL of a version's first sequence; null where a side has none */
const typeSql = (pair: SnapshotPair, seq: (side: Side) => string): string => {
  const [before, after] = sidesOf(pair);
  return `case when ${seq(before)} is null then 'new' when ${seq(after)} is null then 'deleted' else 'changed' end`;
};

function plainSql(pair: SnapshotPair, page: PageRequest<string>, isByTime: boolean): string {
  const materialized = isByTime ? 'materialized' : 'not materialized';
  const range = afterKey('row_key', page);
  return `with older as ${materialized} (${sideSql('older', range)}),
      newer as ${materialized} (${sideSql('newer', range)})
    select row_key as key, null::text as previous_key, row_key as older_key, row_key as newer_key,
      older.first_seq as older_seq, newer.first_seq as newer_seq,
      ${typeSql(pair, (side) => `${side}.first_seq`)} as change_type
    from older full join newer using (row_key)
    where older.row_hash is distinct from newer.row_hash`;
}

/** Follows each new row back through its pairs. It is changed if that ends at a row that is gone. */
function pairedSql(pair: SnapshotPair, page: PageRequest<string>): string {
  const [before, after] = sidesOf(pair);
  return `with recursive plain as materialized (
      select row_key as key, older.first_seq as older_seq, newer.first_seq as newer_seq, newer.previous_key
      from (${sideSql('older', '')}) older full join (${sideSql('newer', '')}) newer using (row_key)
      where older.row_hash is distinct from newer.row_hash
    ), steps as (
      select key as newer_key, key as row_key, newer_seq as first_seq, previous_key from plain where older_seq is null
      union all
      select steps.newer_key, earlier.row_key, earlier.first_seq, earlier.previous_key
      from steps cross join lateral (
        select row_key, first_seq, previous_key from row_versions
        where record_no = :recordNo and generation = :generation and row_key = steps.previous_key
          and last_seq = steps.first_seq - 1 offset 0
      ) earlier
      where steps.first_seq > :older and steps.previous_key is not null
    ), pairs as materialized (
      select steps.newer_key, steps.row_key as older_key, steps.first_seq as older_seq, plain.newer_seq
      from steps join plain gone on gone.key = steps.row_key and gone.newer_seq is null
      join plain on plain.key = steps.newer_key
      where steps.first_seq <= :older
    ), differing as (
      select key, null::text as previous_key, key as older_key, key as newer_key, older_seq, newer_seq from plain
      where not exists (select from pairs where pairs.older_key = key)
        and not exists (select from pairs where pairs.newer_key = key)
      union all
      select ${after}_key, ${before}_key, older_key, newer_key, older_seq, newer_seq from pairs
    )
    select differing.*, ${typeSql(pair, (side) => `${side}_seq`)} as change_type from differing
    where true ${afterKey('key', page)}`;
}
