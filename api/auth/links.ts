// Links in mails. They open a page of the dashboard.
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

/** In the fragment, which browsers do not send and link scanners do not use up. */
export const linkUrl = (baseUrl: string, token: string): string => `${baseUrl}/dashboard/link#${token}`;

export const resetUrl = (baseUrl: string, token: string): string =>
  `${baseUrl}/dashboard/reset-password#${token}`;

export type LinkPurpose =
  | { kind: 'sign-in'; userId: string }
  /** Only the address: the reader of the mail may not be who requested it (decision 41). */
  | { kind: 'sign-up'; email: string }
  /** Proves that the user reads mail to the new address. */
  | { kind: 'change-email'; userId: string; email: string }
  /** Restores an address that somebody else changed. */
  | { kind: 'undo-email'; userId: string; email: string };

type LinkOf<K extends LinkPurpose['kind']> = Extract<LinkPurpose, { kind: K }>;

const HOUR_SECONDS = 3_600;
/** A mail may be read the next day, and one about a changed address after a week. A sign-in link is for immediate use. */
const LENGTH_SECONDS = {
  'sign-in': HOUR_SECONDS,
  'sign-up': 24 * HOUR_SECONDS,
  'change-email': 24 * HOUR_SECONDS,
  'undo-email': 7 * 24 * HOUR_SECONDS,
} as const;

/** The prefix keeps them apart from the library's own tokens in the same table. */
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

/**
 * Reads the purpose of a link without using it.
 * @throws ApiError unauthenticated for a used or expired link
 */
export async function describeLink(
  db: Database,
  token: string,
): Promise<{ kind: LinkPurpose['kind']; email: string }> {
  const purpose = await findLink(db, token);
  if (purpose.kind === 'sign-up') {
    const { kind, email } = purpose;
    // Another user has taken the address meanwhile.
    if ((await findUserByEmail(db, email)) !== undefined) throw deadLink();
    return { kind, email };
  }
  const user = await findUser(db, purpose.userId);
  if (user === undefined) throw deadLink();
  return { kind: purpose.kind, email: 'email' in purpose ? purpose.email : user.email };
}

/**
 * Uses a link. Of concurrent calls, one succeeds.
 * @throws ApiError unauthenticated for a used or expired link, or one of another kind, which stays valid
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

/** The address that a user requested and has not confirmed. */
export async function findPendingEmail(db: Database, userId: string): Promise<string | null> {
  const value = await findVerificationOf(db, userId, 'change-email');
  // Written by createLink.
  return value === undefined ? null : (JSON.parse(value) as LinkOf<'change-email'>).email;
}

/** Removes the pending address of a user. @returns whether there was one */
export async function endEmailChange(db: Database, userId: string): Promise<boolean> {
  const kinds = ['change-email'] satisfies LinkPurpose['kind'][];
  return (await deleteVerificationsOfUser(db, userId, kinds)) > 0;
}

/**
 * Ends links after a change of password or address: those that sign in, set a password, or change the address. Links that
 * restore an address stay unless `kinds` includes them, because the person who changed the address may have changed the
 * password too.
 */
export async function endLinks(
  db: Database,
  userId: string,
  kinds: readonly LinkPurpose['kind'][] = ['sign-in', 'change-email'],
): Promise<void> {
  const signIn: LinkPurpose = { kind: 'sign-in', userId };
  // The library's own links, which set a password, contain only the id. Links of the previous version name no user.
  await deleteVerificationsOf(db, [userId, JSON.stringify(signIn)]);
  await deleteVerificationsOfUser(db, userId, kinds);
}
