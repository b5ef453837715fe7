// The kinds of events that a webhook may ask for. Each is the `event` and the `type` of a body.

export const WEBHOOK_EVENT_TYPES = [
  'delta',
  'check.failed',
  'check.recovered',
  'schema.changed',
  'webhook.disabled',
] as const;

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];
