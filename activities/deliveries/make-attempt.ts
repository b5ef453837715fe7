// One delivery attempt: builds the body, opens the signing secrets, signs, sends (post-json.ts), disables the webhook after a 410,
// records the result and starts the retry.
import { readDeliveredEvents } from '../../db/rows/delta-events.ts';
import { CLOUD_EVENT_TYPE } from '../../core/cloud-event.ts';
import { signWebhook, type WebhookMessage } from '../../core/crypto/webhook-signature.ts';
import { nextAttemptInMs } from '../../core/deliveries.ts';
import { ntfyServer } from '../../core/notices/ntfy.ts';
import type { DueDelivery } from '../../db/webhooks/deliveries.ts';
import { noteProgress } from '../../db/driver/pulse.ts';
import { type BodySources, readDeliveryBody } from '../../db/webhooks/delivery-body.ts';
import type { LineLease } from '../../db/webhooks/lines.ts';
import type { NewAttempt } from '../../db/webhooks/record-attempts.ts';
import { type PostOutcome, postJson } from './post-json.ts';
import { userAgent } from '../fetch/open-origin.ts';
import type { ActivityDeps } from '../deps.ts';
import type { WriteAttempt, RecordedAttempt } from './batched-writes.ts';
import type { EndpointAgents } from './endpoint-agents.ts';
import type { AttemptSlot } from './endpoint-slots.ts';
import { sendNoticeMail } from './send-notice-mail.ts';
import { startRetry } from './start-delivery-workflows.ts';
import type { DeliveredEvent } from '../../core/delivery-payload.ts';
import {
  type KeyEncryptionKeys,
  openField,
  unwrapDataKey,
  webhookSecretContext,
} from '../../core/crypto/envelope.ts';

/** With status 410 a receiver says that it wants no more deliveries (Standard Webhooks 1.0.0). */
const GONE = 410;

/** The limits and connections that the attempts of a process share. */
export interface AttemptDeps extends ActivityDeps {
  agents: EndpointAgents;
  bodySources: BodySources;
  openSecrets: OpenSecrets;
}

/** A delivery with its body and its signing secrets. */
export interface ReadyDelivery {
  delivery: DueDelivery;
  body: string;
  /** Null when they cannot be opened. Nothing is sent then, and the attempt fails. */
  secrets: readonly string[] | null;
}

export interface CompletedAttempt extends NewAttempt {
  /** From the Retry-After header; null without one. */
  retryAfterMs: number | null;
  /** One line for the operator. */
  words: string;
}

/**
 * Makes one attempt. Gives the slot back as soon as the endpoint has answered.
 * @param signal cancels the attempt; the endpoint may have received it all the same
 * @param lease of a delivery that may be sent only under one
 * @throws Error when the lease is about to end: nothing was sent
 */
export async function attemptAndRelease(
  deps: AttemptDeps,
  prepare: () => Promise<ReadyDelivery>,
  slot: AttemptSlot,
  signal: AbortSignal,
  lease?: LineLease,
): Promise<CompletedAttempt> {
  try {
    const ready = await prepare();
    slot.shrinkTo(ready.body);
    const isInTime = lease === undefined || performance.now() < lease.beginsBeforeMs;
    if (!isInTime || (lease === undefined && ready.delivery.isOrdered)) {
      throw new Error('The delivery has no lease, or its lease is about to end');
    }
    return await makeAttempt(deps, ready, signal);
  } finally {
    noteProgress();
    slot.release();
  }
}

/** @returns the delivery's status after the attempt */
export async function recordAndRetry(
  deps: AttemptDeps & { record: WriteAttempt },
  attempt: CompletedAttempt,
): Promise<RecordedAttempt['status']> {
  const { status } = await deps.record(attempt);
  const { deliveryId, nextAttemptInMs, words } = attempt;
  if (status === 'pending' && nextAttemptInMs !== null) {
    await startRetry(deps, { deliveryId, waitMs: nextAttemptInMs, words });
  }
  return status;
}

async function makeAttempt(
  deps: AttemptDeps,
  { delivery, body, secrets }: ReadyDelivery,
  signal: AbortSignal,
): Promise<CompletedAttempt> {
  const startedAt = new Date();
  const outcome = await send(deps, { delivery, body, secrets }, startedAt.getTime(), signal);
  const { errorCode, statusCode, durationMs, excerpt, retryAfterMs } = outcome;
  const number = delivery.attemptCount + 1;
  const again = againInMs(deps.config.deliverySchedule, number - delivery.attemptsBefore, outcome);
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
    reasonToDisable: reasonToDisable(delivery, statusCode),
    retryAfterMs,
    words: describe(number, errorCode, statusCode),
  };
}

/** An attempt for which no mail was left does not count in the schedule, not even after the last wait. A test has one attempt. */
function againInMs(
  schedule: readonly number[],
  made: number,
  { errorCode, isFinal, retryAfterMs }: PostOutcome,
): number | null {
  if (errorCode === null || isFinal === true) return null;
  if (errorCode === 'mail_limit_reached' && made <= schedule.length + 1) return retryAfterMs;
  return nextAttemptInMs(schedule, made, { spread: Math.random(), retryAfterMs });
}

