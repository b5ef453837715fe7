// The history of one row through all versions of a record's data: when it was added, changed, deleted and added again.
import { isKeyedBy } from '../../core/delta/replay-events.ts';
import type { DeltaRow } from './delta-rows.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { fitsBy, type PageRequest, type SortOrder } from '../page.ts';

export interface RowHistoryEntry extends DeltaRow {
  /** The sequence of the snapshot in which the row was added, changed or deleted. */
  sequence: number;
  snapshotId: string;
  deltaEventId: string;
  detectedAt: Date;
}

export interface RowRef {
  recordId: string;
  recordNo: number;
  generation: number;
  key: string;
}

/** A row in the generations that its history covers. */
export type FollowedRow = Omit<RowRef, 'generation'> & { generations: readonly number[] };

/** The condition for versions of a row in a generation. The bindings are those of a FollowedRow. */
const ofRow = (generation: string): string =>
  `record_no = :recordNo and generation = ${generation} and row_key = :key collate "C"`;

/**
 * Entries by snapshot: one more than the limit. A row that was paired with one of another key has the change in its history,
 * and so has the other. A version of the row makes an entry where it begins, and another where it
 * ends if no version follows directly. The event that begins a generation makes none: it compares nothing. Entries
 * whose event is no longer stored are left out.
 */
export function listRowHistory(
  db: Database,
  row: FollowedRow,
  order: SortOrder,
  page: PageRequest<number>,
): Promise<RowHistoryEntry[]> {
  return rawRows<RowHistoryEntry>(
    db,
    `select key, fits, "changeType", "previousKey", sequence, "snapshotId", "deltaEventId", "detectedAt",
       case when fits then before::text end as before, case when fits then after::text end as after
     from (
       select page.*, ${fitsBy(`sequence ${order}`)} from (
         select entries.*, snapshots.id as "snapshotId", events.id as "deltaEventId", events.detected_at as "detectedAt",
           coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) as weight
         from (${versionsSql(order, page)}) versions
         cross join lateral (${ENTRIES}) entries
         join snapshots on snapshots.record_id = :recordId and snapshots.sequence = entries.sequence
         join delta_events events on events.record_id = :recordId and events.detected_at = snapshots.created_at
           and not events.rekeyed
         where ${inPage('entries.sequence', order, page)}
         order by entries.sequence ${order} limit :limit
       ) page
     ) weighed order by sequence ${order}`,
    { ...row, generations: [...row.generations], after: page.after, limit: page.limit + 1 },
  );
}

/**
 * The versions that make the page's entries. Up to two of each generation make none: its first one, and one that began before
 * the page and may end in it. So a page needs few more versions than entries, and walks the primary key.
 */
function versionsSql(order: SortOrder, page: PageRequest<number>): string {
  const begins = order === 'desc' ? inPage('first_seq', order, page) : atOrAfterSql(page);
  return `select versions.* from unnest(:generations::integer[]) followed (number)
    cross join lateral (
      select generation, first_seq, last_seq, data, previous_key from row_versions
      where ${ofRow('followed.number')} and ${begins} order by first_seq ${order} limit :limit + 2
    ) versions
    order by first_seq ${order} limit :limit + 2 * cardinality(:generations::integer[])`;
}

const atOrAfterSql = ({ after }: PageRequest<number>): string =>
  after === null
    ? 'true'
    : `first_seq >= coalesce((
        select max(first_seq) from row_versions where ${ofRow('followed.number')} and first_seq <= :after), 0)`;

const inPage = (sequence: string, order: SortOrder, { after }: PageRequest<number>): string =>
  after === null ? 'true' : `${sequence} ${order === 'desc' ? '<' : '>'} :after`;

