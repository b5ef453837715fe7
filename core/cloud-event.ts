// The body of a delivery as a CloudEvent 1.0 in structured mode (https://cloudevents.io).

export const CLOUD_EVENT_TYPE = 'application/cloudevents+json';

export interface CloudEventFacts {
  /** The delivery, so that it is the same on every attempt. */
  deliveryId: string;
  recordId: string;
  eventType: string;
  happenedAt: Date;
  /** What the event is about: a delta event, a check or a webhook; null when nothing else than the record. */
  subject: string | null;
}

/** The text around the data. */
export interface CloudEventFrame {
  before: string;
  after: string;
}

/** @param baseUrl of the API */
export function cloudEventFrame(
  { deliveryId, recordId, eventType, happenedAt, subject }: CloudEventFacts,
  baseUrl: string,
): CloudEventFrame {
  const attributes = {
    specversion: '1.0',
    id: deliveryId,
    source: `${baseUrl}/v1/sources/${recordId}`,
    type: `recordwatch.${eventType}`,
    ...(subject !== null && { subject }),
    time: happenedAt.toISOString(),
    datacontenttype: 'application/json',
  };
  return { before: `${JSON.stringify(attributes).slice(0, -1)},"data":`, after: '}' };
}
