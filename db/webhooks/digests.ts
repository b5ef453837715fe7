// Digests: sends the events that waited for each other as one delivery. What it says is written when it is made, and stays the
// same for all of its attempts.
import { readDeliveredEvents } from '../rows/delta-events.ts';
import { type BodyFormat, isNoticeFormat } from '../../core/deliveries.ts';
import { type Digest, lastDigestMs } from '../../core/notices/digest-times.ts';
import {
  type DigestData,
  type DigestSection,
  type Happened,
  happenedWords,
  hasAlarm,
  MOST_SECTIONS,
} from '../../core/notices/digest-words.ts';
import type { BodySettings } from '../../core/delivery-rows.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { preparedPage } from '../driver/prepared.ts';
import { sendCollected, WAITS_SINCE } from './collected-events.ts';
import { BURST } from './collecting.ts';
import { cancelAllDeliveries, DUE, type DueDelivery } from './deliveries.ts';
import { type BodySources, readNotice } from './delivery-body.ts';
import { POSITION } from './lines.ts';
import { ACCOUNT_OF_WEBHOOK, MAILS_LEFT } from './mail-allowance.ts';
import { NEW_DELIVERY_ID } from './new-deliveries.ts';

type Sources = Pick<BodySources, 'db' | 'baseUrl'>;

