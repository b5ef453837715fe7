// The audit log: one entry for each change that somebody makes to an account, written in the transaction of the change.
import { randomUUID } from 'node:crypto';
import {
  ACTOR_KINDS,
  type AuditAction,
  type AuditActor,
  type AuditChange,
  type AuditSource,
} from '../../core/audit.ts';
import { type IdKind, isId, makeId } from '../../core/ids.ts';
import { scrubLine } from '../../core/log-scrub.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import type { PageRequest, SortOrder } from '../page.ts';

/** Entries are deleted when they are older. */
export const AUDIT_DAYS = 400;

const MAX_AGENT_CHARACTERS = 300;

export interface NewAuditEntry {
  accountId: string;
  action: AuditAction;
  /** The id of the credential, login or user; null for a person who is not known, and for the operator. */
  actorId: string | null;
  /** For the operator, who has no id. */
  actorName?: string;
  target: { id: string; name?: string | null };
  changes?: readonly AuditChange[];
  origin: AuditSource;
  /** For actions that programs repeat: those of an hour by the same actor share one entry, which counts them. */
  isMerged?: boolean;
}

/** The names of actors are stored as they are now, and a login as its user, because both may be deleted. */
const INSERT = `
  insert into audit_entries as known (id, account_id, action, actor_type, actor_id, actor_name, target_id, target_name,
    door, ip, user_agent, request_id, changes, merge_key)
  select :id, :accountId, :action, :actorType, coalesce(users.id, :actorId),
    coalesce(api_keys.name, connected_clients.name, users.name, :actorName), :targetId, :targetName,
    :door, :ip, :userAgent, :requestId, :changes, :mergeKey
  from (select :actorId::text as id) actor
  left join api_keys on api_keys.id = actor.id
  left join connected_clients on connected_clients.id = actor.id
  left join login_sessions on login_sessions.id = actor.id
  left join users on users.id = coalesce(login_sessions.user_id, actor.id)
  on conflict (merge_key) where merge_key is not null
  do update set count = known.count + 1, last_at = excluded.last_at`;

/** Adds an entry. Call it before the change deletes its actor. */
export async function insertAuditEntry(db: Database, entry: NewAuditEntry): Promise<void> {
  const { accountId, action, actorId, actorName, target, changes, origin, isMerged = false } = entry;
  const { door, ip, userAgent, requestId } = origin;
  const nowMs = Date.now();
  const parts = [accountId, action, actorId, target.id, door, ip, Math.floor(nowMs / 3_600_000)];
  await rawRows(db, INSERT, {
    id: makeId('auditEntry', nowMs, randomUUID()),
    accountId,
    action,
    actorType: actorType(entry),
    actorId,
    actorName: actorName ?? null,
    targetId: target.id,
    targetName: target.name ?? null,
    door,
    ip,
    // A caller may have put a key into it.
    userAgent: userAgent === null ? null : scrubLine(userAgent.slice(0, MAX_AGENT_CHARACTERS).toWellFormed()),
    requestId,
    changes: changes === undefined || changes.length === 0 ? null : JSON.stringify(changes),
    mergeKey: isMerged ? JSON.stringify(parts) : null,
  });
}

function actorType({ actorId, origin }: NewAuditEntry): AuditActor {
  if (origin.door === 'operator') return 'operator';
  if (actorId === null) return 'anonymous';
  const known = Object.entries(ACTOR_KINDS).find(([kind]) => isId(kind as IdKind, actorId));
  if (known === undefined) throw new Error('An actor of the audit log has an id of another kind');
  return known[1];
}

export interface AuditEntry extends AuditSource {
  id: string;
  createdAt: Date;
  lastAt: Date;
  count: number;
  action: AuditAction;
  actorType: AuditActor;
  actorId: string | null;
  actorName: string | null;
  targetId: string;
  targetName: string | null;
  changes: AuditChange[] | null;
}

/** The entries of an account: one more than the limit. */
export async function listAuditEntries(
  db: Database,
  accountId: string,
  order: SortOrder,
  { after, limit }: PageRequest<string>,
): Promise<AuditEntry[]> {
  const query = db('auditEntries').where({ accountId }).select('*');
  if (after !== null) void query.where('id', order === 'desc' ? '<' : '>', after);
  return query.orderBy('id', order).limit(limit + 1);
}

/**
 * Deletes at most `limit` entries that are too old, by the clock of the database as well: a worker's may be fast.
 * @returns how many were deleted
 */
export async function deleteOldAuditEntries(db: Database, limit: number): Promise<number> {
  const oldest = makeId('auditEntry', Date.now() - AUDIT_DAYS * 86_400_000, '0'.repeat(20));
  const old = db('auditEntries')
    .select('ctid')
    .where('id', '<', oldest)
    .whereRaw(`created_at < now() - make_interval(days => ?)`, [AUDIT_DAYS])
    .limit(limit);
  return db('auditEntries').whereRaw('ctid = any(array(?))', [old]).delete();
}
