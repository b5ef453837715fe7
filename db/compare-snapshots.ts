// What differs between any two snapshots of one generation. A row that is not the same version in both has ended
// between them on the older side and begun on the newer one, so nothing is read of the rows that stayed.
import type { DeltaCounts } from './commit-delta.ts';
import { CHANGE_TYPES, type ChangeType, type DeltaRow } from './delta-rows.ts';
import { type Database, rawRows } from './knex.ts';
import { afterKey, FITS, type PageRequest } from './snapshots.ts';

export interface SnapshotPair {
  recordNo: number;
  generation: number;
  /** Sequences: in either order. */
  from: number;
  to: number;
}

export interface ComparedKeys {
  newKeys: string[];
  changedKeys: string[];
  deletedKeys: string[];
}

/** Rows that changed and changed back have the same hash again: they do not differ. */
const differingSql = (pair: SnapshotPair, page: PageRequest<string>): string => {
  const [before, after] = pair.from <= pair.to ? ['older', 'newer'] : ['newer', 'older'];
  return `select row_key as key, older.first_seq as older_seq, newer.first_seq as newer_seq,
      case when ${before}.row_hash is null then 'new' when ${after}.row_hash is null then 'deleted' else 'changed'
      end as change_type
    from (
      select row_key, first_seq, row_hash from row_versions
      where record_no = :recordNo and generation = :generation
        and last_seq >= :older and last_seq < :newer and first_seq <= :older ${afterKey('row_key', page)}
    ) older
    full join (
      select row_key, first_seq, row_hash from row_versions
      where record_no = :recordNo and generation = :generation
        and first_seq > :older and first_seq <= :newer and (last_seq is null or last_seq >= :newer)
        ${afterKey('row_key', page)}
    ) newer using (row_key)
    where older.row_hash is distinct from newer.row_hash`;
};

const bindingsOf = ({ recordNo, generation, from, to }: SnapshotPair) => ({
  recordNo,
  generation,
  older: Math.min(from, to),
  newer: Math.max(from, to),
});

const ALL = { after: null, limit: 0 } as const;

/** How many rows differ, and the first keys of each kind, ascending in byte order. */
export async function compareSnapshots(
  db: Database,
  pair: SnapshotPair,
  keysLimit: number,
): Promise<{ counts: DeltaCounts; keys: ComparedKeys }> {
  const [row] = await rawRows<DeltaCounts & ComparedKeys>(
    db,
    `with differing as materialized (${differingSql(pair, ALL)})
     select ${CHANGE_TYPES.map((kind) => `${countSql(kind)} as "${kind}", ${keysSql(kind)} as "${kind}Keys"`).join(', ')}`,
    { ...bindingsOf(pair), keysLimit },
  );
  if (row === undefined) throw new Error('A count gave no row');
  const { newKeys, changedKeys, deletedKeys, ...counts } = row;
  return { counts, keys: { newKeys, changedKeys, deletedKeys } };
}

const countSql = (kind: ChangeType): string =>
  `(select count(*) from differing where change_type = '${kind}')`;

const keysSql = (kind: ChangeType): string =>
  `array(select key from differing where change_type = '${kind}' order by key limit :keysLimit)`;

/** Rows that differ, by key, ascending in byte order, one more than the limit; the data are read for these only. */
export function listComparedRows(
  db: Database,
  pair: SnapshotPair,
  changeType: ChangeType | null,
  page: PageRequest<string>,
): Promise<DeltaRow[]> {
  const [before, after] = pair.from <= pair.to ? ['older', 'newer'] : ['newer', 'older'];
  return rawRows<DeltaRow>(
    db,
    `select key, fits, change_type as "changeType", case when fits then before::text end as before,
       case when fits then after::text end as after
     from (
       select page.*, ${FITS} from (
         select key, change_type, ${before}.data as before, ${after}.data as after,
           coalesce(octet_length(${before}.data::text), 0) + coalesce(octet_length(${after}.data::text), 0) as weight
         from (
           select * from (${differingSql(pair, page)}) differing
           ${changeType === null ? '' : 'where change_type = :changeType'}
           order by key limit :limit
         ) chosen
         left join row_versions older on older.record_no = :recordNo and older.generation = :generation
           and older.row_key = chosen.key and older.first_seq = chosen.older_seq
         left join row_versions newer on newer.record_no = :recordNo and newer.generation = :generation
           and newer.row_key = chosen.key and newer.first_seq = chosen.newer_seq
       ) page
     ) weighed order by key`,
    { ...bindingsOf(pair), changeType, after: page.after, limit: page.limit + 1 },
  );
}
