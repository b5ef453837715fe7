// Deliveries, as every layer knows them: statuses, event types, and the schedule of retries.
import { MAX_RETRY_AFTER_MS } from './network/retry-after.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The deliveries of one check that wait for their first attempt. */
export interface PendingDeliveries {
  checkId: string;
  count: number;
}

/** For name resolution, connection, TLS and answer together. */
export const ATTEMPT_TIMEOUT_MS = 15_000;

const JITTER = 0.2;

/**
 * Milliseconds until the next attempt; null after the last one. Adds jitter of up to 20 % either way, so that an endpoint
 * that recovers does not get all deliveries at once. A longer Retry-After counts, up to a day.
 * @param schedule milliseconds before the second, third, … attempt
 * @param made number of the last attempt, from 1
 * @param spread a random number from 0 to 1; 0.5 means no jitter
 */
export function nextAttemptInMs(
  schedule: readonly number[],
  made: number,
  { spread, retryAfterMs = null }: { spread: number; retryAfterMs?: number | null },
): number | null {
  const wait = schedule[made - 1];
  if (wait === undefined) return null;
  const jittered = wait * (1 - JITTER + 2 * JITTER * spread);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
}

/** The events that a webhook may subscribe to, as the `event` and `type` of a delivery's body. */
export const WEBHOOK_EVENT_TYPES = [
  'delta',
  'check.failed',
  'check.recovered',
  'check.held',
  'schema.changed',
  'record.quiet',
  'webhook.disabled',
] as const;

/** The hours without a change before `record.quiet`. The default is that of webhooks. */
export const QUIET_HOURS = { min: 1, max: 8_760, default: 24 } as const;

/** After how many failed checks in a row `check.failed` is sent. */
export const FAILING_AFTER = { min: 1, max: 100 } as const;

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** What a delivery is about: one event, or as a message for people several of them. */
export const DELIVERY_EVENT_TYPES = [...WEBHOOK_EVENT_TYPES, 'digest'] as const;
export type DeliveryEventType = (typeof DELIVERY_EVENT_TYPES)[number];

/** What the body of a `delta` says of the rows: their keys, or also their values. */
export const BODY_CONTENTS = ['keys', 'rows'] as const;
export type BodyContent = (typeof BODY_CONTENTS)[number];

/** What a delivery that is given up does to the later ones of its record, where order matters. */
export const FAILURE_EFFECTS = ['block', 'skip'] as const;
export type FailureEffect = (typeof FAILURE_EFFECTS)[number];

/** The forms of a message for people. `mail` is sent by SMTP, the others by POST. */
export const NOTICE_FORMATS = ['slack', 'teams', 'discord', 'ntfy', 'mail'] as const;
export type NoticeFormat = (typeof NOTICE_FORMATS)[number];

/** The form of bodies: the members alone, as the data of a CloudEvent 1.0, or a message for people. */
export const BODY_FORMATS = ['json', 'cloudevents', ...NOTICE_FORMATS] as const;
export type BodyFormat = (typeof BODY_FORMATS)[number];

export const isNoticeFormat = (format: BodyFormat): format is NoticeFormat =>
  (NOTICE_FORMATS as readonly BodyFormat[]).includes(format);

/** The URL of a webhook that sends mails. */
const MAILTO = 'mailto:';

export const isMailUrl = (url: string): boolean => url.toLowerCase().startsWith(MAILTO);

/** The address of a URL of this kind, in lower case, as users have theirs. */
export const addressOf = (url: string): string => url.slice(MAILTO.length).toLowerCase();

export const mailUrl = (address: string): string => MAILTO + address;
