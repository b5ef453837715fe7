// Creates, changes and deletes webhooks, of a record or of an account. Record and account operations differ only in whose
// webhooks they reach, and in what they show.
import { changesBetween } from '../../core/audit.ts';
import type { BodyFormat } from '../../core/deliveries.ts';
import { ApiError } from '../../core/errors.ts';
import { isPaidTier } from '../../core/tiers.ts';
import { generateWebhookSecret } from '../../core/crypto/webhook-signature.ts';
import type { Database } from '../../db/driver/knex.ts';
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  lockWebhook,
  type PublicWebhook,
  rotateSecret,
  type SelectedRecords,
  updateWebhook,
  type WebhookOwner,
  type WebhookSettings,
} from '../../db/webhooks/webhooks.ts';
import { requirePaidTier, requireRecentSignIn } from '../access/admission.ts';
import type { Audit } from '../contract/audit.ts';
import type { Context } from '../contract/context.ts';
import { notFound } from '../contract/errors.ts';
import { newId } from '../contract/new-id.ts';
import { tellDeliveries } from '../temporal/workflows.ts';
import { requireDigestible } from './digest-setting.ts';
import { type GivenWebhook, readWebhook, sealWebhookSecret } from './webhook-settings.ts';
import { readTarget, requireSameMeans, usualFormat } from './webhook-target.ts';

type AuditedContext = Context & { audit: Audit };

/** A webhook whose secret was just made, with the secret. */
export interface MadeWebhook {
  webhook: PublicWebhook;
  secret: string;
}

/** A webhook in the audit log. Its URL is often a secret. */
const targetOf = ({ id, description }: PublicWebhook) => ({ id, name: description });

/** @throws ApiError not_found: also if it belongs to another owner */
export async function requireWebhook(
  { db }: Pick<Context, 'db'>,
  owner: WebhookOwner,
  id: string,
): Promise<PublicWebhook> {
  const webhook = await findWebhook(db, owner, id);
  if (webhook === undefined) throw notFound();
  return webhook;
}

const MAX_WEBHOOKS = 20;
/** Of an account without a paid tier, all of which send mails. */
const MAX_FREE_WEBHOOKS = 3;

/** Call it first, so that an account without a paid tier gets no other error. @throws ApiError plan_required */
export function requirePlan(
  { principal }: Pick<Context, 'principal'>,
  { url, format = usualFormat(url) }: { url: string; format?: BodyFormat },
): void {
  if (format !== 'mail') requirePaidTier(principal, 'Webhooks');
}

/** @throws ApiError conflict when the owner has as many webhooks as it may have */
export async function createFor(
  ctx: AuditedContext,
  owner: WebhookOwner,
  { secret: givenSecret, ...given }: GivenWebhook & { url: string; secret?: string | null },
  selected?: SelectedRecords,
): Promise<MadeWebhook> {
  const secret = givenSecret ?? generateWebhookSecret();
  const { url = given.url, format = usualFormat(url), ...read } = readWebhook(ctx, given, secret);
  const settings = { ...read, ...(await readTarget(ctx, { url, format })) };
  requireDigestible(settings);
  await requireRecentSignIn(ctx, 'create the webhook');
  const atMost = isPaidTier(ctx.principal.tier) ? MAX_WEBHOOKS : MAX_FREE_WEBHOOKS;
  const id = newId('webhook', ctx.clock());
  const sealedSecret = await sealWebhookSecret(ctx, ctx.principal.accountId, id, secret);
  const webhook = await ctx.db.transaction(async (trx) => {
    const made = await insertWebhook(trx, { ...settings, ...owner, id, sealedSecret }, atMost, selected);
    if (made !== undefined) await ctx.audit(trx, { target: targetOf(made) });
    return made;
  });
  if (webhook === undefined) throw tooMany(owner, atMost);
  return { webhook, secret };
}

