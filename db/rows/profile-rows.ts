// Profiles the columns of a snapshot: exactly for a snapshot of usual size, otherwise from a sample of its rows.
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { isNumberSql } from './row-filters.ts';
import { type SnapshotRef, IN_SNAPSHOT } from './snapshots.ts';

/** How many distinct values of a column are of each kind. */
interface KindCounts {
  integers: number;
  numbers: number;
  booleans: number;
  dates: number;
  texts: number;
}

export interface ColumnProfile extends KindCounts {
  column: string;
  /** The number of rows in which it is neither missing nor null nor empty. */
  filled: number;
  distinct: number;
  /** The extremes of the plain numbers among the values, and of all values as texts; null when there are none. */
  minimumNumber: string | null;
  maximumNumber: string | null;
  minimumText: string | null;
  maximumText: string | null;
  /** The most frequent values; long ones are cut. */
  samples: string[];
}

export interface Profile {
  rows: number;
  columns: ColumnProfile[];
}

const MAX_ROWS = 100_000;
const MAX_VALUES = 1_000_000;
const MAX_BYTES = 64 * 1024 * 1024;
const SAMPLES = 5;
const SAMPLE_LENGTH = 200;

/** The fraction of a snapshot's rows that is read, from 0 to 1. */
export function sampledPart(snapshot: {
  totalRows: number;
  bytes: number;
  columns: readonly string[];
}): number {
  const { totalRows, bytes, columns } = snapshot;
  const values = totalRows * Math.max(1, columns.length);
  return Math.min(
    1,
    MAX_ROWS / Math.max(1, totalRows),
    MAX_VALUES / Math.max(1, values),
    MAX_BYTES / Math.max(1, bytes),
  );
}

/** The upper limit of the hashes in a sample. A row's hash serves as a random number that never changes. */
export function sampleEdge(part: number): Buffer {
  const edge = Buffer.alloc(6);
  edge.writeUIntBE(Math.min(2 ** 48 - 1, Math.floor(part * 2 ** 48)), 0, 6);
  return edge;
}

const DATE = `'^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([T ][0-9]{2}[:][0-9]{2}([:][0-9]{2}([.][0-9]+){0,1}){0,1}(Z|[-+][0-9]{2}[:]{0,1}[0-9]{2}){0,1}){0,1}$'`;

const KIND = `case when ${isNumberSql('value')} then case when value ~ '^-{0,1}[0-9]+$' then 'integer' else 'number' end
  when length(value) > 40 then 'text' when lower(value) in ('true', 'false') then 'boolean'
  when value ~ ${DATE} then 'date' else 'text' end`;

/**
 * Profiles of some columns, unordered. Columns that are never filled are left out.
 * @param part the fraction of the rows to read, from sampledPart
 */
export async function profileRows(
  db: Database,
  snapshot: SnapshotRef,
  columns: readonly string[],
  part: number,
): Promise<Profile> {
  const rows = await rawRows<ColumnProfile & { rows: number }>(db, profileSql(part < 1), {
    ...snapshot,
    columns: [...columns],
    edge: sampleEdge(part) as Knex.Value,
  });
  return { rows: rows[0]?.rows ?? 0, columns: rows.filter(({ column }) => column !== null) };
}

const profileSql = (isSampled: boolean): string =>
  `with looked_at as materialized (
     select data from row_versions where ${IN_SNAPSHOT} ${isSampled ? 'and row_hash < :edge' : ''}
   ), cells as (
     select name, value, count(*) as times
     from looked_at cross join lateral json_each_text(data) as cell (name, value)
     where value <> '' and name = any(:columns::text[]) group by name, value
   ), kinds as materialized (
     select *, ${KIND} as kind from cells
   ), numbered as (
     select *, case when kind in ('integer', 'number') then value::numeric end as number,
       row_number() over (partition by name order by times desc, value collate "C") as rank
     from kinds
   ), columns as (
     select name as "column", sum(times)::bigint as filled, count(*) as distinct,
       count(*) filter (where kind = 'integer') as integers, count(*) filter (where kind = 'number') as numbers,
       count(*) filter (where kind = 'boolean') as booleans, count(*) filter (where kind = 'date') as dates,
       count(*) filter (where kind = 'text') as texts,
       min(number)::text as "minimumNumber", max(number)::text as "maximumNumber",
       left(min(value collate "C"), ${SAMPLE_LENGTH}) as "minimumText",
       left(max(value collate "C"), ${SAMPLE_LENGTH}) as "maximumText",
       array_agg(left(value, ${SAMPLE_LENGTH})) filter (where rank <= ${SAMPLES}) as samples
     from numbered group by name
   )
   select columns.*, looked_at.count as rows from (select count(*) from looked_at) looked_at
   left join columns on true`;
