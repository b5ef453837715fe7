// The body of a delivery (interface 6.1): JSON text, the same for every attempt.
import { fitKeys } from './fit-keys.ts';

/** What every body says, whatever it is about. */
export interface DeliveryHead {
  webhookId: string;
  recordId: string;
  recordName: string;
  recordSlug: string;
}

export interface DeliveredEvent {
  deltaEventId: string;
  snapshotId: string;
  detectedAt: Date;
  newCount: number;
  changedCount: number;
  deletedCount: number;
  unchangedCount: number;
  totalCount: number;
  /** At most 100 each: the event keeps no more. */
  newKeys: string[];
  changedKeys: string[];
  deletedKeys: string[];
}

/** What happened, where it is no delta event. */
export interface DeliveredNews {
  eventType: string;
  happenedAt: Date;
  /** Members of the body beside the common ones, as JSON text of an object. */
  eventData: string;
}

/** All that the body of a delivery needs, but for the delta event. */
export interface DeliverySubject extends DeliveryHead {
  eventType: string;
  happenedAt: Date;
  /** Null for a delta event. */
  eventData: string | null;
}

/** Beyond it keys are left out, so that a body stays one that receivers take. */
export const MAX_PAYLOAD_BYTES = 256 * 1024;

/**
 * The body of a delivery, whatever it is about.
 * @param event the delta event that it is about, where it is about one
 * @returns undefined when that event is deleted: its deliveries are deleted with it
 */
export function deliveryPayload(
  subject: DeliverySubject,
  event: DeliveredEvent | undefined,
  baseUrl: string,
): string | undefined {
  const { eventData } = subject;
  if (eventData !== null) return newsPayload(subject, { ...subject, eventData });
  return event && deltaPayload(subject, event, baseUrl);
}

/**
 * The whole event, whatever the webhook's filters: facts are facts.
 * @param baseUrl where the API is reached
 */
export function deltaPayload(head: DeliveryHead, event: DeliveredEvent, baseUrl: string): string {
  const { newCount, changedCount, deletedCount, unchangedCount, totalCount } = event;
  const detectedAt = event.detectedAt.toISOString();
  return fitKeys(event, MAX_PAYLOAD_BYTES, ({ newKeys, changedKeys, deletedKeys }) =>
    JSON.stringify({
      event: 'delta',
      type: 'delta',
      timestamp: detectedAt,
      ...headMembers(head),
      deltaEventId: event.deltaEventId,
      snapshotId: event.snapshotId,
      detectedAt,
      summary: { newCount, changedCount, deletedCount, unchangedCount, totalCount },
      newKeys,
      changedKeys,
      deletedKeys,
      truncated: {
        newKeys: newKeys.length < newCount,
        changedKeys: changedKeys.length < changedCount,
        deletedKeys: deletedKeys.length < deletedCount,
      },
      rowsUrl: rowsUrl(baseUrl, head.recordId, event.deltaEventId),
    }),
  );
}

/** The body of what is no delta event: `event` says what, `deltaEventId` is null. */
export function newsPayload(head: DeliveryHead, news: DeliveredNews): string {
  return JSON.stringify({
    event: news.eventType,
    type: news.eventType,
    timestamp: news.happenedAt.toISOString(),
    ...headMembers(head),
    deltaEventId: null,
    // An object, as db/webhooks/new-deliveries.ts and its neighbours wrote it.
    ...(JSON.parse(news.eventData) as object),
  });
}

const headMembers = ({ webhookId, recordId, recordName, recordSlug }: DeliveryHead) => ({
  webhookId,
  sourceId: recordId,
  sourceName: recordName,
  sourceSlug: recordSlug,
});

/** Where the rows of an event are listed. */
export function rowsUrl(baseUrl: string, recordId: string, deltaEventId: string): string {
  return `${baseUrl}/v1/sources/${recordId}/delta/${deltaEventId}/rows`;
}
