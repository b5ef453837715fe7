// Creates API keys and limits their number.
import { Type } from 'typebox';
import { mintApiKey } from '../../core/crypto/api-key.ts';
import { issueApiKey, type IssueRefusal, type KeyOwner, type NewApiKey } from '../../db/access/api-keys.ts';
import { newId } from '../contract/new-id.ts';
import { ApiError } from '../../core/errors.ts';
import { allows, type Scope } from '../../core/principal.ts';
import type { Audit } from '../contract/audit.ts';
import type { Context, PublicContext } from '../contract/context.ts';
import { invalidField, notFound, signInAgain } from '../contract/errors.ts';
import { nameField } from '../input/fields.ts';
import { presentApiKey } from '../resources/api-key.ts';

/** The value is shown once, in the response, and not stored. */
export function newApiKey(
  owner: KeyOwner,
  wanted: Pick<NewApiKey, 'name' | 'scope' | 'expiresAt'>,
  nowMs: number,
): { value: string; key: NewApiKey } {
  const kind = owner.recordId === null ? 'account' : 'record';
  const { value, ...minted } = mintApiKey(kind);
  return { value, key: { ...owner, ...wanted, ...minted, kind, id: newId('apiKey', nowMs) } };
}

/** Valid keys. Revoked and expired ones do not count. */
export const MAX_WORKING_KEYS = { account: 100, record: 20 } as const;

/** Body fields of both kinds of keys. */
export const newKeyFields = {
  name: nameField,
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'When the key expires: an ISO 8601 time with an offset, in the future. A key with an expiry can only create ' +
        'keys that expire no later.',
    }),
  ),
};

interface Wanted {
  name: string;
  scope: Scope;
  expiresAt?: string;
}

/**
 * Returns the key with its value, which is not stored.
 * @throws ApiError with the reason when no key can be created
 */
export async function issueKey(
  ctx: Context & { audit: Audit },
  owner: KeyOwner,
  { name, scope, expiresAt }: Wanted,
) {
  const { db, principal } = ctx;
  if (!allows(principal.scope, scope)) {
    throw new ApiError(
      'insufficient_scope',
      `A key with the scope ${principal.scope} cannot create one with the scope ${scope}.`,
    );
  }
  const { value, key } = newApiKey(
    owner,
    { name, scope, expiresAt: readExpiry(ctx, expiresAt) },
    ctx.clock(),
  );
  const { kind } = key;
  const issued = await db.transaction(async (trx) => {
    const limits = { creatorId: principal.credentialId, atMost: MAX_WORKING_KEYS[kind] };
    const made = await issueApiKey(trx, key, limits);
    if (!('refused' in made)) await ctx.audit(trx, { target: key });
    return made;
  });
  if ('refused' in issued) throw refusal(issued, kind);
  return { ...presentApiKey(issued), key: value };
}

/**
 * Makes the key that a person allowed a program, and returns its value, which is not stored.
 * @param ctx with the transaction in which the permission is used up
 * @throws ApiError conflict: the permission has ended, or the account has too many keys
 */
export async function issueAllowedKey(
  ctx: Pick<PublicContext, 'db' | 'clock'> & { audit: Audit },
  { accountId, approverId }: { accountId: string; approverId: string },
  wanted: Pick<Wanted, 'name' | 'scope'>,
): Promise<string> {
  const owner = { accountId, recordId: null };
  const { value, key } = newApiKey(owner, { ...wanted, expiresAt: null }, ctx.clock());
  // The sign-in was recent when they allowed it.
  const limits = { creatorId: approverId, wasRecent: true, atMost: MAX_WORKING_KEYS.account };
  const issued = await issueApiKey(ctx.db, key, limits);
  if ('refused' in issued) {
    if (issued.refused === 'too many') throw refusal(issued, 'account');
    throw new ApiError(
      'conflict',
      'The sign-in or the key that allowed this has ended meanwhile: start again.',
    );
  }
  await ctx.audit(ctx.db, { target: key, by: { accountId, credentialId: approverId } });
  return value;
}

/** Responses have years of four digits. */
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

function readExpiry({ clock }: Context, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const time = Date.parse(text);
  // A leap second parses to NaN, so both comparisons are false.
  if (time > clock() && time <= LATEST_MS) return new Date(time);
  throw invalidField('/expiresAt', 'invalid_value', 'must be in the future, before the year 10000.');
}

function refusal(reason: IssueRefusal, kind: keyof typeof MAX_WORKING_KEYS): ApiError {
  if (reason.refused === 'owner gone') return notFound();
  if (reason.refused === 'creator gone') {
    return new ApiError('conflict', 'The key that this request uses was revoked or has expired meanwhile.');
  }
  if (reason.refused === 'login too old') return signInAgain('create an API key');
  if (reason.refused === 'too many') {
    const whose = kind === 'account' ? 'An account' : 'A record';
    return new ApiError(
      'conflict',
      `${whose} has at most ${MAX_WORKING_KEYS[kind]} valid keys: revoke one first.`,
    );
  }
  const until = reason.creatorExpiresAt.toISOString();
  const detail = `is required and must not be after ${until}, when the key that this request uses expires.`;
  return invalidField('/expiresAt', 'invalid_value', detail);
}
