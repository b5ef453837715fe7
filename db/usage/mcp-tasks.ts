// Tasks of MCP. Any process may answer for a task. The one that works on it holds a lease, which others take over when it
// runs out.
import { type Database, rawRows } from '../driver/knex.ts';

export interface McpTask {
  id: string;
  recordId: string;
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
  status: 'working' | 'completed' | 'cancelled';
  /** JSON; null unless completed. */
  result: string | null;
  isError: boolean;
  createdAt: Date;
  updatedAt: Date;
  /** Since createdAt. */
  ttlMs: number;
}

const COLUMNS = `id, record_id as "recordId", tool, arguments, status, result, is_error as "isError",
  created_at as "createdAt", updated_at as "updatedAt",
  (extract(epoch from expires_at - created_at) * 1000)::bigint as "ttlMs"`;

const LEASE = `now() + interval '30 seconds'`;

export interface NewTask {
  id: string;
  accountId: string;
  credentialId: string;
  recordId: string;
  tool: string;
  arguments: object;
  /** Whether this process works on it. */
  isLeased: boolean;
}

interface TaskLimits {
  ttlSeconds: number;
  /** Of an account. */
  max: number;
}

/**
 * @returns undefined when the account has as many as it may have. Calls at the same time may exceed that by a few, because they
 * do not see each other's tasks.
 */
export async function insertTask(
  db: Database,
  { arguments: args, ...task }: NewTask,
  limits: TaskLimits,
): Promise<McpTask | undefined> {
  const [row] = await rawRows<McpTask>(
    db,
    `insert into mcp_tasks (id, account_id, credential_id, record_id, tool, arguments, status, leased_until, expires_at)
     select :id, :accountId, :credentialId, :recordId, :tool, :args::json, 'working',
       case when :isLeased then ${LEASE} end, now() + :ttlSeconds * interval '1 second'
     where (select count(*) from mcp_tasks where account_id = :accountId and expires_at > now()) < :max
     returning ${COLUMNS}`,
    { ...task, ...limits, args: JSON.stringify(args) },
  );
  return row;
}

interface TaskOwner {
  accountId: string;
  credentialId: string;
}

/** Undefined if it has expired, or belongs to another credential. */
export async function findTask(db: Database, id: string, owner: TaskOwner): Promise<McpTask | undefined> {
  const [row] = await rawRows<McpTask>(
    db,
    `select ${COLUMNS} from mcp_tasks
     where id = :id and account_id = :accountId and credential_id = :credentialId and expires_at > now()`,
    { id, accountId: owner.accountId, credentialId: owner.credentialId },
  );
  return row;
}

/** Stores the result of a working task; does nothing to another. */
export async function completeTask(
  db: Database,
  id: string,
  { text, isError }: { text: string; isError: boolean },
): Promise<void> {
  await rawRows(
    db,
    `update mcp_tasks set status = 'completed', result = :text, is_error = :isError, updated_at = now()
     where id = :id and status = 'working'`,
    { id, text, isError },
  );
}

/** Does nothing to a task that is over. */
export async function cancelTask(db: Database, id: string): Promise<void> {
  await rawRows(
    db,
    `update mcp_tasks set status = 'cancelled', updated_at = now() where id = :id and status = 'working'`,
    { id },
  );
}

/** @returns whether the task is still working */
export async function renewLease(db: Database, id: string): Promise<boolean> {
  const rows = await rawRows(
    db,
    `update mcp_tasks set leased_until = ${LEASE} where id = :id and status = 'working' returning 1`,
    { id },
  );
  return rows.length > 0;
}

/** @returns whether the caller now holds the lease, because nobody did */
export async function takeLease(db: Database, id: string): Promise<boolean> {
  const rows = await rawRows(
    db,
    `update mcp_tasks set leased_until = ${LEASE}
     where id = :id and status = 'working' and leased_until < now() returning 1`,
    { id },
  );
  return rows.length > 0;
}

export async function giveUpLease(db: Database, id: string): Promise<void> {
  await rawRows(db, `update mcp_tasks set leased_until = now() where id = :id and status = 'working'`, {
    id,
  });
}

/** Deletes at most `limit` expired tasks. @returns how many were deleted */
export async function deleteOldTasks(db: Database, limit: number): Promise<number> {
  const old = db('mcp_tasks').select('ctid').whereRaw('expires_at < now()').limit(limit);
  return db('mcp_tasks').whereRaw('ctid = any(array(?))', [old]).delete();
}
