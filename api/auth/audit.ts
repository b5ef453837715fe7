// Entries of the audit log for what people do on the pages for signing in and for their account.
import type { FastifyRequest } from 'fastify';
import type { AuditAction, AuditChange } from '../../core/audit.ts';
import { insertAuditEntry } from '../../db/accounts/audit-log.ts';
import type { Database } from '../../db/driver/knex.ts';
import { findUser, type User } from '../../db/access/users.ts';
import { originOfRequest } from '../contract/audit.ts';

interface ByUser {
  action: Extract<AuditAction, `user.${string}`>;
  user: Pick<User, 'id' | 'accountId' | 'name'>;
  /** For a person with a link who is not signed in. */
  isAnonymous?: boolean;
  changes?: readonly AuditChange[];
}

/** @param db the transaction of the change */
export function auditUser(
  db: Database,
  request: FastifyRequest,
  { action, user, isAnonymous = false, changes = [] }: ByUser,
): Promise<void> {
  return insertAuditEntry(db, {
    accountId: user.accountId,
    action,
    actorId: isAnonymous ? null : user.id,
    target: user,
    changes,
    origin: originOfRequest(request, 'sign-in'),
  });
}

/** The library stores a session by itself. Without its entry no cookie is sent, so nobody can use the session. */
export async function auditSignIn(db: Database, request: FastifyRequest, userId: string): Promise<void> {
  const user = await findUser(db, userId);
  if (user !== undefined) await auditUser(db, request, { action: 'user.sign_in', user });
}
