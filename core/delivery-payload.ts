// The body of a `delta` delivery (interface 6.1).

export interface DeliveredEvent {
  webhookId: string;
  recordId: string;
  recordName: string;
  recordSlug: string;
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

/** JSON text; the same for the same event, whichever attempt it is for. */
export function deliveryPayload(event: DeliveredEvent): string {
  const { newCount, changedCount, deletedCount, unchangedCount, totalCount } = event;
  return JSON.stringify({
    event: 'delta',
    webhookId: event.webhookId,
    sourceId: event.recordId,
    sourceName: event.recordName,
    sourceSlug: event.recordSlug,
    deltaEventId: event.deltaEventId,
    snapshotId: event.snapshotId,
    detectedAt: event.detectedAt.toISOString(),
    summary: { newCount, changedCount, deletedCount, unchangedCount, totalCount },
    newKeys: event.newKeys,
    changedKeys: event.changedKeys,
    deletedKeys: event.deletedKeys,
  });
}
