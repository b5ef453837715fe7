// An event as a webhook would deliver it: the same body, and an id that is the same whenever it is sent.
import { hash } from 'node:crypto';
import type { FeedEvent } from '../../../clients/typescript/src/models.ts';
import {
  type DeliveryRecord,
  deltaMembers,
  fitKeys,
  MAX_PAYLOAD_BYTES,
  checkEventPayload,
} from '../../../core/delivery-payload.ts';
import { makeId } from '../../../core/ids.ts';

export interface Delivery {
  /** The header `webhook-id`. */
  id: string;
  body: string;
}

/** The id of what an event is about: a delta event, a check, or the version of the data that is still the latest. */
export const subjectOf = ({ deltaEventId, checkId, snapshotId }: FeedEvent): string | undefined =>
  deltaEventId ?? checkId ?? snapshotId;

/** @param webhookId as which the receiver is called */
export function deliveryOf(event: FeedEvent, webhookId: string): Delivery {
  const { type, timestamp, sourceId, sourceName, sourceSlug, deltaEventId } = event;
  const record = {
    webhookId,
    recordId: sourceId,
    recordName: sourceName,
    recordSlug: sourceSlug,
    conditionOutcome: event.condition ?? null,
  };
  const digest = hash('sha256', `${webhookId} ${type} ${subjectOf(event)}`);
  return {
    id: makeId('delivery', Date.parse(timestamp), digest),
    body: deltaEventId === null ? bodyOfNews(record, event) : bodyOfDelta(record, event, deltaEventId),
  };
}

function bodyOfDelta(record: DeliveryRecord, event: FeedEvent, deltaEventId: string): string {
  const { snapshotId = '', timestamp, rowsUrl = '', summary } = event;
  const counts = summary ?? {
    newCount: 0,
    changedCount: 0,
    deletedCount: 0,
    unchangedCount: 0,
    totalCount: 0,
  };
  const { newKeys = [], changedKeys = [], deletedKeys = [], previousKeys = null } = event;
  const delivered = {
    ...counts,
    deltaEventId,
    snapshotId,
    detectedAt: new Date(timestamp),
    newKeys,
    changedKeys,
    deletedKeys,
    previousKeys,
  };
  return fitKeys(delivered, MAX_PAYLOAD_BYTES, (keys) =>
    JSON.stringify(deltaMembers(record, delivered, keys, rowsUrl)),
  );
}

function bodyOfNews(record: DeliveryRecord, event: FeedEvent): string {
  const { type, timestamp, checkId, failingSince, error } = event;
  const { snapshotId, unchangedSince, checkedAt, quietHours } = event;
  return checkEventPayload(record, {
    eventType: type,
    happenedAt: new Date(timestamp),
    eventData: JSON.stringify({
      checkId,
      failingSince,
      error,
      snapshotId,
      unchangedSince,
      checkedAt,
      quietHours,
    }),
  });
}