const ENTRIES = `
  select :key::text as key, versions.first_seq as sequence, previous.data as before, versions.data as after,
    case when previous.data is null then 'new' else 'changed' end as "changeType", versions.previous_key as "previousKey"
  from (select) as one left join lateral (
    select last_seq, data from row_versions where record_no = :recordNo and generation = versions.generation
      and row_key = coalesce(versions.previous_key, :key) collate "C" and first_seq < versions.first_seq
    order by first_seq desc limit 1
  ) previous on previous.last_seq = versions.first_seq - 1
  union all
  select coalesce(next.row_key, :key::text), versions.last_seq + 1, versions.data, next.data,
    case when next.row_key is null then 'deleted' else 'changed' end,
    case when next.row_key is not null then :key::text end
  from (select) as one left join lateral (
    select row_key, data from row_versions where record_no = :recordNo and generation = versions.generation
      and first_seq = versions.last_seq + 1 and previous_key = :key collate "C"
  ) next on true
  where versions.last_seq is not null
    and not exists (select from row_versions where ${ofRow('versions.generation')} and first_seq = versions.last_seq + 1)`;

/** The sequence of the first row version of a generation. A generation may begin without rows, and then has snapshots before. */
const FIRST_VERSION = `(
  select first_seq from row_versions
  where record_no = :recordNo and generation = each.generation order by first_seq limit 1)`;

/** The snapshot before a generation. Walks back from the generation's first rows. */
const LAST_BEFORE = `(
  select earlier.sequence from snapshots earlier
  where earlier.record_id = :recordId and earlier.generation < each.generation
    and earlier.sequence < coalesce(${FIRST_VERSION}, 2147483647)
  order by earlier.sequence desc limit 1)`;

/** Whether a generation began with a new body that was compared with nothing, instead of a new reading of the same body. */
const STARTED_OVER = `exists (
  select from snapshots
  join delta_events events on events.record_id = :recordId and events.detected_at = snapshots.created_at
  join checks on checks.id = events.check_id
  where snapshots.record_id = :recordId and snapshots.sequence = coalesce(${LAST_BEFORE} + 1, ${FIRST_VERSION})
    and events.rekeyed and checks.trigger <> 'settings')`;

interface GenerationOfRow {
  generation: number;
  isStartedOver: boolean;
  hasRow: boolean;
  /** The key of one row, of this row if the generation has it; null if the generation has no rows. */
  sampleKey: string | null;
  /** The present key fields of that row, as JSON object text; null if the record has no key. */
  sampleCells: string | null;
}

/**
 * Finds the generations that the history of a row covers: those since the key fields changed or the record started over.
 * @returns undefined when no stored generation has a row with this key
 */
export async function followRow(
  db: Database,
  ref: RowRef,
  keyFields: readonly string[],
): Promise<FollowedRow | undefined> {
  const { generation: present, ...row } = ref;
  const stored = await generationsOfRow(db, ref, keyFields);
  if (!stored.some(({ hasRow }) => hasRow)) return undefined;
  const generations: number[] = [];
  for (const each of stored) {
    // A generation with another key hides what happened to the row, so what came before does not join what came after.
    if (each.generation !== present && hasOtherKey(keyFields, each)) break;
    if (each.hasRow) generations.push(each.generation);
    if (each.isStartedOver) break;
  }
  return { ...row, generations };
}

/** A row without key fields is keyed by the hash of its content. */
function hasOtherKey(keyFields: readonly string[], { sampleKey, sampleCells }: GenerationOfRow): boolean {
  if (sampleKey === null) return false;
  if (keyFields.length === 0) return !sampleKey.startsWith('sha256:');
  return !isKeyedBy(keyFields, { key: sampleKey, before: null, after: sampleCells });
}

/** All generations of a record, latest first. */
const generationsOfRow = (
  db: Database,
  row: RowRef,
  keyFields: readonly string[],
): Promise<GenerationOfRow[]> =>
  rawRows<GenerationOfRow>(
    db,
    `select each.generation, ${STARTED_OVER} as "isStartedOver", version.data is not null as "hasRow",
       coalesce(version.row_key, other.row_key) as "sampleKey", (
         select json_object_agg(name, coalesce(version.data, other.data) -> name) from unnest(:keyFields::text[]) name
       )::text as "sampleCells"
     from generate_series(:generation::integer, 1, -1) as each (generation)
     left join lateral (${oneVersion('row_key = :key collate "C"')}) version on true
     left join lateral (${oneVersion('version.data is null')}) other on true
     order by each.generation desc`,
    { ...row, keyFields: [...keyFields] },
  );

const oneVersion = (condition: string): string => `
  select row_key, data from row_versions
  where record_no = :recordNo and row_versions.generation = each.generation and ${condition} limit 1`;
