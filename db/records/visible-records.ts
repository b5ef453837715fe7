// Which records a caller sees, in lists and in searches. A request that names one record finds it together with its credential
// (db/access/callers.ts).
import { isIdReference } from '../../core/ids.ts';
import type { RecordStatus } from '../../core/checks.ts';
import type { Principal } from '../../core/principal.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { lookUp } from '../driver/prepared.ts';
import type { PageRequest, SortOrder } from '../page.ts';
import { uuidOf } from '../unchanged-checks.ts';
import { recordsWithHeads, type RecordsQuery, scopeSql, type TrackedRecord } from './records.ts';

/** The records that a principal may see. */
export function visibleRecords(db: Database, principal: Principal): RecordsQuery {
  const recordId = principal.kind === 'account' ? null : principal.recordId;
  const { accountId } = principal;
  return recordsWithHeads(db).whereRaw(scopeSql(':accountId', ':recordId::text'), { accountId, recordId });
}

/** Finds a record by id or slug (or `self`, for a credential of one record), if this principal may see it. */
export async function findVisibleRecord(
  db: Database,
  principal: Principal,
  reference: string,
): Promise<TrackedRecord | undefined> {
  const visible = visibleRecords(db, principal);
  if (reference !== 'self')
    return visible.where(isIdReference(reference) ? 'records.id' : 'records.slug', reference).first();
  return principal.kind === 'account' ? undefined : visible.first();
}

/** The ids among these that are of no record of the account, in their order. */
export async function listUnknownRecords(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await rawRows<{ id: string }>(
    db,
    `select wanted.id from unnest(:ids::text[]) with ordinality as wanted (id, ordinal)
     where not exists (select from records where records.id = wanted.id and ${scopeSql(':accountId', 'null')})
     order by ordinal`,
    { ids: [...ids], accountId },
  );
  return rows.map(({ id }) => id);
}

/** Finds the record that an event belongs to, if the principal may see it. */
export async function findRecordOfEvent(
  db: Database,
  principal: Principal,
  eventId: string,
): Promise<TrackedRecord | undefined> {
  return visibleRecords(db, principal)
    .whereRaw(
      `records.id = (
        select record_id from delta_events where id = :eventId
        union all
        select record_id from unchanged_checks join record_heads using (record_no) where id = :digits::uuid)`,
      { eventId, digits: uuidOf('deltaEvent', eventId) },
    )
    .first();
}

/** A later check may have failed without the origin: one that read the stored body under other settings. */
const WAITS = '(heads.held_check_id is not null and not heads.is_held_accepted)';

/** The health of records by their latest checks. A record without a check has none. No two conditions hold at once. */
const HEALTH = {
  failing: `(heads.consecutive_failures > 0 or heads.last_outcome = 'failed' and not ${WAITS})`,
  held: `heads.consecutive_failures = 0 and (heads.last_outcome = 'held' or ${WAITS})`,
  healthy: `heads.consecutive_failures = 0 and heads.last_outcome in ('changed', 'unchanged') and not ${WAITS}`,
} as const;

/** The key of each order. Records with equal keys are sorted by id, which means by age. */
const SORT_KEYS = {
  created: 'null',
  // Sorts the same way in every database, whatever its locale.
  name: `lower(records.name) collate "C"`,
  health: `case when ${HEALTH.failing} then 2 when ${HEALTH.held} then 1 else 0 end`,
  lastChange: `coalesce(floor(extract(epoch from change.at) * 1000), 0)::double precision`,
} as const;

export type RecordSort = keyof typeof SORT_KEYS;

export const RECORD_SORTS = ['created', 'name', 'health', 'lastChange'] as const satisfies RecordSort[];

export type RecordHealth = keyof typeof HEALTH;

export const RECORD_HEALTH = ['failing', 'held', 'healthy'] as const satisfies RecordHealth[];

