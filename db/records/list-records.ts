// Records in the orders that people look for them in, each with the time of its last change.
import type { Principal } from '../../core/principal.ts';
import type { RecordStatus } from '../../core/checks.ts';
import type { Database } from '../driver/knex.ts';
import { lookUp } from '../driver/prepared.ts';
import { type TrackedRecord, visibleRecords } from './records.ts';
import type { PageRequest, SortOrder } from '../page.ts';

/** What each order goes by; equal ones go by their ids, which is by their age. */
const SORT_KEYS = {
  created: 'null',
  // The same in every database, whatever its language.
  name: `lower(records.name) collate "C"`,
  health: `case when heads.consecutive_failures > 0 then 2 when heads.last_outcome = 'held' then 1 else 0 end`,
  lastChange: `coalesce(floor(extract(epoch from change.at) * 1000), 0)::double precision`,
} as const;

export type RecordSort = keyof typeof SORT_KEYS;

export const RECORD_SORTS = ['created', 'name', 'health', 'lastChange'] as const satisfies RecordSort[];

export interface RecordListing {
  sort: RecordSort;
  order: SortOrder;
  /** In name, slug or URL, in whatever case; null for all. */
  search: string | null;
  status: RecordStatus | null;
  /** Only those whose latest checks failed. */
  isFailing: boolean;
}

export type ListedRecord = TrackedRecord & { lastChangeAt: Date | null; sortKey: string | number | null };

/** After whom a page begins: what the order goes by, unless it goes by age, and the id. */
export type RecordPosition = [sortKey: string | number, id: string] | [id: string];

export const positionOf = ({ sortKey, id }: ListedRecord): RecordPosition =>
  sortKey === null ? [id] : [sortKey, id];

/** A page; one more than the limit. */
export async function listVisibleRecords(
  db: Database,
  principal: Principal,
  { sort, order, search, status, isFailing }: RecordListing,
  page: PageRequest<RecordPosition>,
): Promise<ListedRecord[]> {
  const key = SORT_KEYS[sort];
  const beyond = order === 'desc' ? '<' : '>';
  const query = visibleRecords(db, principal)
    .joinRaw(`left join lateral (${LAST_CHANGE('records.id')}) change on true`)
    .select<ListedRecord[]>(db.raw(`change.at as "lastChangeAt", ${key} as "sortKey"`));
  if (status !== null) void query.where('records.status', status);
  if (isFailing) void query.where('heads.consecutive_failures', '>', 0);
  if (search !== null) {
    const texts = ['name', 'slug', 'url'].map(
      (column) => `strpos(lower(records.${column}), lower(:search)) > 0`,
    );
    void query.whereRaw(`(${texts.join(' or ')})`, { search });
  }
  if (page.after?.length === 1) void query.where('records.id', beyond, page.after[0]);
  if (page.after?.length === 2) void query.whereRaw(`(${key}, records.id) ${beyond} (?, ?)`, page.after);
  if (sort !== 'created') void query.orderByRaw(`${key} ${order}`);
  return query.orderBy('records.id', order).limit(page.limit + 1);
}

/** Null when no event that is kept changed anything. */
export async function findLastChange(db: Database, recordId: string): Promise<Date | null> {
  const [change] = await lookUp<{ at: Date }>(db, LAST_CHANGE('$1'), [recordId]);
  return change?.at ?? null;
}

const LAST_CHANGE = (recordId: string): string => `
  select detected_at as at from delta_events
  where record_id = ${recordId} and not is_no_change order by detected_at desc limit 1`;
