// How an operation writes its entry of the audit log.
import type { FastifyRequest } from 'fastify';
import type { AuditAction, AuditChange, AuditSource } from '../../core/audit.ts';
import type { Database } from '../../db/driver/knex.ts';
import { insertAuditEntry } from '../../db/accounts/audit-log.ts';

/** What an operation declares of its entries. */
export interface Audited {
  action: AuditAction;
  /** For operations that programs repeat. The calls of one caller within an hour share an entry, which counts them. */
  isMerged?: boolean;
}

/** Who made a change. */
interface AuditedCaller {
  accountId: string;
  credentialId: string;
}

/** The thing that was changed. */
interface AuditSubject {
  target: { id: string; name?: string | null };
  changes?: readonly AuditChange[];
  /** Default: the caller. Required where there is no credential. */
  by?: AuditedCaller;
}

/** Writes the operation's entry. @param db the transaction of the change */
export type Audit = (db: Database, subject: AuditSubject) => Promise<void>;

export function auditOf(
  { name, audit }: { name: string; audit?: Audited | null },
  { origin, principal }: { origin: AuditSource; principal?: AuditedCaller },
): Audit {
  return (db, { by = principal, ...subject }) => {
    if (!audit || by === undefined) throw new Error(`The operation ${name} has no entry in the audit log`);
    const { accountId, credentialId: actorId } = by;
    return insertAuditEntry(db, { ...audit, ...subject, accountId, actorId, origin });
  };
}

/** @param door the pages through which the request came */
export function originOfRequest(
  { ip, headers, id: requestId }: Pick<FastifyRequest, 'ip' | 'headers' | 'id'>,
  door: AuditSource['door'],
): AuditSource {
  return { door, ip, userAgent: headers['user-agent'] ?? null, requestId };
}
