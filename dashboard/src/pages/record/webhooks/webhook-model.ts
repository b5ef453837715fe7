// Words for webhooks, deliveries and attempts, by the API's codes.
import type { components } from '../../../client/schema.ts';

type AccountWebhook = components['schemas']['AccountWebhook'];
/** Of a record, or of the account: then it has `sources`. */
export type Webhook = Omit<AccountWebhook, 'sources'> & Partial<Pick<AccountWebhook, 'sources'>>;
export type Delivery = components['schemas']['Delivery'];
export type Attempt = components['schemas']['Attempt'];
export type EventType = Webhook['eventTypes'][number];
export type DeliveryStatus = Delivery['status'];

export type Format = Webhook['format'];

export const FORMATS: readonly { value: Format; label: string; meaning: string }[] = [
  { value: 'json', label: 'JSON', meaning: 'A signed body for a program of yours.' },
  {
    value: 'cloudevents',
    label: 'CloudEvents',
    meaning: 'CloudEvents 1.0 wraps the same members in an envelope that many event routers read.',
  },
  { value: 'slack', label: 'Slack', meaning: 'A message in a channel, by an incoming webhook.' },
  {
    value: 'teams',
    label: 'Microsoft Teams',
    meaning: 'A card in a channel or chat, by a workflow that posts what it receives.',
  },
  { value: 'discord', label: 'Discord', meaning: 'A message in a channel, by a webhook of the channel.' },
  { value: 'ntfy', label: 'ntfy', meaning: 'A notification on the phones that follow a topic.' },
  { value: 'mail', label: 'Mail', meaning: 'A mail to you.' },
];

/** Whether it is for people, who see the first rows in words. */
export const isMessage = (format: Format): boolean => format !== 'json' && format !== 'cloudevents';

export const EVENT_TYPES: readonly { value: EventType; meaning: string }[] = [
  { value: 'delta', meaning: 'rows are new, changed or deleted' },
  { value: 'check.failed', meaning: 'checks fail, and did not before' },
  { value: 'check.recovered', meaning: 'a check succeeded again' },
  { value: 'check.held', meaning: 'a check is held, because rows are missing or a key repeats' },
  { value: 'schema.changed', meaning: 'columns were added or removed' },
  { value: 'record.quiet', meaning: 'nothing changed for some hours' },
  { value: 'webhook.disabled', meaning: 'another webhook was disabled after failures' },
];

export const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed', 'cancelled'];

/** docs/errors.md, Attempts to deliver. */
const ATTEMPT_ERRORS: Readonly<Record<NonNullable<Attempt['errorCode']>, string>> = {
  url_not_allowed: 'The URL leads to an address that may not be contacted.',
  endpoint_unreachable: 'The endpoint could not be reached.',
  endpoint_timeout: 'The endpoint did not answer within 15 seconds.',
  http_error: 'The endpoint answered with a status other than 2xx.',
  mail_refused: 'The mail server did not accept the mail.',
  mail_limit_reached: 'The account has reached its limit of mails an hour. This one waits for the next hour.',
  webhook_disabled: 'The webhook was disabled before this attempt.',
  secret_unreadable:
    'The webhook’s secret can no longer be read, so nothing was sent. Rotate the secret, then send it again.',
};

export const wordsOf = ({ errorCode }: Pick<Attempt, 'errorCode'>): string | undefined =>
  errorCode === null ? undefined : ATTEMPT_ERRORS[errorCode];

export type WebhookState = 'enabled' | 'failing' | 'disabled' | 'ended';

/** `ended`: disabled, but not by its owner. */
export function stateOf({ enabled, failingSince, disabledReason }: Webhook): WebhookState {
  if (enabled) return failingSince === null ? 'enabled' : 'failing';
  return disabledReason === null ? 'disabled' : 'ended';
}
