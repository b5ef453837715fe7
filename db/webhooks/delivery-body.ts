// Reads what the body of a delivery consists of, and writes the body: the same text for every attempt.
import type { CursorCodec } from '../../core/crypto/cursor.ts';
import { type CloudEventFrame, cloudEventFrame } from '../../core/cloud-event.ts';
import { isNoticeFormat, type NoticeFormat } from '../../core/deliveries.ts';
import { digestNotice } from '../../core/notices/digest-words.ts';
import { deltaNotice, newsNotice, undecidedNotice } from '../../core/notices/event-words.ts';
import { noticeBody } from '../../core/notices/notice-body.ts';
import type { Notice } from '../../core/notices/notice.ts';
import { unsubscribeUrl } from '../../core/notices/unsubscribe.ts';
import { bytesOf, type DeliveredEvent, deliveryPayload, rowsUrl } from '../../core/delivery-payload.ts';
import {
  deliveryRowsBinding,
  type SelectedRows,
  payloadWithRows,
  type RowSettings,
} from '../../core/delivery-rows.ts';
import { rowText, withFields } from '../../core/delta/row-texts.ts';
import type { Database } from '../driver/knex.ts';
import { findDeltaEvent } from '../rows/delta-events.ts';
import { type EventRef, type Narrowing, readDeltaRows } from '../rows/delta-rows.ts';
import { deltaSelectionSql, findEdge } from '../rows/search-delta-rows.ts';
import type { DueDelivery } from './deliveries.ts';

export interface BodySources {
  db: Database;
  cursors: CursorCodec;
  /** Of the API. */
  baseUrl: string;
  /** Keeps the rows that were read last, for the other webhooks of an event that want the same. */
  lastRows?: LastRows;
}

type RowSources = Omit<BodySources, 'cursors'>;

interface LastRows {
  wanted: string;
  found: Promise<SelectedRows | undefined>;
}

/**
 * The body of a delivery.
 * @param event the delta event; undefined for other events
 * @returns undefined when the event was deleted, and the delivery with it
 */
export async function readDeliveryBody(
  sources: BodySources,
  delivery: DueDelivery,
  event: DeliveredEvent | undefined,
): Promise<string | undefined> {
  const { bodySettings } = delivery;
  if (bodySettings === null) return deliveryPayload(delivery, event, sources.baseUrl);
  const { format, rows, recordName, recordSlug } = bodySettings;
  const named = { ...delivery, recordName, recordSlug };
  if (isNoticeFormat(format)) return readNoticeBody(sources, named, event, { format, rows });
  const { before, after } = format === 'json' ? NO_FRAME : frameOf(named, event, sources.baseUrl);
  const data =
    rows === null || event === undefined
      ? deliveryPayload(named, event, sources.baseUrl)
      : await readPayloadWithRows(sources, named, event, {
          ...rows,
          maxBodyBytes: rows.maxBodyBytes - bytesOf(before + after),
        });
  return data && before + data + after;
}

async function readNoticeBody(
  sources: BodySources,
  delivery: DueDelivery,
  event: DeliveredEvent | undefined,
  { format, rows }: { format: NoticeFormat; rows: RowSettings | null },
): Promise<string | undefined> {
  const notice = await readNotice(sources, delivery, event, rows);
  if (notice === undefined) return undefined;
  const { webhookId, url } = delivery;
  return noticeBody(format, notice, {
    url,
    stopUrl: unsubscribeUrl(sources.cursors, sources.baseUrl, { webhookId, url }),
  });
}

/** @returns undefined when the event was deleted */
export async function readNotice(
  sources: RowSources,
  delivery: DueDelivery,
  event: DeliveredEvent | undefined,
  rows: RowSettings | null,
): Promise<Notice | undefined> {
  const { recordId, recordName, eventType, eventData, conditionOutcome } = delivery;
  const record = { recordId, recordName, baseUrl: sources.baseUrl };
  if (eventType === 'digest' && eventData !== null) return digestNotice(sources.baseUrl, eventData);
  if (eventData !== null) return newsNotice(record, eventType, eventData);
  if (event === undefined || rows === null) return undefined;
  const found = await readRowsOnce(sources, delivery, event, rows);
  if (found === undefined) return undefined;
  const notice = deltaNotice(record, event, found, rows);
  return conditionOutcome === 'undecided' ? undecidedNotice(notice) : notice;
}

const NO_FRAME: CloudEventFrame = { before: '', after: '' };

