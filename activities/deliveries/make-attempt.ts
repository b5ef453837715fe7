// One delivery attempt: builds the body, opens the signing secrets, signs, sends and classifies the response. The caller
// records the result.
import { signWebhook, type WebhookMessage } from '../../core/crypto/webhook-signature.ts';
import { nextAttemptInMs } from '../../core/deliveries.ts';
import { type DueDelivery, readDeliveredEvents } from '../../db/webhooks/deliveries.ts';
import type { AttemptRecord } from '../../db/webhooks/record-attempts.ts';
import { type PostOutcome, postJson } from './post-json.ts';
import { userAgent } from '../fetch/open-origin.ts';
import type { ActivityDeps } from '../deps.ts';
import type { EndpointAgents } from './endpoint-agents.ts';
import { type DeliveredEvent, deliveryPayload } from '../../core/delivery-payload.ts';
import {
  type KeyEncryptionKeys,
  openField,
  unwrapDataKey,
  webhookSecretContext,
} from '../../core/crypto/envelope.ts';

/** With status 410 a receiver says that it wants no more deliveries (Standard Webhooks 1.0.0). */
const GONE = 410;

/** What attempts share with the others of their process. */
export interface AttemptDeps extends ActivityDeps {
  agents: EndpointAgents;
  openSecrets: OpenSecrets;
}

/** A delivery with its body and its signing secrets. */
export interface ReadyDelivery {
  delivery: DueDelivery;
  body: string;
  /** Null when they cannot be opened. Nothing is sent then, and the attempt fails. */
  secrets: readonly string[] | null;
}

export interface MadeAttempt extends AttemptRecord {
  /** From the Retry-After header; null without one. */
  retryAfterMs: number | null;
  /** One line for the operator. */
  words: string;
}

/** @param signal cancels the attempt; the endpoint may have received it all the same */
export async function makeAttempt(
  deps: AttemptDeps,
  { delivery, body, secrets }: ReadyDelivery,
  signal: AbortSignal,
): Promise<MadeAttempt> {
  const { config } = deps;
  const startedAt = new Date();
  const { errorCode, statusCode, durationMs, excerpt, retryAfterMs } =
    secrets === null
      ? UNSIGNED
      : await send(deps, delivery, { id: delivery.id, timeMs: startedAt.getTime(), body, secrets }, signal);
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
  { config, guard, agents }: AttemptDeps,
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

/** Builds the body and opens the secrets of a delivery. @throws Error when its event was deleted */
type Prepare = (delivery: DueDelivery) => ReadyDelivery;

/** Reads the events of all deliveries in one query. */
export async function prepareAttempts(deps: AttemptDeps, due: readonly DueDelivery[]): Promise<Prepare> {
  const events = await readDeliveredEvents(deps.db, due);
  return (delivery) => ({
    delivery,
    body: bodyOf(delivery, events, deps.config.baseUrl),
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

function bodyOf(delivery: DueDelivery, events: ReadonlyMap<string, DeliveredEvent>, baseUrl: string): string {
  const body = deliveryPayload(delivery, events.get(delivery.deltaEventId ?? ''), baseUrl);
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