interface Collecting {
  webhookId: string;
  digest: Digest | null;
  accountId: string;
  /** Null when the webhook sends no mails. */
  mailsLeft: number | null;
  /** Since when the first of its events waits, in milliseconds since the epoch. */
  sinceMs: number;
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
  select webhooks.id as "webhookId", digest, ${ACCOUNT_OF_WEBHOOK} as "accountId",
    case when webhooks.format = 'mail' then ${MAILS_LEFT} end as "mailsLeft",
    extract(epoch from first.since)::double precision * 1000 as "sinceMs",
    extract(epoch from now())::double precision * 1000 as "nowMs"
  from collecting join webhooks on webhooks.id = collecting.webhook_id
  cross join lateral (
    select ${WAITS_SINCE} as since from deliveries where webhook_id = webhooks.id and status = 'collecting' order by since limit 1
  ) first
  order by first.since`;

/**
 * The webhooks for which a digest is due, longest first. The webhook's present setting decides. If the setting was changed,
 * collected events follow the new one; if it was removed, they are sent like a burst. Of mails, no more than the account has left
 * in this hour: the others wait, and collect further events.
 */
export async function listDueDigests(db: Database): Promise<string[]> {
  const lastOf = new Map<string, number>();
  const isDue = ({ digest, sinceMs, nowMs }: Collecting): boolean => {
    if (digest === null) return sinceMs <= nowMs - BURST.minutes * 60_000;
    const key = JSON.stringify(digest);
    const lastMs = lastOf.get(key) ?? lastKnownMs(digest, nowMs);
    lastOf.set(key, lastMs);
    return sinceMs < lastMs;
  };
  const due = (await rawRows<Collecting>(db, COLLECTING)).filter(isDue);
  return due.filter(withinAllowance()).map(({ webhookId }) => webhookId);
}

/** Asked once for each digest, because each takes a mail of its account. */
function withinAllowance(): (one: Collecting) => boolean {
  const leftOf = new Map<string, number>();
  return ({ accountId, mailsLeft }) => {
    if (mailsLeft === null) return true;
    const left = leftOf.get(accountId) ?? mailsLeft;
    leftOf.set(accountId, left - 1);
    return left > 0;
  };
}

/** A newer API may accept a time zone or a period that this worker does not know. Then another worker makes the digest. */
function lastKnownMs(digest: Digest, nowMs: number): number {
  try {
    return lastDigestMs(digest, nowMs);
  } catch {
    return -Infinity;
  }
}

/** The most events of one digest. */
const MOST_EVENTS = 10_000;

/** Events of a record of one type. */
interface CollectedRow extends Happened {
  recordId: string;
  /** Whether the webhook gets the events of a record one at a time. */
  ordered: boolean;
  /** Whether nobody knows of one of them whether it met the webhook's condition. */
  isUndecided: boolean;
  /** Of their deliveries, newest first. */
  ids: string[];
  newestAt: Date;
}

/** A part of the filter under which an event was collected; null where all is wanted. */
const filterOf = (name: 'changeTypes' | 'columns'): string =>
  `nullif(collected.body_settings::jsonb #> '{rows,${name}}', 'null')`;

const wants = (changeType: string): string =>
  `coalesce(${filterOf('changeTypes')} @> '"${changeType}"', true)`;

const sumOf = (changeType: 'new' | 'changed' | 'deleted', condition = 'true'): string =>
  `coalesce(sum(${changeType}_count) filter (where ${wants(changeType)} and ${condition}), 0)::double precision`;

/** Of changed rows, a filter of columns wants some, and nobody has counted them. Those of deleted records are erased with them. */
const COLLECTED = `
  select collected.record_id as "recordId", collected.event_type as "eventType", count(*) as events,
    bool_or(collected.ordered) as ordered,
    coalesce(bool_or(condition_outcome = 'undecided'), false) as "isUndecided",
    ${sumOf('new')} as "newCount", ${sumOf('changed', `${filterOf('columns')} is null`)} as "changedCount",
    ${sumOf('deleted')} as "deletedCount",
    coalesce(bool_or(changed_count > 0 and ${wants('changed')} and ${filterOf('columns')} is not null), false)
      as "mayBeMoreChanged",
    array_agg(collected.id order by collected.created_at desc, collected.id desc) as ids,
    max(collected.created_at) as "newestAt"
  from (
    select deliveries.*, webhooks.ordered from deliveries join webhooks on webhooks.id = webhook_id
    join records on records.id = deliveries.record_id and records.deleted_at is null
    where webhook_id = ? and deliveries.status = 'collecting' order by deliveries.id limit ${MOST_EVENTS}
  ) collected
  left join delta_events on delta_events.id = collected.delta_event_id
  group by collected.record_id, collected.event_type order by "newestAt" desc, max(collected.id) desc`;

/** In the order of their ids, as where attempts are recorded. */
const LOCK = `
  select ${POSITION} as position from deliveries where id = any(?::text[]) and status = 'collecting' order by id for no key update`;

const INSERT = `
  insert into deliveries (id, webhook_id, record_id, event_type, event_data, next_attempt_at, body_settings, line_position)
  values (${NEW_DELIVERY_ID}, :webhookId, :recordId, 'digest', :data, now(), :settings, :position)
  returning id`;

interface Receiver {
  id: string;
  enabled: boolean;
  ordered: boolean;
  format: BodyFormat;
}

/**
 * Makes one pending delivery of all that a webhook has collected; where order matters, of all of one record, at the position of its
 * last event in the line. Its format is that of the webhook now. One transaction does it: a process that dies leaves either
 * the events, which stay due, or the delivery. Two at the same time make one.
 * @returns its id; undefined when there is nothing to send
 */
export async function mergeDigest(sources: Sources, webhookId: string): Promise<string | undefined> {
  const { db } = sources;
  const rows = ofOneLine(await rawRows<CollectedRow>(db, COLLECTED, [webhookId]));
  const made = await readDigest(sources, rows);
  if (made === undefined) return undefined;
  const { data, settings } = made;
  const ids = rows.flatMap((row) => row.ids);
  return db.transaction(async (trx) => {
    const [webhook] = await trx<Receiver>('webhooks')
      .where({ id: webhookId })
      .select('enabled', 'ordered', 'format')
      .forShare();
    if (webhook?.enabled !== true) {
      // They were committed while it was being disabled.
      await cancelAllDeliveries(trx, webhookId);
      return undefined;
    }
    if (!isNoticeFormat(webhook.format)) {
      // They were committed while it was given a format for programs.
      await sendCollected(trx, webhookId);
      return undefined;
    }
    const waiting = await rawRows<{ position: number | null }>(trx, LOCK, [ids]);
    // Another process has sent them, or some are gone: the next run reads what is left.
    if (waiting.length < ids.length) return undefined;
    await trx('deliveries').whereIn('id', ids).update({ status: 'merged', finishedAt: trx.fn.now() });
    const position = data.records === 1 ? lastOf(waiting) : null;
    const [digest] = await rawRows<{ id: string }>(trx, INSERT, {
      webhookId,
      recordId: data.sections[0]?.recordId ?? '',
      data: JSON.stringify({ ...data, position } satisfies DigestData),
      settings: JSON.stringify({ ...settings, format: webhook.format, rows: null } satisfies BodySettings),
      position: webhook.ordered ? position : null,
    });
    return digest?.id;
  });
}

/** Null for deliveries that are about no check. */
function lastOf(waiting: readonly { position: number | null }[]): number | null {
  const positions = waiting.flatMap(({ position }) => position ?? []);
  return positions.length === 0 ? null : Math.max(...positions);
}

/** @param rows newest first */
function ofOneLine(rows: readonly CollectedRow[]): readonly CollectedRow[] {
  const oldest = rows.at(-1);
  return oldest?.ordered === true ? rows.filter(({ recordId }) => recordId === oldest.recordId) : rows;
}

interface NewDigest {
  data: DigestData;
  settings: Pick<BodySettings, 'recordName' | 'recordSlug'>;
}

/** @param rows newest first */
async function readDigest(sources: Sources, rows: readonly CollectedRow[]): Promise<NewDigest | undefined> {
  const byRecord = Map.groupBy(rows, ({ recordId }) => recordId);
  const records = [...byRecord.values()].map((ofRecord) => ({
    ofRecord,
    newestId: (ofRecord.find(({ eventType }) => eventType === 'delta') ?? ofRecord[0])?.ids[0] ?? '',
    isAlarm: hasAlarm(ofRecord.map(({ eventType }) => eventType).toReversed()),
  }));
  const shown = alarmsFirst(records).slice(0, MOST_SECTIONS);
  const newest = await readNewest(
    sources.db,
    shown.map(({ newestId }) => newestId),
  );
  const events = await readDeliveredEvents(sources.db, [...newest.values()]);
  const sections: DigestSection[] = [];
  let settings: NewDigest['settings'] | null = null;
  // Newest first: the newest names count.
  for (const { ofRecord, newestId, isAlarm } of records.filter((one) => shown.includes(one))) {
    const delivery = newest.get(newestId);
    const bodySettings = delivery?.bodySettings ?? null;
    if (delivery === undefined || bodySettings === null || !isNoticeFormat(bodySettings.format)) continue;
    const { recordName, recordSlug, rows: choice } = bodySettings;
    settings ??= { recordName, recordSlug };
    const event = events.get(delivery.deltaEventId ?? '');
    const conditionOutcome = ofRecord.some(({ isUndecided }) => isUndecided) ? 'undecided' : null;
    const notice = await readNotice(sources, { ...delivery, recordName, conditionOutcome }, event, choice);
    if (notice === undefined) continue;
    sections.push({
      recordId: delivery.recordId,
      recordName,
      events: eventsOf(ofRecord),
      words: happenedWords(ofRecord.toReversed()),
      newest: { summary: notice.summary, lines: notice.lines },
      isAlarm,
    });
  }
  if (settings === null || sections.length === 0) return undefined;
  const data = { events: eventsOf(rows), records: byRecord.size, sections: alarmsFirst(sections) };
  return { data, settings };
}

/** Otherwise in the given order. */
const alarmsFirst = <T extends { isAlarm: boolean }>(ofRecords: readonly T[]): T[] =>
  ofRecords.toSorted((one, other) => Number(other.isAlarm) - Number(one.isAlarm));

const eventsOf = (rows: readonly CollectedRow[]): number => rows.reduce((sum, { events }) => sum + events, 0);

async function readNewest(db: Database, ids: readonly string[]): Promise<Map<string, DueDelivery>> {
  const rows = await preparedPage<DueDelivery>(db, `${DUE} where deliveries.id = any($1::text[])`, [
    [...ids],
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Another record of the account may be erased at the same time: each must see what the other has left of a digest. */
const LOCK_DIGESTS = `
  select from webhooks join deliveries on deliveries.webhook_id = webhooks.id and deliveries.event_type = 'digest'
  where webhooks.account_id = (select account_id from records where id = ?)
  order by deliveries.id for no key update of deliveries`;

const FORGET = `
  with told as (
    select deliveries.id, (
      select section from json_array_elements(event_data -> 'sections') section
      where section ->> 'recordId' = :recordId) as section, (
      select json_agg(section order by ordinal)
      from json_array_elements(event_data -> 'sections') with ordinality sections (section, ordinal)
      where section ->> 'recordId' <> :recordId) as rest
    from webhooks join deliveries on deliveries.webhook_id = webhooks.id and deliveries.event_type = 'digest'
    where webhooks.account_id = (select account_id from records where id = :recordId)
  )
  update deliveries set record_id = rest -> 0 ->> 'recordId', event_data = json_build_object(
    'events', (event_data ->> 'events')::integer - (section ->> 'events')::integer,
    'records', (event_data ->> 'records')::integer - 1, 'sections', rest)
  from told where deliveries.id = told.id and section is not null and rest is not null`;

/** Removes what the digests of an account say of a record that is being erased. One about this record alone stays as it is. */
export async function forgetInDigests(trx: Knex.Transaction, recordId: string): Promise<void> {
  await rawRows(trx, LOCK_DIGESTS, [recordId]);
  await rawRows(trx, FORGET, { recordId });
}
