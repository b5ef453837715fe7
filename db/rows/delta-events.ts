// Delta events: what each check found, as counts and the first keys of each kind. Those of most unchanged checks are made of
// short rows (db/unchanged-checks.ts).
import type { ChangedColumn, DeliveredEvent, PreviousKeys } from '../../core/delivery-payload.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { lookUp, preparedPage } from '../driver/prepared.ts';
import { fitsBy, type PageRequest, type SortOrder } from '../page.ts';
import {
  firstEventNumberSql,
  orderedShortRowsSql,
  shortEventsSql,
  shortRowsSql,
  uuidOf,
} from '../unchanged-checks.ts';

/** How many keys of each kind db/commit/write-check.ts stores. */
export const MAX_STORED_KEYS = 100;

export interface DeltaEventRow {
  id: string;
  recordId: string;
  number: number;
  snapshotId: string;
  previousSnapshotId: string | null;
  generation: number;
  sequence: number;
  detectedAt: Date;
  isNoChange: boolean;
  newCount: number;
  changedCount: number;
  deletedCount: number;
  unchangedCount: number;
  totalCount: number;
  newKeys: string[];
  changedKeys: string[];
  deletedKeys: string[];
  /** Of pairs of similar rows; null where no row was paired. */
  previousKeys: PreviousKeys | null;
  /** Null where nothing was counted: no row changed, or the event is from before columns were counted. */
  changedColumns: readonly ChangedColumn[] | null;
  schemaChange: unknown;
  rekeyed: boolean;
}

export interface DeltaFilter {
  changesOnly: boolean;
  /** Only events after this number or this time, both exclusive. */
  sinceNumber?: number;
  sinceTime?: Date;
  /** Only events up to this number or this time, both inclusive. */
  untilNumber?: number;
  untilTime?: Date;
}

export async function findLatestDeltaEvent(
  db: Database,
  recordId: string,
): Promise<DeltaEventRow | undefined> {
  const [event] = await lookUp<DeltaEventRow>(db, LATEST, [recordId]);
  return event;
}

export async function findDeltaEvent(
  db: Database,
  recordId: string,
  id: string,
): Promise<DeltaEventRow | undefined> {
  const [event] = await rawRows<DeltaEventRow>(db, BY_ID, { recordId, id, digits: uuidOf('deltaEvent', id) });
  return event;
}

/** An event in a list. Past the size limit of a page, it comes without its large columns. */
export type ListedEvent = DeltaEventRow & { fits: boolean };

/** The small columns: a few bytes each. */
const LIGHT = [
  'id',
  'record_id as "recordId"',
  'number',
  'snapshot_id as "snapshotId"',
  'previous_snapshot_id as "previousSnapshotId"',
  'generation',
  'sequence',
  'detected_at as "detectedAt"',
  'is_no_change as "isNoChange"',
  'new_count as "newCount"',
  'changed_count as "changedCount"',
  'deleted_count as "deletedCount"',
  'unchanged_count as "unchangedCount"',
  'total_count as "totalCount"',
  'rekeyed',
].join(', ');

/** The large columns: keys of up to 1,024 bytes, and the names of columns, of which there may be 1,000. */
const HEAVY = {
  new_keys: 'newKeys',
  changed_keys: 'changedKeys',
  deleted_keys: 'deletedKeys',
  previous_keys: 'previousKeys',
  changed_columns: 'changedColumns',
  schema_change: 'schemaChange',
} as const;

const PLAIN = LIGHT.replaceAll(/ as "\w+"/g, '');

const heavy = (write: (column: string) => string): string =>
  Object.entries(HEAVY)
    .map(([column, name]) => `${write(column)} as "${name}"`)
    .join(', ');

const WHOLE = `${LIGHT}, ${heavy((column) => column)}`;
const COLUMNS = `${PLAIN}, ${Object.keys(HEAVY).join(', ')}`;

const BY_ID = `
  select ${WHOLE} from (
    select ${COLUMNS} from delta_events where record_id = :recordId and id = :id
    union all
    select ${COLUMNS} from (${shortEventsSql(shortRowsSql(':recordId', 'id = :digits::uuid'), ':recordId')}) short
  ) found`;

const LATEST = `
  select ${WHOLE} from (
    (select ${COLUMNS} from delta_events where record_id = $1 order by number desc limit 1)
    union all
    (select ${COLUMNS} from (${shortEventsSql(orderedShortRowsSql('$1', 'true', 'desc', '1'), '$1')}) short)
  ) ends order by number desc limit 1`;

/** The size as it is sent. The stored column may be compressed; the result of an operator is not. */
const weightOf = (column: string): string => `pg_column_size(${column} || '{}'::text[])`;

