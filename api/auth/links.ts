// Where links of mails lead: to pages of the dashboard.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../../db/driver/knex.ts';
import {
  deleteVerificationsOf,
  deleteVerificationsOfUser,
  findUser,
  findUserByEmail,
  findVerification,
  findVerificationOf,
  insertVerification,
  takeVerification,
} from '../../db/access/users.ts';
import { deadLink } from './library-errors.ts';
import { secretHash } from './storage.ts';

/** In the fragment, which browsers send nowhere and programs that follow links do not use up. */
export const linkUrl = (baseUrl: string, token: string): string => `${baseUrl}/dashboard/link#${token}`;

export const resetUrl = (baseUrl: string, token: string): string =>
  `${baseUrl}/dashboard/reset-password#${token}`;

export type LinkPurpose =
  | { kind: 'sign-in'; userId: string }
  /** The address and nothing else: whoever asked for the mail may not be who reads it (decision 41). */
  | { kind: 'sign-up'; email: string }
  /** Shows that who asked for another address reads its mails. */
  | { kind: 'change-email'; userId: string; email: string }
  /** Brings an address back that was changed by somebody else. */
  | { kind: 'undo-email'; userId: string; email: string };

type LinkOf<K extends LinkPurpose['kind']> = Extract<LinkPurpose, { kind: K }>;

const HOUR_SECONDS = 3_600;
/** Mails may be read tomorrow, and that of a changed address after a week; a link that signs in is there to be used at once. */
const LENGTH_SECONDS = {
  'sign-in': HOUR_SECONDS,
  'sign-up': 24 * HOUR_SECONDS,
  'change-email': 24 * HOUR_SECONDS,
  'undo-email': 7 * 24 * HOUR_SECONDS,
} as const;

/** Apart from the tokens of the library, which are in the same table. */
const identifierHash = (token: string): Buffer => secretHash(`link:${token}`);

/** @returns the token, of 256 random bits */
export async function createLink(db: Database, purpose: LinkPurpose): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await insertVerification(db, {
    id: randomUUID(),
    identifierHash: identifierHash(token),
    value: JSON.stringify(purpose),
    lengthSeconds: LENGTH_SECONDS[purpose.kind],
    kind: purpose.kind,
    userId: 'userId' in purpose ? purpose.userId : null,
  });
  return token;
}

/** What a link would do, and for whom. It is not used by this. @throws ApiError unauthenticated for a dead one */
export async function describeLink(
  db: Database,
  token: string,
): Promise<{ kind: LinkPurpose['kind']; email: string }> {
  const purpose = await findLink(db, token);
  if (purpose.kind === 'sign-up') {
    const { kind, email } = purpose;
    // Somebody has become a user with this address meanwhile.
    if ((await findUserByEmail(db, email)) !== undefined) throw deadLink();
    return { kind, email };
  }
  const user = await findUser(db, purpose.userId);
  if (user === undefined) throw deadLink();
  return { kind: purpose.kind, email: 'email' in purpose ? purpose.email : user.email };
}

/**
 * Uses a link up: of many at the same time, one gets it.
 * @throws ApiError unauthenticated for a dead one, or one of another kind, which stays
 */
export async function takeLink<K extends LinkPurpose['kind']>(
  db: Database,
  token: string,
  kind: K,
): Promise<LinkOf<K>> {
  const purpose = await findLink(db, token);
  if (!isOfKind(purpose, kind) || !(await takeVerification(db, identifierHash(token)))) throw deadLink();
  return purpose;
}

const isOfKind = <K extends LinkPurpose['kind']>(purpose: LinkPurpose, kind: K): purpose is LinkOf<K> =>
  purpose.kind === kind;

async function findLink(db: Database, token: string): Promise<LinkPurpose> {
  const value = await findVerification(db, identifierHash(token));
  if (value === undefined) throw deadLink();
  // Written by createLink.
  return JSON.parse(value);
}

/** The address that a user has asked for and not confirmed yet. */
export async function findPendingEmail(db: Database, userId: string): Promise<string | null> {
  const value = await findVerificationOf(db, userId, 'change-email');
  // Written by createLink.
  return value === undefined ? null : (JSON.parse(value) as LinkOf<'change-email'>).email;
}

/** Forgets the address that a user has asked for. */
export async function endEmailChange(db: Database, userId: string): Promise<void> {
  await deleteVerificationsOfUser(db, userId, ['change-email'] satisfies LinkPurpose['kind'][]);
}

/**
 * Ends what a user could still come in by, once they have a new password or address: links that sign in, that set
 * another password, or that change the address. Those that bring an address back stay, unless they are named: whoever
 * changed it may have changed the password as well.
 */
export async function endLinks(
  db: Database,
  userId: string,
  kinds: readonly LinkPurpose['kind'][] = ['sign-in', 'change-email'],
): Promise<void> {
  const signIn: LinkPurpose = { kind: 'sign-in', userId };
  // The library's own, which set a password, are about the id alone. Links of the version before name no user.
  await deleteVerificationsOf(db, [userId, JSON.stringify(signIn)]);
  await deleteVerificationsOfUser(db, userId, kinds);
}
