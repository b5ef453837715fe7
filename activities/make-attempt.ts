// One attempt to deliver: signed, sent, judged. What it came to is recorded by whoever asked for it.
import { signWebhook } from '../core/crypto/webhook-signature.ts';
import { openField, unwrapDataKey } from '../core/crypto/envelope.ts';
import { deliveryPayload } from '../core/delivery-payload.ts';
import { nextAttemptInMs } from '../core/delivery-schedule.ts';
import { webhookSecretContext } from '../core/seal-contexts.ts';
import type { AttemptRecord, DueDelivery } from '../db/deliveries.ts';
import type { ActivityDeps } from './deps.ts';
import { postJson } from './outbound/post-json.ts';
import { userAgent } from './outbound/user-agent.ts';

/** 410 is the receiver's own word that it wants nothing more (Standard Webhooks 1.0.0). */
const GONE = 410;

export interface MadeAttempt extends AttemptRecord {
  /** One line for the operator. */
  words: string;
}

export async function makeAttempt(
  deps: ActivityDeps,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<MadeAttempt> {
  const startedAt = new Date();
  const body = deliveryPayload(delivery);
  const { errorCode, statusCode, durationMs, excerpt, retryAfterMs } = await postJson({
    url: delivery.url,
    body,
    headers: signWebhook({
      id: delivery.id,
      timeMs: startedAt.getTime(),
      body,
      secrets: [secretOf(deps, delivery)],
    }),
    userAgent: userAgent(deps.config.baseUrl),
    guard: deps.guard,
    signal,
  });
  const number = delivery.attemptCount + 1;
  const isGone = statusCode === GONE;
  const spread = Math.random();
  const again = isGone
    ? null
    : nextAttemptInMs(deps.config.deliverySchedule, number, { spread, retryAfterMs });
  const isFinal = errorCode === null || again === null;
  return {
    deliveryId: delivery.id,
    number,
    startedAt,
    durationMs,
    statusCode,
    errorCode,
    responseExcerpt: excerpt,
    status: errorCode === null ? 'delivered' : again === null ? 'failed' : 'pending',
    nextAttemptInMs: isFinal ? null : again,
    disableReason: isGone ? 'The endpoint answered 410 Gone.' : null,
    words: describe(number, errorCode, statusCode),
  };
}

function secretOf({ config }: ActivityDeps, delivery: DueDelivery): string {
  const dataKey = unwrapDataKey(config.keyEncryptionKeys, delivery.accountId, delivery.wrappedDataKey);
  return openField(
    dataKey,
    delivery.sealedSecret,
    webhookSecretContext(delivery.accountId, delivery.webhookId),
  );
}

function describe(number: number, errorCode: string | null, statusCode: number | null): string {
  if (errorCode === null) return `Delivered at attempt ${number} (status ${statusCode}).`;
  const status = statusCode === null ? '' : `, status ${statusCode}`;
  return `Attempt ${number} failed: ${errorCode}${status}.`;
}
