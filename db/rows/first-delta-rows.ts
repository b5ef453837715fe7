// The first rows of several delta events at once, for lists of events: changed rows first, then new ones, then deleted ones.
import type { Database } from '../driver/knex.ts';
import { preparedPage } from '../driver/prepared.ts';
import type { ChangeType } from './delta-rows.ts';

/** The most rows of an event. */
export const MAX_FIRST_ROWS = 3;
/** The data of a larger row stay in the database, so that a page of events stays small. */
const MAX_DATA_BYTES = 8 * 1024;

export interface FirstDeltaRow {
  eventId: string;
  key: string;
  changeType: ChangeType;
  /** As in DeltaRow. */
  previousKey: string | null;
  /** JSON object texts; null where there is none, and where one of the two is too large. */
  before: string | null;
  after: string | null;
}

/** `pg_column_size` first: it needs no detoasting. */
const smallSql = (data: string): string => `
  case when ${data} is null then true when pg_column_size(${data}) > ${MAX_DATA_BYTES} then false
    else octet_length(${data}::text) <= ${MAX_DATA_BYTES} end`;

const keysSql = (rank: number, type: ChangeType): string => `
  select ${rank} as rank, '${type}' as type, key, ordinal
  from unnest(events.${type}_keys[1:$4]) with ordinality as listed (key, ordinal)`;

/** Looked up by the keys that are stored with each event, so it costs the same however many rows changed. */
const FIRST_ROWS = `
  select events.id as "eventId", listed.key, listed.type as "changeType", new.previous_key as "previousKey",
    case when ${smallSql('old.data')} and ${smallSql('new.data')} then old.data::text end as before,
    case when ${smallSql('old.data')} and ${smallSql('new.data')} then new.data::text end as after
  from delta_events events
  cross join lateral (
    select * from (${keysSql(1, 'changed')} union all ${keysSql(2, 'new')} union all ${keysSql(3, 'deleted')}) keys
    order by rank, ordinal limit $4
  ) listed
  left join lateral (
    select data, previous_key from row_versions where record_no = $2 and generation = events.generation
      and row_key = listed.key collate "C" and first_seq = events.sequence offset 0
  ) new on listed.type <> 'deleted'
  left join lateral (
    select data from row_versions where record_no = $2 and generation = events.generation
      and row_key = coalesce(new.previous_key, listed.key) collate "C" and last_seq = events.sequence - 1 offset 0
  ) old on listed.type <> 'new'
  where events.record_id = $1 and events.id = any($3::text[])
    and (old.data is not null or listed.type = 'new') and (new.data is not null or listed.type = 'deleted')
  order by events.id, listed.rank, listed.ordinal`;

/**
 * At most `limit` rows of each event, by the id of the event. An event without rows is missing. Rows that are being erased
 * are left out.
 */
export async function readFirstDeltaRows(
  db: Database,
  { id, recordNo }: { id: string; recordNo: number },
  eventIds: readonly string[],
  limit: number,
): Promise<Map<string, FirstDeltaRow[]>> {
  const rows = await preparedPage<FirstDeltaRow>(db, FIRST_ROWS, [id, recordNo, eventIds, limit]);
  return Map.groupBy(rows, ({ eventId }) => eventId);
}
