// A few rows that stand for a snapshot: picked by their hashes, which are as good as random and stay the same.
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { sampleEdge } from './profile-rows.ts';
import { type RowSelection, selectionSql } from './row-filters.ts';
import { type SnapshotPlace, STOOD, type StoredRow } from './snapshots.ts';
import { fitsBy } from '../page.ts';

export interface RowSample {
  selection: RowSelection;
  keyFields: readonly string[];
  /** A column: each of its values gets a row before any gets two; null: all rows alike. */
  stratifyBy: string | null;
  limit: number;
  /** Of the rows that are looked at, from 0 to 1: as sampledPart gives it. */
  part: number;
}

/** By row key. The same rows each time, unless the snapshot is another. @param sample its columns exist */
export function sampleSnapshotRows(
  db: Database,
  snapshot: SnapshotPlace,
  sample: RowSample,
): Promise<StoredRow[]> {
  const { selection, keyFields, stratifyBy, limit, part } = sample;
  const { sql, bindings } = selectionSql(selection, keyFields);
  const isPart = part < 1;
  return rawRows<StoredRow>(db, sampleSql(sql, isPart, stratifyBy !== null), {
    ...bindings,
    ...snapshot,
    limit,
    ...(isPart ? { edge: sampleEdge(part) as Knex.Value } : {}),
    ...(stratifyBy === null ? {} : { stratum: stratifyBy }),
  });
}

function sampleSql(condition: string, isPart: boolean, isStratified: boolean): string {
  const place = isStratified
    ? 'row_number() over (partition by data ->> :stratum::text order by row_hash, row_key)'
    : '1';
  return `select key, fits, case when fits then data::text else '' end as data from (
      select key, data, ${fitsBy('key')} from (
        select key, data, octet_length(data::text) as weight from (
          select row_key as key, row_hash, data, ${place} as place from row_versions
          where ${STOOD} ${isPart ? 'and row_hash < :edge' : ''} ${condition}
        ) candidates order by place, row_hash, key limit :limit
      ) chosen
    ) weighed order by key`;
}
