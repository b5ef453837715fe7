// Reads the feed of an account: the events of its records, at positions in the order of their commits. A reader that sees a
// position sees every earlier one, so it misses none when it continues after the last. Triggers write the feed
// (db/migrations/0045-feeds.ts); db/webhooks/quiet-records.ts writes `record.quiet`.
import type { ChangedColumn, PreviousKeys } from '../../core/delivery-payload.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { preparedPage } from '../driver/prepared.ts';
import { fitsBy } from '../page.ts';
import { scopeSql } from '../records/records.ts';

export const FEED_EVENT_TYPES = [
  'delta',
  'check.failed',
  'check.recovered',
  'check.held',
  'record.quiet',
] as const;

type FeedEventType = (typeof FEED_EVENT_TYPES)[number];

export interface Feed {
  /** Of the latest event; 0 before the first. */
  position: number;
  /** Of the last event that retention has deleted. */
  keptAfter: number;
  /** Differs between feeds. */
  tag: string;
}

/** How far a reader of a feed has come. */
export interface FeedPosition {
  /** Every event up to it was looked at. */
  position: number;
  /**
   * When the event at this position was written, in microseconds, or null. A restored backup reuses positions but not these
   * times, so a stale cursor is detected.
   */
  mark: number | null;
}

export interface FeedSelection {
  accountId: string;
  /** The only record that the credential reaches; null for all of the account. */
  reach: string | null;
  recordId: string | null;
  types: readonly FeedEventType[] | null;
  /** Labels that the record of an event must have now. */
  labels: readonly { name: string; value: string }[];
}

export interface FeedEventRow {
  position: number;
  type: FeedEventType;
  happenedAt: Date;
  /** What was written for this type. */
  data: unknown;
  deltaEventId: string | null;
  recordId: string;
  recordSlug: string;
  recordName: string;
  labels: Record<string, string>;
  /** Null when it is no delta event, or retention has deleted that. */
  newKeys: string[] | null;
  changedKeys: string[] | null;
  deletedKeys: string[] | null;
  /**
   * Maps the key of each row among the changed keys that was paired by similarity to its previous key. Null if no row was
   * paired.
   */
  previousKeys: PreviousKeys | null;
  /** Null also for an event from before columns were counted. */
  changedColumns: readonly ChangedColumn[] | null;
  mark: number;
  /** False for the first event that exceeds the page, and those after it. */
  fits: boolean;
}

export interface FeedPage {
  feed: Feed;
  events: FeedEventRow[];
  /** Where to continue. */
  end: FeedPosition;
  /** The mark of the event after which the page begins; null if there is none. */
  beginMark: number | null;
  /** Whether there may be more by now. */
  hasMore: boolean;
}

/** How many positions a page looks at, however few of them are selected. */
const WINDOW = 10_000;

/** The time at which the event was written, in microseconds. */
const MARK = '(extract(epoch from added_at) * 1000000)::bigint';

const markAt = (position: string): string => `(
  select ${MARK} from feed_events there where there.account_id = feeds.account_id and there.position = ${position})`;

/** The feed without its events, and its end; undefined when the account was erased. */
export async function findFeed(db: Database, accountId: string): Promise<(Feed & FeedPosition) | undefined> {
  const [feed] = await rawRows<Feed & FeedPosition>(
    db,
    `select position, kept_after as "keptAfter", tag, ${markAt('feeds.position')} as mark
     from feeds where account_id = ?`,
    [accountId],
  );
  return feed;
}

/**
 * Reads the events after a position, in their order; from the oldest kept one by default.
 * @returns undefined when the account was erased
 */
export async function readFeed(
  db: Database,
  selection: FeedSelection,
  after: number | null,
  { limit, maxBytes }: { limit: number; maxBytes: number },
): Promise<FeedPage | undefined> {
  const { accountId, reach, recordId, types, labels } = selection;
  const only = recordId ?? reach;
  const rows = await preparedPage<FeedRow>(db, only === null ? OF_ACCOUNT : OF_RECORD, [
    accountId,
    after,
    limit + 1,
    maxBytes,
    reach,
    types,
    containedLabels(labels),
    ...(only === null ? [] : [only]),
  ]);
  const [first] = rows;
  if (first === undefined) return undefined;
  const { position, keptAfter, tag, beginMark, endPosition, endMark } = first;
  const found = rows.flatMap(({ at, ...event }) => (at === null ? [] : [{ ...event, position: at }]));
  const tooMuchAt = found.findIndex(({ fits }) => !fits);
  const events = found.slice(0, tooMuchAt === -1 ? limit : Math.min(limit, tooMuchAt));
  const last = events.at(-1);
  const isCut = found.length > events.length && last !== undefined;
  const end = isCut ? last : { position: endPosition, mark: endMark };
  return { feed: { position, keptAfter, tag }, events, end, beginMark, hasMore: end.position < position };
}

/** Each as an object that the record's labels contain. */
const containedLabels = (labels: FeedSelection['labels']): string[] =>
  labels.map(({ name, value }) => JSON.stringify({ [name]: value }));

/** The members of the feed are the same in every row. */
interface FeedRow extends Feed, Omit<FeedEventRow, 'position'> {
  beginMark: number | null;
  endPosition: number;
  endMark: number | null;
  /** Null in the only row of a page without events. */
  at: number | null;
}

const FIRST = 'greatest($2::bigint, feeds.kept_after)';

