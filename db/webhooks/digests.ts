// Digests: sends the events that waited for each other as one delivery. What it says is written when it is made, and stays the
// same for all of its attempts.
import { isNoticeFormat } from '../../core/deliveries.ts';
import { type Digest, lastDigestMs } from '../../core/notices/digest-times.ts';
import {
  type DigestData,
  type DigestSection,
  type Happened,
  happenedWords,
  isAlarm,
  MOST_SECTIONS,
} from '../../core/notices/digest-words.ts';
import type { BodySettings } from '../../core/delivery-rows.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { preparedPage } from '../driver/prepared.ts';
import { BURST } from './collecting.ts';
import { cancelAllDeliveries, DUE, type DueDelivery, readDeliveredEvents } from './deliveries.ts';
import { type BodySources, readNotice } from './delivery-body.ts';
import { NEW_DELIVERY_ID } from './new-deliveries.ts';

type Sources = Pick<BodySources, 'db' | 'baseUrl'>;

interface Collecting {
  webhookId: string;
  digest: Digest | null;
  /** Of its oldest event, in milliseconds since the epoch. */
  oldestMs: number;
  nowMs: number;
}

/** Skips from webhook to webhook, so that many events of one cost nothing. */
const COLLECTING = `
  with recursive collecting as (
    (select webhook_id from deliveries where status = 'collecting' order by webhook_id limit 1)
    union all
    select (select webhook_id from deliveries where status = 'collecting' and webhook_id > collecting.webhook_id
      order by webhook_id limit 1)
    from collecting where collecting.webhook_id is not null
  )
  select webhooks.id as "webhookId", digest, extract(epoch from oldest.created_at)::double precision * 1000 as "oldestMs",
    extract(epoch from now())::double precision * 1000 as "nowMs"
  from collecting join webhooks on webhooks.id = collecting.webhook_id
  cross join lateral (
    select created_at from deliveries where webhook_id = webhooks.id and status = 'collecting' order by created_at limit 1
  ) oldest
  order by oldest.created_at`;

/**
 * The webhooks for which a digest is due, longest first. It is decided by the setting of now: what a webhook has collected
 * follows a change of it, and without a setting is sent as a burst is.
 */
export async function listDueDigests(db: Database): Promise<string[]> {
  const lastOf = new Map<string, number>();
  const isDue = ({ digest, oldestMs, nowMs }: Collecting): boolean => {
    if (digest === null) return oldestMs <= nowMs - BURST.minutes * 60_000;
    const key = JSON.stringify(digest);
    const lastMs = lastOf.get(key) ?? lastDigestMs(digest, nowMs);
    lastOf.set(key, lastMs);
    return oldestMs < lastMs;
  };
  return (await rawRows<Collecting>(db, COLLECTING)).filter(isDue).map(({ webhookId }) => webhookId);
}

/** The most events of one digest. */
const MOST_EVENTS = 10_000;

/** Events of a record of one type. */
interface MergedRow extends Happened {
  recordId: string;
  /** The newest of these deliveries, and when its event happened. */
  newestId: string;
  newestAt: Date;
}

const MERGE = `
  with merged as (
    update deliveries set status = 'merged', finished_at = now()
    where id = any(array(
      select id from deliveries where webhook_id = :webhookId and status = 'collecting' order by id limit ${MOST_EVENTS}
      for no key update))
    returning *
  )
  select merged.record_id as "recordId", merged.event_type as "eventType", count(*) as events,
    coalesce(sum(new_count), 0)::double precision as "newCount",
    coalesce(sum(changed_count), 0)::double precision as "changedCount",
    coalesce(sum(deleted_count), 0)::double precision as "deletedCount",
    (array_agg(merged.id order by merged.created_at desc, merged.id desc))[1] as "newestId",
    max(merged.created_at) as "newestAt"
  from merged join records on records.id = merged.record_id and records.deleted_at is null
  left join delta_events on delta_events.id = merged.delta_event_id
  group by merged.record_id, merged.event_type order by "newestAt" desc, "newestId" desc`;

const INSERT = `
  insert into deliveries (id, webhook_id, record_id, event_type, event_data, next_attempt_at, body_settings)
  values (${NEW_DELIVERY_ID}, :webhookId, :recordId, 'digest', :data, now(), :settings)
  returning id`;

