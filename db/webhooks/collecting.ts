// Which new deliveries wait for others, to be sent with them as one message (digests.ts).
import { DELIVERY_STATUSES, NOTICE_FORMATS } from '../../core/deliveries.ts';
import { MAILS_LEFT } from './mail-allowance.ts';

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** SQL of whether bodies of a format are messages for people. */
export const isNoticeSql = (format: string): string => `${format} in (${quoted(NOTICE_FORMATS)})`;

/** The same for the bodies of a webhook. Refers to `webhooks`. */
export const IS_NOTICE = isNoticeSql('webhooks.format');

/**
 * SQL for whether the API lists a delivery. Events that wait for a digest (`collecting`) or are part of one (`merged`) are not
 * listed.
 */
export const IS_LISTED = `deliveries.status in (${quoted(DELIVERY_STATUSES)})`;

/** After so many messages within this time, the events of a webhook wait until it is over. */
export const BURST = { messages: 3, minutes: 10 } as const;

const BURST_BEGAN = `'dlv_' || lpad(to_hex((extract(epoch from now() - interval '${BURST.minutes} minutes') * 1000)::bigint), 12, '0')`;

const isBurst = (earlier: string): string => `exists (
    select from deliveries waiting where waiting.webhook_id = webhooks.id and waiting.status = 'collecting')
  or ${BURST.messages} <= ${earlier} + (
    select count(*) from (
      select from deliveries where deliveries.webhook_id = webhooks.id and deliveries.id > ${BURST_BEGAN} and ${IS_LISTED}
      limit ${BURST.messages}
    ) latest)`;

/**
 * SQL of whether a new event waits for a digest. Refers to `webhooks`. Deliveries to programs never wait, and neither do those
 * to a chat that are sent one at a time.
 * @param earlier SQL of how many events of the webhook the same statement inserts before this one
 */
export const collectsAfter = (earlier: string): string => `case when webhooks.digest is not null then true
  when webhooks.format = 'mail' then ${isBurst(earlier)} or ${MAILS_LEFT} <= 0
  when ${IS_NOTICE} and not webhooks.ordered then ${isBurst(earlier)} else false end`;

/** The same for a statement that inserts the events of one record. */
export const COLLECTS = collectsAfter('0');

/** The status of a new delivery. Refers to `collects`. */
export const FIRST_STATUS = `case when collects then 'collecting' else 'pending' end`;

/** The time of its first attempt. Refers to `collects`. @param time SQL */
export const firstAttemptAt = (time: string): string => `case when not collects then ${time} end`;