function tooMany(owner: WebhookOwner, atMost: number): ApiError {
  const of = 'recordId' in owner ? `A record has at most ${atMost} webhooks` : ofAccount(atMost);
  const tier = atMost === MAX_WEBHOOKS ? '' : ' before a record of the account is on a paid tier';
  return new ApiError('conflict', `${of}${tier}: delete one first.`);
}

const ofAccount = (atMost: number): string => `An account has at most ${atMost} webhooks for several records`;

interface Change {
  given: GivenWebhook;
  /** For the webhook of an account, if that changes. */
  selected?: SelectedRecords | undefined;
  /** Fields of the request that `selected` was read from. */
  asked?: object;
  /** The webhook as the audit log compares it, before and after. */
  present: (webhook: PublicWebhook) => object;
}

/** A change without fields changes nothing, and is valid. */
export async function changeFor(
  ctx: AuditedContext,
  owner: WebhookOwner,
  id: string,
  { given, selected, asked, present }: Change,
): Promise<PublicWebhook> {
  const read = readWebhook(ctx, given);
  if (Object.keys(read).length === 0 && selected === undefined) return requireWebhook(ctx, owner, id);
  const { before, after } = await ctx.db.transaction(async (trx) => {
    const locked = await lockWebhook(trx, owner, id);
    if (locked === undefined) throw notFound();
    const changes = await changesTo({ ...ctx, db: trx }, locked, read);
    const changed = await updateWebhook(trx, owner, id, changes, selected);
    if (changed === undefined) throw notFound();
    await ctx.audit(trx, {
      target: targetOf(changed),
      changes: changesBetween(present(locked), { ...given, ...asked }),
    });
    return { before: locked, after: changed };
  });
  if (mayEndWaiting(before, after)) await tellDeliveries(ctx, { backlogOf: id });
  return after;
}

/**
 * What to write to a locked webhook: no setting that was not given.
 * @throws ApiError validation_failed when they do not fit its other settings, or recent_sign_in_required
 */
async function changesTo(
  ctx: AuditedContext,
  before: PublicWebhook,
  read: Partial<WebhookSettings>,
): Promise<Partial<WebhookSettings>> {
  const changes = { ...read };
  if (read.url !== undefined || read.format !== undefined) {
    const { url = before.url, format = before.format } = read;
    requireSameMeans(before.format, format);
    const target = await readTarget(ctx, { url, format });
    if (read.url !== undefined) changes.url = target.url;
  }
  requireDigestible({ ...before, ...changes });
  if (changes.url !== undefined && changes.url !== before.url) await requireRecentSignIn(ctx, 'save the URL');
  return changes;
}

/** Whether deliveries that waited for others may be sent now. */
const mayEndWaiting = (before: PublicWebhook, after: PublicWebhook): boolean =>
  before.ordered && (!after.ordered || before.onFailure !== after.onFailure);

export async function removeFor(ctx: AuditedContext, owner: WebhookOwner, id: string): Promise<null> {
  const inFirstStep = (trx: Database, webhook: PublicWebhook) =>
    ctx.audit(trx, { target: targetOf(webhook) });
  if (!(await deleteWebhook(ctx.db, owner, id, { inFirstStep }))) throw notFound();
  return null;
}

/** For how long the secret before a rotation still signs. */
export const OVERLAP_HOURS = 24;

export async function rotateFor(
  ctx: AuditedContext,
  owner: WebhookOwner,
  id: string,
  givenSecret: string | null | undefined,
): Promise<MadeWebhook> {
  const secret = givenSecret ?? generateWebhookSecret();
  readWebhook(ctx, {}, secret);
  const sealedSecret = await sealWebhookSecret(ctx, ctx.principal.accountId, id, secret);
  return ctx.db.transaction(async (trx) => {
    const webhook = await rotateSecret(trx, owner, id, { sealedSecret, overlapHours: OVERLAP_HOURS });
    if (webhook === undefined) throw notFound();
    await ctx.audit(trx, { target: targetOf(webhook) });
    return { webhook, secret };
  });
}