const WEIGHT = `${weightOf('new_keys')} + ${weightOf('changed_keys')} + ${weightOf('deleted_keys')}
  + coalesce(octet_length(previous_keys::text), 0) + coalesce(octet_length(changed_columns::text), 0) + coalesce(octet_length(schema_change::text), 0) as weight`;

/**
 * A page of events by number: one more than the limit.
 * @param keysLimit the number of keys of each kind, at most the 100 that are stored
 */
export function listDeltaEvents(
  db: Database,
  recordId: string,
  filter: DeltaFilter,
  order: SortOrder,
  page: PageRequest<number>,
  keysLimit: number = MAX_STORED_KEYS,
): Promise<ListedEvent[]> {
  const values: unknown[] = [recordId, page.limit + 1];
  const cut = keysLimit < MAX_STORED_KEYS ? `[1:$${values.push(keysLimit)}]` : '';
  const conditions = filter.changesOnly ? ['not is_no_change'] : [];
  const shortConditions: string[] = [];
  const add = (
    value: number | Date | null | undefined,
    condition: (value: string) => string,
    ofShortRows: (value: string) => string,
  ): void => {
    if (value === null || value === undefined) return;
    const parameter = `$${values.push(value)}`;
    conditions.push(condition(parameter));
    shortConditions.push(ofShortRows(parameter));
  };
  const byNumber = (operator: string) => (number: string) => `event_number ${operator} ${number}::integer`;
  /** A moment as an edge between event numbers. */
  const byTime = (operator: string) => (time: string) =>
    `event_number ${operator} ${firstEventNumberSql('$1', `finished_at > ${time}`)}`;
  const beyond = order === 'desc' ? '<' : '>';
  add(filter.sinceNumber, (number) => `number > ${number}`, byNumber('>'));
  add(filter.sinceTime, (time) => `detected_at > ${time}`, byTime('>='));
  add(filter.untilNumber, (number) => `number <= ${number}`, byNumber('<='));
  add(filter.untilTime, (time) => `number <= (${lastNumberSql(time)})`, byTime('<'));
  add(page.after, (number) => `number ${beyond} ${number}`, byNumber(beyond));
  const found = foundSql(
    ['record_id = $1', ...conditions].join(' and '),
    filter.changesOnly ? null : ['true', ...shortConditions].join(' and '),
    order,
  );
  return preparedPage<ListedEvent>(db, pageSql(found, order, cut), values);
}

/** The last number up to a time, found by an index on time, so that a page does not walk past all newer events. */
const lastNumberSql = (time: string): string => `
  select number from delta_events where record_id = $1 and detected_at <= ${time}
  order by detected_at desc, number desc limit 1`;

/** @param shortCondition SQL on short rows; null for events with changes, which have no short rows */
function foundSql(condition: string, shortCondition: string | null, order: SortOrder): string {
  const events = `select ${COLUMNS} from delta_events where ${condition} order by number ${order} limit $2`;
  if (shortCondition === null) return events;
  const short = shortEventsSql(orderedShortRowsSql('$1', shortCondition, order, '$2'), '$1');
  return `select * from ((${events}) union all (select ${COLUMNS} from (${short}) short)) both_kinds
    order by number ${order} limit $2`;
}

/** @param cut SQL of the array slice of each list of keys; empty for whole lists */
const pageSql = (found: string, order: SortOrder, cut: string): string => `
  select ${LIGHT}, fits, ${heavy((column) => `case when fits then ${column} end`)} from (
    select *, ${fitsBy(`number ${order}`)} from (
      select *, ${WEIGHT} from (
        select ${PLAIN}, new_keys${cut} as new_keys, changed_keys${cut} as changed_keys,
          deleted_keys${cut} as deleted_keys, previous_keys, changed_columns, schema_change
        from (${found}) found
      ) chosen
    ) page
  ) fitting order by number ${order}`;

/** The columns of a DeliveredEvent. */
export const DELIVERED_EVENT = `id as "deltaEventId", snapshot_id as "snapshotId", detected_at as "detectedAt",
  new_count as "newCount", changed_count as "changedCount", deleted_count as "deletedCount",
  unchanged_count as "unchangedCount", total_count as "totalCount",
  new_keys as "newKeys", changed_keys as "changedKeys", deleted_keys as "deletedKeys",
  previous_keys as "previousKeys", changed_columns as "changedColumns"`;

/** The delta events of deliveries, by id. */
export async function readDeliveredEvents(
  db: Database,
  deliveries: readonly { deltaEventId: string | null }[],
): Promise<ReadonlyMap<string, DeliveredEvent>> {
  const ids = new Set(deliveries.flatMap(({ deltaEventId }) => deltaEventId ?? []));
  if (ids.size === 0) return new Map();
  const events = await preparedPage<DeliveredEvent>(
    db,
    `select ${DELIVERED_EVENT} from delta_events where id = any($1::text[])`,
    [[...ids]],
  );
  return new Map(events.map((event) => [event.deltaEventId, event]));
}