/** The size of lists of keys as they are sent. The stored columns may be compressed; the result of an operator is not. */
const WEIGHT = `coalesce(pg_column_size(events.new_keys || '{}'::text[]) + pg_column_size(events.changed_keys || '{}'::text[])
  + pg_column_size(events.deleted_keys || '{}'::text[]), 0) + coalesce(octet_length(events.previous_keys::text), 0)
  + coalesce(octet_length(events.changed_columns::text), 0) + pg_column_size(listed.labels) + 1000`;

/** @param condition SQL condition on the events to look at @param end SQL of the last position to look at */
const pageSql = (condition: string, end: string): string => `
  select feeds.position, feeds.kept_after as "keptAfter", feeds.tag, ${markAt('$2')} as "beginMark",
    ${end} as "endPosition", ${markAt(end)} as "endMark", found.position as at, mark, type,
    happened_at as "happenedAt", data, delta_event_id as "deltaEventId", record_id as "recordId",
    record_slug as "recordSlug", record_name as "recordName", labels, fits,
    case when fits then new_keys end as "newKeys", case when fits then changed_keys end as "changedKeys",
    case when fits then deleted_keys end as "deletedKeys",
    case when fits then previous_keys end as "previousKeys",
    case when fits then changed_columns end as "changedColumns"
  from feeds left join lateral (
    select *, ${fitsBy('position', '$4::bigint')} from (
      select listed.*, events.new_keys, events.changed_keys, events.deleted_keys, events.previous_keys,
        events.changed_columns, ${WEIGHT} as weight
      from (
        select feed_events.position, ${MARK} as mark, type, happened_at, data, delta_event_id, record_id, slug as record_slug,
          name as record_name, labels
        from feed_events join records on records.id = feed_events.record_id
        where ${condition} and feed_events.position > ${FIRST} and feed_events.position <= ${end}
          and ${scopeSql('feeds.account_id', '$5::text')}
          and ($6::text[] is null or type = any($6))
          and records.labels @> all($7::jsonb[])
        order by feed_events.position limit $3
      ) listed
      left join delta_events events on events.id = listed.delta_event_id
    ) weighed
  ) found on true
  where feeds.account_id = $1 order by found.position`;

const OF_ACCOUNT = pageSql(
  'feed_events.account_id = feeds.account_id',
  `least(feeds.position, ${FIRST} + ${WINDOW})`,
);

const OF_RECORD = pageSql('feed_events.record_id = $8', 'feeds.position');

/** What the triggers write for a delta event. */
export interface DeltaData {
  snapshotId: string;
  newCount: number;
  changedCount: number;
  deletedCount: number;
  unchangedCount: number;
  totalCount: number;
}

/** And for checks. The times have the form of PostgreSQL. */
export interface CheckData {
  checkId: string;
  failingSince?: string;
  error?: { code: string; detail: string };
}

/** And for `record.quiet`. The times are ISO 8601. */
export interface QuietData {
  snapshotId: string;
  unchangedSince: string;
  checkedAt: string;
  quietHours: number;
}

export type LatestEvent = Omit<
  FeedEventRow,
  'mark' | 'fits' | 'labels' | 'recordSlug' | 'previousKeys' | 'changedColumns'
> &
  Partial<Pick<FeedEventRow, 'previousKeys'>>;

const joinedBy = (condition: string): string => `
  feeds join feed_events on ${condition} and feed_events.position > feeds.kept_after
  join records on records.id = feed_events.record_id`;

const ACCOUNT = joinedBy('feed_events.account_id = feeds.account_id');
const RECENT = joinedBy(
  `feed_events.account_id = feeds.account_id and feed_events.position > feeds.position - ${WINDOW}`,
);
const ONE_RECORD = joinedBy('feed_events.record_id = :only');
const EACH_RECORD = `
  feeds join records on records.account_id = feeds.account_id
  cross join lateral (
    select * from feed_events
    where record_id = records.id and position > feeds.kept_after and (:types::text[] is null or type = any(:types))
    order by position desc limit :atMost
  ) feed_events`;

/**
 * The newest events of a feed, newest first, each with the first keys of its lists.
 * @param atMost events @param keys of each list
 */
export async function latestEvents(
  db: Database,
  { accountId, reach, recordId, types, labels }: FeedSelection,
  { atMost, keys }: { atMost: number; keys: number },
): Promise<LatestEvent[]> {
  const only = recordId ?? reach;
  const firstKeys = (column: string, name: string) => `events.${column}[1:${keys}] as "${name}"`;
  const read = (source: string): Promise<LatestEvent[]> =>
    rawRows<LatestEvent>(
      db,
      `select found.position, type, happened_at as "happenedAt", data, delta_event_id as "deltaEventId",
         found.record_id as "recordId", record_name as "recordName", ${firstKeys('new_keys', 'newKeys')},
         ${firstKeys('changed_keys', 'changedKeys')}, ${firstKeys('deleted_keys', 'deletedKeys')},
         events.previous_keys as "previousKeys"
       from (
         select feed_events.*, records.name as record_name
         from ${source}
         where feeds.account_id = :accountId and ${scopeSql('feeds.account_id', ':reach::text')}
           and (:types::text[] is null or type = any(:types))
           and records.labels @> all(:labels::jsonb[])
         order by feed_events.position desc limit :atMost
       ) found
       left join delta_events events on events.id = found.delta_event_id
       order by found.position desc`,
      {
        accountId,
        reach,
        types: types && [...types],
        labels: containedLabels(labels),
        atMost,
        ...(only === null ? {} : { only }),
      },
    );
  if (only !== null) return read(ONE_RECORD);
  if (labels.length === 0) return read(ACCOUNT);
  // Many records with the labels have enough new events. Few are read one by one, however old their events are.
  const recent = await read(RECENT);
  return recent.length === atMost ? recent : read(EACH_RECORD);
}