function frameOf(delivery: DueDelivery, event: DeliveredEvent | undefined, baseUrl: string): CloudEventFrame {
  const { id, recordId, eventType, happenedAt, deltaEventId, eventData } = delivery;
  return cloudEventFrame(
    {
      deliveryId: id,
      recordId,
      eventType,
      happenedAt: event?.detectedAt ?? happenedAt,
      subject: deltaEventId ?? subjectOf(eventData),
    },
    baseUrl,
  );
}

/** The statements that create deliveries write an object. */
function subjectOf(eventData: string | null): string | null {
  const data = JSON.parse(eventData ?? '{}') as Partial<
    Record<'deltaEventId' | 'checkId' | 'disabledWebhookId', string>
  >;
  return data.deltaEventId ?? data.checkId ?? data.disabledWebhookId ?? null;
}

async function readPayloadWithRows(
  sources: BodySources,
  delivery: DueDelivery,
  event: DeliveredEvent,
  settings: RowSettings,
): Promise<string | undefined> {
  const { id, recordId } = delivery;
  const { deltaEventId } = event;
  const { cursors, baseUrl } = sources;
  const found = await readRowsOnce(sources, delivery, event, settings);
  if (found === undefined) return undefined;
  const url = `${rowsUrl(baseUrl, recordId, deltaEventId)}?delivery=${id}`;
  const binding = deliveryRowsBinding(recordId, deltaEventId, id);
  return payloadWithRows(delivery, event, settings, found, (key) =>
    key === null ? url : `${url}&cursor=${cursors.seal(binding, [key, deltaEventId])}`,
  );
}

/** @returns undefined when the event or its record was deleted */
async function readRowsOnce(
  sources: RowSources,
  { recordId, recordNo }: DueDelivery,
  event: DeliveredEvent,
  settings: RowSettings,
): Promise<SelectedRows | undefined> {
  if (recordNo === null) return undefined;
  const { deltaEventId } = event;
  const wanted = JSON.stringify([deltaEventId, settings]);
  if (sources.lastRows?.wanted !== wanted) {
    const ref = { id: deltaEventId, recordId, recordNo };
    sources.lastRows = { wanted, found: findRows(sources.db, ref, event, settings) };
  }
  return sources.lastRows.found;
}

/** How many rows of an event are looked at for those that a webhook wants. */
const VISITS = 20_000;
const PAGE_ROWS = 500;
/** How much is read of the rows, whose columns may be far larger than those that a webhook wants. */
const READ_BYTES = 8 * 1024 * 1024;

/** @returns undefined when the event was deleted */
async function findRows(
  db: Database,
  ref: EventRef,
  { newCount, changedCount, deletedCount }: DeliveredEvent,
  settings: RowSettings,
): Promise<SelectedRows | undefined> {
  const { changeTypes, columns, fields, maxBodyBytes } = settings;
  const count = newCount + changedCount + deletedCount;
  const isEvery = changeTypes === null && columns === null;
  const narrowing = isEvery ? undefined : await narrowTo(db, ref, settings, count);
  const rows: { key: string; text: string }[] = [];
  let roomBytes = maxBodyBytes;
  let leftBytes = READ_BYTES;
  for (let after: string | null = null; roomBytes > 0 && leftBytes > 0; after = rows.at(-1)?.key ?? null) {
    const page = { after, limit: Math.min(PAGE_ROWS, count), maxBytes: maxBodyBytes };
    const read = await readDeltaRows(db, ref, page, narrowing);
    if (read === undefined) return undefined;
    const fitting = read.filter((row) => row.fits).slice(0, page.limit);
    for (const row of fitting) {
      const text = rowText(withFields(row, fields));
      rows.push({ key: row.key, text });
      // A character takes at least one byte.
      roomBytes -= text.length;
      leftBytes -= (row.before?.length ?? 0) + (row.after?.length ?? 0);
    }
    if (fitting.length < read.length && fitting.length > 0) continue;
    if (isEvery && rows.length !== count) throw new Error('The rows of an event are not whole');
    return { rows, goesOnAfter: narrowing?.upTo ?? null };
  }
  return { rows, goesOnAfter: rows.at(-1)?.key ?? null };
}

async function narrowTo(db: Database, ref: EventRef, choice: RowSettings, count: number): Promise<Narrowing> {
  const selection = { search: null, searchColumns: [], changedFields: [], choice };
  const event = count > VISITS ? await findDeltaEvent(db, ref.recordId, ref.id) : undefined;
  const upTo =
    event === undefined
      ? null
      : await findEdge(db, { ...event, recordNo: ref.recordNo }, null, VISITS, { after: null, limit: 0 });
  return { ...deltaSelectionSql(selection), upTo };
}
