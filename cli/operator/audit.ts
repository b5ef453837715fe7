// Entries of the audit log for what the operator does to an account.
import { hostname, userInfo } from 'node:os';
import type { AuditAction, AuditChange } from '../../core/audit.ts';
import { insertAuditEntry } from '../../db/accounts/audit-log.ts';
import type { Database } from '../../db/driver/knex.ts';

const ORIGIN = { door: 'operator', ip: null, userAgent: null, requestId: null } as const;

interface ByOperator {
  action: AuditAction;
  accountId: string;
  target: { id: string; name?: string | null };
  changes?: readonly AuditChange[];
}

/** @param db the transaction of the change */
export function auditOperator(db: Database, entry: ByOperator): Promise<void> {
  return insertAuditEntry(db, { ...entry, actorId: null, actorName: whoRunsThis(), origin: ORIGIN });
}

/** For the operator's own search of the table: accounts do not see it. */
function whoRunsThis(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // The user has no entry in the password file, as in some containers.
    return hostname();
  }
}
