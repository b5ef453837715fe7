// People who sign in. Each belongs to one account; their sessions and links end by the database's clock.
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

/** The account's first user; undefined when nobody has signed up for it. */
export async function findUserOfAccount(db: Database, accountId: string): Promise<User | undefined> {
  return db('users').where({ accountId }).orderBy('id').first('id', 'accountId', 'email', 'name');
}

export async function findUser(db: Database, id: string): Promise<User | undefined> {
  return db('users').where({ id }).first('id', 'accountId', 'email', 'name');
}

export async function findUserByEmail(db: Database, email: string): Promise<User | undefined> {
  return db('users').where({ email }).first('id', 'accountId', 'email', 'name');
}

/** Hands a user to another account. */
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
 * Another password, or the same under other parameters: only as long as it has not been changed meanwhile.
 * @returns false when it has
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
  /** Whose it is: it goes with them. Null for who is no user yet. */
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

/** What a link that works is about. */
export async function findVerification(db: Database, identifierHash: Buffer): Promise<string | undefined> {
  const row = await db('verifications')
    .where({ identifierHash })
    .whereRaw('expires_at > now()')
    .first('value');
  return row?.value;
}

/** Uses a link up. @returns false when it works no more: of two at the same time, one gets it */
export async function takeVerification(db: Database, identifierHash: Buffer): Promise<boolean> {
  return (await db('verifications').where({ identifierHash }).whereRaw('expires_at > now()').delete()) > 0;
}

/** Ends the links that are about one of these very values. */
export async function deleteVerificationsOf(db: Database, values: readonly string[]): Promise<void> {
  await db('verifications').whereIn('value', values).delete();
}

/** What a user's newest link of a kind is about, if one works. */
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

/** Ends a user's links of these kinds. */
export async function deleteVerificationsOfUser(
  db: Database,
  userId: string,
  kinds: readonly string[],
): Promise<void> {
  await db('verifications').where({ userId }).whereIn('kind', kinds).delete();
}

/** Another address. @throws UniqueViolationError when another user has it */
export async function setEmail(db: Database, userId: string, email: string): Promise<void> {
  await db('users').where({ id: userId }).update({ email, updatedAt: db.fn.now() });
}

export async function deletePassword(db: Database, userId: string): Promise<void> {
  await db('loginMethods').where({ userId, kind: 'credential' }).delete();
}
