// Makes one attempt to deliver a notice by mail.
import { ATTEMPT_TIMEOUT_MS, addressOf } from '../../core/deliveries.ts';
import type { NoticeMail } from '../../core/notices/mail.ts';
import { unsubscribeUrl } from '../../core/notices/unsubscribe.ts';
import type { BodySources } from '../../db/webhooks/delivery-body.ts';
import { takeMail } from '../../db/webhooks/mail-allowance.ts';
import type { DueDelivery } from '../../db/webhooks/deliveries.ts';
import { MailRefused, MailTooSlow, type OutgoingMail, sendMail } from '../../outbound/send-mail.ts';
import type { ActivityDeps } from '../deps.ts';
import type { PostOutcome } from './post-json.ts';

interface MailDeps extends Pick<ActivityDeps, 'db' | 'config' | 'log'> {
  bodySources: BodySources;
}

/** Mails that wait for the next hour do not all come at its first second. */
const SPREAD_MS = 5 * 60_000;

/**
 * The outcome has the code of the mail server's reply, and never its words, which are for the operator. The same message id on
 * every attempt lets mail servers recognise a mail that arrives twice.
 * @param body as core/notices/mail.ts makes it
 */
export async function sendNoticeMail(
  { db, config, bodySources, log }: MailDeps,
  { id, webhookId, accountId, url }: Pick<DueDelivery, 'id' | 'webhookId' | 'accountId' | 'url'>,
  body: string,
): Promise<PostOutcome> {
  const startedAt = performance.now();
  const outcome = (errorCode: PostOutcome['errorCode'], statusCode: number | null, isFinal = false) => ({
    errorCode,
    statusCode,
    isFinal,
    excerpt: null,
    retryAfterMs: null,
    durationMs: Math.round(performance.now() - startedAt),
  });
  if (config.smtpUrl === '') {
    log.error({ webhookId }, 'a notice is due by mail, and this worker has no mail server (SMTP_URL)');
    return outcome('endpoint_unreachable', null);
  }
  const waitMs = await takeMail(db, { accountId, address: addressOf(url) });
  if (waitMs !== null) {
    const retryAfterMs = Math.round(waitMs + Math.random() * SPREAD_MS);
    return { ...outcome('mail_limit_reached', null), retryAfterMs };
  }
  // core/notices/mail.ts wrote it.
  const mail: OutgoingMail = {
    ...(JSON.parse(body) as NoticeMail),
    to: addressOf(url),
    messageId: `<${id}@${new URL(config.baseUrl).hostname}>`,
    headers: mailHeaders(unsubscribeUrl(bodySources.cursors, config.baseUrl, { webhookId, url })),
  };
  try {
    return outcome(null, await sendMail(config, mail, ATTEMPT_TIMEOUT_MS));
  } catch (error) {
    if (error instanceof MailRefused) {
      log.warn({ webhookId, words: error.message }, 'the mail server refused a notice');
      return outcome('mail_refused', error.status, error.isFinal);
    }
    log.error({ err: error }, 'the mail server could not be reached');
    return outcome(error instanceof MailTooSlow ? 'endpoint_timeout' : 'endpoint_unreachable', null);
  }
}

/** RFC 8058: a reader's program ends the mails by a POST, and a scanner that only reads the page ends nothing. */
const mailHeaders = (stopUrl: string): Record<string, string> => ({
  'List-Unsubscribe': `<${stopUrl}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  'Auto-Submitted': 'auto-generated',
});
