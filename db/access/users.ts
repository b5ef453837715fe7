// Users, their passwords and their links. Each user belongs to one account. Links expire by the database's clock.
import { type Database, rawRows } from '../driver/knex.ts';

export interface User {
  id: string;
  accountId: string;
  /** In lower case. */
  email: string;
  name: string;
}

export async function insertUser(db: Database, user: User): Promise<void> {
  await db('users').insert(user);
}

/** The account's first user; undefined when it has none. */
export async function findUserOfAccount(db: Database, accountId: string): Promise<User | undefined> {
  return db('users').where({ accountId }).orderBy('id').first('id', 'accountId', 'email', 'name');
}

export async function findUser(db: Database, id: string): Promise<User | undefined> {
  return db('users').where({ id }).first('id', 'accountId', 'email', 'name');
}

export async function findUserByEmail(db: Database, email: string): Promise<User | undefined> {
  return db('users').where({ email }).first('id', 'accountId', 'email', 'name');
}

/** Moves a user to another account. */
export async function moveUser(db: Database, id: string, accountId: string): Promise<void> {
  await db('users').where({ id }).update({ accountId });
}

export interface NewPassword {
  id: string;
  userId: string;
  passwordHash: string;
}

export async function insertPassword(db: Database, password: NewPassword): Promise<void> {
  await db('loginMethods').insert({ ...password, kind: 'credential' });
}

export async function findPasswordHash(db: Database, userId: string): Promise<string | undefined> {
  const row = await db('loginMethods').where({ userId, kind: 'credential' }).first('passwordHash');
  return row?.passwordHash;
}

export async function findPasswordHashByEmail(db: Database, email: string): Promise<string | undefined> {
  const row = await db('loginMethods')
    .join('users', 'users.id', 'loginMethods.userId')
    .where({ email, kind: 'credential' })
    .first('passwordHash');
  return row?.passwordHash;
}

/**
 * Replaces the hash of a password, for a new password or for new hash parameters.
 * @returns false, with no change, when the hash is no longer `before`
 */
export async function replacePasswordHash(
  db: Database,
  userId: string,
  before: string,
  after: string,
): Promise<boolean> {
  const present = db('loginMethods').where({ userId, kind: 'credential', passwordHash: before });
  return (await present.update({ passwordHash: after })) > 0;
}

/** A link that works once. */
export interface NewVerification {
  id: string;
  identifierHash: Buffer;
  value: string;
  lengthSeconds: number;
  kind: string;
  /** The link is deleted with this user. Null for a person who is not a user yet. */
  userId: string | null;
}

export async function insertVerification(db: Database, verification: NewVerification): Promise<void> {
  await rawRows(
    db,
    `insert into verifications (id, identifier_hash, value, kind, user_id, expires_at)
     values (:id, :identifierHash, :value, :kind, :userId, now() + :lengthSeconds * interval '1 second')`,
    { ...verification },
  );
}

/** The value of a working link. */
export async function findVerification(db: Database, identifierHash: Buffer): Promise<string | undefined> {
  const row = await db('verifications')
    .where({ identifierHash })
    .whereRaw('expires_at > now()')
    .first('value');
  return row?.value;
}

/** Consumes a link. @returns false when it no longer works: of two parallel calls, one gets it */
export async function takeVerification(db: Database, identifierHash: Buffer): Promise<boolean> {
  return (await db('verifications').where({ identifierHash }).whereRaw('expires_at > now()').delete()) > 0;
}

/** Deletes the links with one of these values. */
export async function deleteVerificationsOf(db: Database, values: readonly string[]): Promise<void> {
  await db('verifications').whereIn('value', values).delete();
}

/** The value of a user's newest working link of a kind. */
export async function findVerificationOf(
  db: Database,
  userId: string,
  kind: string,
): Promise<string | undefined> {
  const row = await db('verifications')
    .where({ userId, kind })
    .whereRaw('expires_at > now()')
    .orderBy('createdAt', 'desc')
    .first('value');
  return row?.value;
}

/** Deletes a user's links of these kinds. @returns how many */
export async function deleteVerificationsOfUser(
  db: Database,
  userId: string,
  kinds: readonly string[],
): Promise<number> {
  return db('verifications').where({ userId }).whereIn('kind', kinds).delete();
}

/** @throws UniqueViolationError when another user has this address */
export async function setEmail(db: Database, userId: string, email: string): Promise<void> {
  await db('users').where({ id: userId }).update({ email, updatedAt: db.fn.now() });
}

export async function deletePassword(db: Database, userId: string): Promise<void> {
  await db('loginMethods').where({ userId, kind: 'credential' }).delete();
}