/**
 * Makes one pending delivery of all that a webhook has collected. It is one transaction: a process that dies leaves either
 * the events, which are due still, or the delivery. Two at the same time make one.
 * @returns its id; undefined when there is nothing to send
 */
export function mergeDigest(sources: Sources, webhookId: string): Promise<string | undefined> {
  return sources.db.transaction(async (trx) => {
    const [webhook] = await rawRows<{ enabled: boolean }>(
      trx,
      'select enabled from webhooks where id = ? for key share',
      [webhookId],
    );
    // Committed while the webhook was being disabled.
    if (webhook?.enabled === false) await cancelAllDeliveries(trx, webhookId);
    const rows = await rawRows<MergedRow>(trx, MERGE, { webhookId });
    const made = await readDigest({ ...sources, db: trx }, rows);
    if (made === undefined) return undefined;
    const { data, settings } = made;
    const [digest] = await rawRows<{ id: string }>(trx, INSERT, {
      webhookId,
      recordId: data.sections[0]?.recordId ?? '',
      data: JSON.stringify(data),
      settings: JSON.stringify({ ...settings, rows: null }),
    });
    return digest?.id;
  });
}

interface NewDigest {
  data: DigestData;
  settings: BodySettings;
}

/** @param rows newest first */
async function readDigest(sources: Sources, rows: readonly MergedRow[]): Promise<NewDigest | undefined> {
  const byRecord = Map.groupBy(rows, ({ recordId }) => recordId);
  const shown = [...byRecord.values()].slice(0, MOST_SECTIONS).map((ofRecord) => ({
    ofRecord,
    newestId: (ofRecord.find(({ eventType }) => eventType === 'delta') ?? ofRecord[0])?.newestId ?? '',
  }));
  const newest = await readNewest(
    sources.db,
    shown.map(({ newestId }) => newestId),
  );
  const events = await readDeliveredEvents(sources.db, [...newest.values()]);
  const sections: DigestSection[] = [];
  let settings: BodySettings | null = null;
  for (const { ofRecord, newestId } of shown) {
    const delivery = newest.get(newestId);
    if (delivery?.bodySettings == null || !isNoticeFormat(delivery.bodySettings.format)) continue;
    settings ??= delivery.bodySettings;
    const { recordName, rows: choice } = delivery.bodySettings;
    const event = events.get(delivery.deltaEventId ?? '');
    const notice = await readNotice(sources, { ...delivery, recordName }, event, choice);
    if (notice === undefined) continue;
    sections.push({
      recordId: delivery.recordId,
      recordName,
      words: happenedWords(ofRecord, choice),
      newest: { summary: notice.summary, lines: notice.lines },
      isAlarm: ofRecord.some(({ eventType }) => isAlarm(eventType)),
    });
  }
  if (settings === null || sections.length === 0) return undefined;
  const count = rows.reduce((sum, row) => sum + row.events, 0);
  return { data: { events: count, records: byRecord.size, sections }, settings };
}

async function readNewest(db: Database, ids: readonly string[]): Promise<Map<string, DueDelivery>> {
  const rows = await preparedPage<DueDelivery>(db, `${DUE} where deliveries.id = any($1::text[])`, [
    [...ids],
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

const FORGET = `
  with held as (
    select deliveries.id, (
      select json_agg(section order by place)
      from json_array_elements(event_data -> 'sections') with ordinality sections (section, place)
      where section ->> 'recordId' <> :recordId) as rest
    from webhooks join deliveries on deliveries.webhook_id = webhooks.id and deliveries.event_type = 'digest'
    where webhooks.account_id = (select account_id from records where id = :recordId)
      and exists (
        select from json_array_elements(event_data -> 'sections') section where section ->> 'recordId' = :recordId)
  )
  update deliveries set record_id = rest -> 0 ->> 'recordId', event_data = json_build_object(
    'events', event_data -> 'events', 'records', event_data -> 'records', 'sections', rest)
  from held where deliveries.id = held.id and rest is not null`;

/** Removes what the digests of an account say of a record that is being erased. One about this record alone stays as it is. */
export async function forgetInDigests(trx: Knex.Transaction, recordId: string): Promise<void> {
  await rawRows(trx, FORGET, { recordId });
}
