// A sample of a snapshot's rows, picked by their hashes, which serve as random numbers that never change.
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { sampleEdge } from './profile-rows.ts';
import { type RowSelection, selectionSql } from './row-filters.ts';
import { type SnapshotRef, IN_SNAPSHOT, type StoredRow } from './snapshots.ts';
import { fitsBy } from '../page.ts';

export interface RowSample {
  selection: RowSelection;
  keyFields: readonly string[];
  /** The sample takes one row of each value of this column before it takes a second; null to treat all rows alike. */
  stratifyBy: string | null;
  limit: number;
  /** The fraction of the rows to read, from 0 to 1, from sampledPart. */
  part: number;
}

/** Rows by row key. The same snapshot always gives the same rows. @param sample its columns exist */
export function sampleSnapshotRows(
  db: Database,
  snapshot: SnapshotRef,
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
  const rank = isStratified
    ? 'row_number() over (partition by data ->> :stratum::text order by row_hash, row_key)'
    : '1';
  return `select key, fits, case when fits then data::text else '' end as data from (
      select key, data, ${fitsBy('key')} from (
        select key, data, octet_length(data::text) as weight from (
          select row_key as key, row_hash, data, ${rank} as rank from row_versions
          where ${IN_SNAPSHOT} ${isPart ? 'and row_hash < :edge' : ''} ${condition}
        ) candidates order by rank, row_hash, key limit :limit
      ) chosen
    ) weighed order by key`;
}