export interface RecordListing extends RecordSearch {
  sort: RecordSort;
  order: SortOrder;
  status: RecordStatus | null;
  health: RecordHealth | null;
}

export interface RecordSearch {
  /** A text in the name, slug or URL, case-insensitive; null for all records. */
  search: string | null;
  /** Labels that a record must have, all of them. */
  labels: readonly { name: string; value: string }[];
}

export type ListedRecord = TrackedRecord & { lastChangeAt: Date | null; sortKey: string | number | null };

/** The record after which a page begins: its sort key, unless the order is by age, and its id. */
export type RecordPosition = [sortKey: string | number, id: string] | [id: string];

export const positionOf = ({ sortKey, id }: ListedRecord): RecordPosition =>
  sortKey === null ? [id] : [sortKey, id];

/** A page of records: one more than the limit. */
export async function listVisibleRecords(
  db: Database,
  principal: Principal,
  { sort, order, status, health, ...search }: RecordListing,
  page: PageRequest<RecordPosition>,
): Promise<ListedRecord[]> {
  const key = SORT_KEYS[sort];
  const beyond = order === 'desc' ? '<' : '>';
  const query = visibleRecords(db, principal)
    .joinRaw(`left join lateral (${LAST_CHANGE('records.id')}) change on true`)
    .select<ListedRecord[]>(db.raw(`change.at as "lastChangeAt", ${key} as "sortKey"`));
  narrow(query, principal, search);
  if (status !== null) void query.where('records.status', status);
  if (health !== null) void query.whereRaw(HEALTH[health]);
  if (page.after?.length === 1) void query.where('records.id', beyond, page.after[0]);
  if (page.after?.length === 2) void query.whereRaw(`(${key}, records.id) ${beyond} (?, ?)`, page.after);
  if (sort !== 'created') void query.orderByRaw(`${key} ${order}`);
  return query.orderBy('records.id', order).limit(page.limit + 1);
}

export type RecordCounts = Record<RecordHealth | 'all' | 'paused', number>;

/** How many records match a search: all, paused ones, and the others by their health. */
export async function countVisibleRecords(
  db: Database,
  principal: Principal,
  search: RecordSearch,
): Promise<RecordCounts> {
  const counts = Object.entries(HEALTH).map(
    ([health, condition]) =>
      `count(*) filter (where records.status = 'active' and ${condition}) as ${health}`,
  );
  const query = visibleRecords(db, principal).clearSelect();
  narrow(query, principal, search);
  void query.select(
    db.raw(
      ['count(*) as "all"', `count(*) filter (where records.status = 'paused') as paused`, ...counts].join(
        ', ',
      ),
    ),
  );
  // One row of counts, whatever the query's type says about records.
  const [counted] = (await query) as unknown as [RecordCounts];
  return counted;
}

function narrow(
  query: Pick<RecordsQuery, 'whereRaw'>,
  principal: Principal,
  { search, labels }: RecordSearch,
): void {
  for (const label of labels) {
    void query.whereRaw(HAS_LABEL, { ...label, accountId: principal.accountId });
  }
  if (search !== null) {
    const texts = ['name', 'slug', 'url'].map(
      (column) => `strpos(lower(records.${column}), lower(:search)) > 0`,
    );
    void query.whereRaw(`(${texts.join(' or ')})`, { search });
  }
}

const HAS_LABEL = `records.id in (
  select record_id from record_labels where account_id = :accountId and name = :name and value = :value)`;

/** When the record last changed; null when no stored event changed anything. */
export async function findLastChange(db: Database, recordId: string): Promise<Date | null> {
  const [change] = await lookUp<{ at: Date }>(db, LAST_CHANGE('$1'), [recordId]);
  return change?.at ?? null;
}

const LAST_CHANGE = (recordId: string): string => `
  select detected_at as at from delta_events
  where record_id = ${recordId} and not is_no_change order by detected_at desc limit 1`;
