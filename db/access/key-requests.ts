// Requests of programs for an API key. Each is answered once, by the code that the person compares, and collected once, with
// the program's secret. All times are the database's.
import { type Database, type Knex, rawRows } from '../driver/knex.ts';

export interface NewKeyRequest {
  id: string;
  /** SHA-256 of the program's secret. */
  secretHash: Buffer;
  userCode: string;
  machine: string;
  address: string;
  lengthSeconds: number;
}

/** @returns when it expires; undefined when another request has this code */
export async function insertKeyRequest(db: Database, request: NewKeyRequest): Promise<Date | undefined> {
  const [row] = await rawRows<{ expiresAt: Date }>(
    db,
    `insert into key_requests (id, secret_hash, user_code, machine, address, expires_at)
     values (:id, :secretHash, :userCode, :machine, :address, now() + :lengthSeconds * interval '1 second')
     on conflict (user_code) do nothing
     returning expires_at as "expiresAt"`,
    { ...request },
  );
  return row?.expiresAt;
}

/** What the person sees. */
export interface OpenKeyRequest {
  userCode: string;
  machine: string;
  address: string;
  createdAt: Date;
  expiresAt: Date;
}

const IS_OPEN = 'is_allowed is null and expires_at > now()';

export async function findOpenKeyRequest(
  db: Database,
  userCode: string,
): Promise<OpenKeyRequest | undefined> {
  return db('keyRequests')
    .where({ userCode })
    .whereRaw(IS_OPEN)
    .first('userCode', 'machine', 'address', 'createdAt', 'expiresAt');
}

type KeyRequestScope = 'full' | 'read';

/** For which account a request was allowed, by which login or key, and with which scope. */
export interface Approval {
  accountId: string;
  approverId: string;
  scope: KeyRequestScope;
}

/**
 * @param approval null: it is refused
 * @returns the request; undefined when none that has this code waits for an answer
 */
export async function answerOpenKeyRequest(
  db: Database,
  userCode: string,
  approval: Approval | null,
): Promise<{ id: string; machine: string } | undefined> {
  const [answered] = await db('keyRequests')
    .where({ userCode })
    .whereRaw(IS_OPEN)
    .update({ isAllowed: approval !== null, ...approval })
    .returning<{ id: string; machine: string }[]>(['id', 'machine']);
  return answered;
}

/** Added to the interval of a program that asks too early (RFC 8628 3.5). */
const SLOWER_SECONDS = 5;
const SLOWEST_SECONDS = 60;

export interface AskedKeyRequest {
  id: string;
  machine: string;
  intervalSeconds: number;
  isExpired: boolean;
  /** Null: not answered. */
  isAllowed: boolean | null;
  accountId: string | null;
  approverId: string | null;
  scope: KeyRequestScope | null;
}

/**
 * Finds a request by its secret, notes that its program has asked, and locks it until the transaction ends.
 * @returns undefined for an unknown secret, and after the key was collected
 */
export async function askKeyRequest(
  trx: Knex.Transaction,
  secretHash: Buffer,
): Promise<AskedKeyRequest | undefined> {
  const [request] = await rawRows<AskedKeyRequest>(
    trx,
    `update key_requests set asked_at = now(),
       interval_seconds = case when asked_at > now() - interval_seconds * interval '1 second'
         then least(interval_seconds + ${SLOWER_SECONDS}, ${SLOWEST_SECONDS}) else interval_seconds end
     where secret_hash = ?
     returning id, machine, interval_seconds as "intervalSeconds", expires_at <= now() as "isExpired",
       is_allowed as "isAllowed", account_id as "accountId", approver_id as "approverId", scope`,
    [secretHash],
  );
  return request;
}

export async function deleteKeyRequest(trx: Knex.Transaction, id: string): Promise<void> {
  await trx('key_requests').where({ id }).delete();
}
