// One attempt to deliver: signed, sent, judged. What it came to is recorded by whoever asked for it.
import { signWebhook, type WebhookMessage } from '../../core/crypto/webhook-signature.ts';
import { nextAttemptInMs } from '../../core/delivery-schedule.ts';
import type { DueDelivery } from '../../db/webhooks/deliveries.ts';
import type { AttemptRecord } from '../../db/webhooks/record-attempts.ts';
import { type PostOutcome, postJson } from '../outbound/post-json.ts';
import { userAgent } from '../outbound/user-agent.ts';
import type { Sender } from './sender.ts';

/** 410 is the receiver's own word that it wants nothing more (Standard Webhooks 1.0.0). */
const GONE = 410;

/** A delivery with its body, and with what signs it. */
export interface ReadyDelivery {
  delivery: DueDelivery;
  body: string;
  /** Null when they cannot be opened: nothing is sent then, and the attempt has failed. */
  secrets: readonly string[] | null;
}

export interface MadeAttempt extends AttemptRecord {
  /** For how long the endpoint asked to be left alone; null when it did not. */
  retryAfterMs: number | null;
  /** One line for the operator. */
  words: string;
}

/** @param signal cancels it: nothing is known then of what the endpoint made of it */
export async function makeAttempt(
  sender: Sender,
  { delivery, body, secrets }: ReadyDelivery,
  signal: AbortSignal,
): Promise<MadeAttempt> {
  const { config } = sender;
  const startedAt = new Date();
  const { errorCode, statusCode, durationMs, excerpt, retryAfterMs } =
    secrets === null
      ? UNSIGNED
      : await send(sender, delivery, { id: delivery.id, timeMs: startedAt.getTime(), body, secrets }, signal);
  const number = delivery.attemptCount + 1;
  const again =
    errorCode === null
      ? null
      : nextAttemptInMs(config.deliverySchedule, number - delivery.attemptsBefore, {
          spread: Math.random(),
          retryAfterMs,
        });
  return {
    deliveryId: delivery.id,
    webhookId: delivery.webhookId,
    url: delivery.url,
    number,
    startedAt,
    durationMs,
    statusCode,
    errorCode,
    responseExcerpt: excerpt,
    status: errorCode === null ? 'delivered' : again === null ? 'failed' : 'pending',
    nextAttemptInMs: again,
    disableReason: statusCode === GONE ? 'The endpoint answered 410 Gone.' : null,
    retryAfterMs,
    words: describe(number, errorCode, statusCode),
  };
}

const UNSIGNED: PostOutcome = {
  errorCode: 'secret_unreadable',
  statusCode: null,
  durationMs: 0,
  excerpt: null,
  retryAfterMs: null,
};

async function send(
  { config, guard, agents }: Sender,
  { webhookId, url }: DueDelivery,
  message: WebhookMessage,
  signal: AbortSignal,
): Promise<PostOutcome> {
  const { agent, giveBack } = agents.borrow(webhookId, url);
  try {
    return await postJson({
      url,
      body: message.body,
      headers: signWebhook(message),
      userAgent: userAgent(config.baseUrl),
      guard,
      signal,
      agent,
    });
  } finally {
    giveBack();
  }
}

function describe(number: number, errorCode: string | null, statusCode: number | null): string {
  if (errorCode === null) return `Delivered at attempt ${number} (status ${statusCode}).`;
  const status = statusCode === null ? '' : `, status ${statusCode}`;
  return `Attempt ${number} failed: ${errorCode}${status}.`;
}