function reasonToDisable({ isOwnAddress }: DueDelivery, statusCode: number | null): string | null {
  if (isOwnAddress === false) return 'No user of the account has this address.';
  return isOwnAddress === null && statusCode === GONE ? 'The endpoint answered 410 Gone.' : null;
}

const NOT_SENT = { statusCode: null, durationMs: 0, excerpt: null, retryAfterMs: null };

async function send(
  deps: AttemptDeps,
  { delivery, body, secrets }: ReadyDelivery,
  timeMs: number,
  signal: AbortSignal,
): Promise<PostOutcome> {
  if (delivery.isOwnAddress === false) return { ...NOT_SENT, errorCode: 'url_not_allowed', isFinal: true };
  if (delivery.isOwnAddress === true) return sendNoticeMail(deps, delivery, body);
  if (secrets === null) return { ...NOT_SENT, errorCode: 'secret_unreadable' };
  return sendSigned(deps, delivery, { id: delivery.id, timeMs, body, secrets }, signal);
}

async function sendSigned(
  { config, guard, agents }: AttemptDeps,
  { webhookId, url: givenUrl, bodySettings }: DueDelivery,
  message: WebhookMessage,
  signal: AbortSignal,
): Promise<PostOutcome> {
  const url = bodySettings?.format === 'ntfy' ? ntfyServer(givenUrl) : givenUrl;
  const { agent, release } = agents.borrow(webhookId, url);
  try {
    return await postJson({
      url,
      body: message.body,
      headers: {
        ...signWebhook(message),
        ...(bodySettings?.format === 'cloudevents' && { 'content-type': CLOUD_EVENT_TYPE }),
      },
      userAgent: userAgent(config.baseUrl),
      guard,
      signal,
      agent,
    });
  } finally {
    release();
  }
}

function describe(number: number, errorCode: string | null, statusCode: number | null): string {
  if (errorCode === null) return `Delivered at attempt ${number} (status ${statusCode}).`;
  const status = statusCode === null ? '' : `, status ${statusCode}`;
  return `Attempt ${number} failed: ${errorCode}${status}.`;
}

/** Builds the body and opens the secrets of a delivery. @throws Error when its event was deleted */
export type Prepare = (delivery: DueDelivery) => Promise<ReadyDelivery>;

/** Reads the events of all deliveries in one query. */
export async function prepareAttempts(deps: AttemptDeps, due: readonly DueDelivery[]): Promise<Prepare> {
  return prepareWith(deps, await readDeliveredEvents(deps.db, due));
}

export function prepareWith(deps: AttemptDeps, events: ReadonlyMap<string, DeliveredEvent>): Prepare {
  // A copy, which keeps the rows that these deliveries read last.
  const sources = { ...deps.bodySources };
  return async (delivery) => ({
    delivery,
    body: await bodyOf(sources, delivery, events.get(delivery.deltaEventId ?? '')),
    secrets: secretsOf(deps, delivery),
  });
}

function secretsOf({ openSecrets, log }: AttemptDeps, delivery: DueDelivery): readonly string[] | null {
  try {
    return openSecrets(delivery);
  } catch (err) {
    log.error({ err, webhookId: delivery.webhookId }, 'the secret of a webhook cannot be opened');
    return null;
  }
}

async function bodyOf(
  sources: BodySources,
  delivery: DueDelivery,
  event: DeliveredEvent | undefined,
): Promise<string> {
  const body = await readDeliveryBody(sources, delivery, event);
  // The event was deleted, and its deliveries with it.
  if (body === undefined) throw new Error('The event of a delivery was deleted');
  return body;
}

type SealedSecrets = Pick<
  DueDelivery,
  'accountId' | 'webhookId' | 'wrappedDataKey' | 'sealedSecret' | 'previousSealedSecret'
>;

/**
 * Opens the current secret and, while it is still valid, the previous one. Opened secrets are cached for a minute, because
 * opening one costs more than signing.
 * @throws Error the current secret cannot be opened
 */
type OpenSecrets = (sealed: SealedSecrets) => readonly string[];

const KEPT_MS = 60_000;
const MAX_KEPT = 2_000;

export function createSecretOpener(keks: KeyEncryptionKeys): OpenSecrets {
  const kept = new Map<string, string>();
  const openOne = ({ accountId, webhookId, wrappedDataKey }: SealedSecrets, sealed: Buffer): string => {
    // The name contains the sealed value, so a changed secret is a new entry.
    const name = `${accountId} ${webhookId} ${sealed.toString('latin1')}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const dataKey = unwrapDataKey(keks, accountId, wrappedDataKey);
    const opened = openField(dataKey, sealed, webhookSecretContext(accountId, webhookId));
    if (kept.size === 0) setTimeout(() => kept.clear(), KEPT_MS).unref();
    if (kept.size < MAX_KEPT) kept.set(name, opened);
    return opened;
  };
  /** A previous secret that cannot be opened must not stop deliveries: the owner replaced it for that reason. */
  const openPrevious = (secrets: SealedSecrets, sealed: Buffer): string[] => {
    try {
      return [openOne(secrets, sealed)];
    } catch {
      return [];
    }
  };
  return (secrets) => {
    const { sealedSecret, previousSealedSecret } = secrets;
    const current = openOne(secrets, sealedSecret);
    return previousSealedSecret === null
      ? [current]
      : [current, ...openPrevious(secrets, previousSealedSecret)];
  };
}
