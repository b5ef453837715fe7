// Download links: when a link expires, and whether its credential may still read the record. Both use the database's clock,
// by which keys and sessions expire, because the clocks of processes may differ.
import type { Tier } from '../../core/tiers.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { scopeSql } from '../records/records.ts';
import type { SnapshotRef } from './snapshots.ts';

export interface DownloadableSnapshot extends SnapshotRef {
  id: string;
  createdAt: Date;
  totalRows: number;
  columns: string[];
  bytes: number;
  /** The key fields of its rows; empty for a snapshot of an earlier generation. */
  keyFields: string[];
  accountId: string;
  slug: string;
  tier: Tier;
}

/** When a new link to this snapshot expires; undefined when the record has no such snapshot. */
export async function startDownload(
  db: Database,
  recordId: string,
  snapshotId: string,
  seconds: number,
): Promise<Date | undefined> {
  const [row] = await rawRows<{ expiresAt: Date }>(
    db,
    `select date_trunc('milliseconds', now()) + ? * interval '1 second' as "expiresAt" from snapshots
     where record_id = ? and id = ?`,
    [seconds, recordId, snapshotId],
  );
  return row?.expiresAt;
}

/** Credentials that work now, with their scopes: a record may have moved to another account since the link was made. */
const KEY_WORKS = `
  select from api_keys keys
  where keys.id = :credentialId and ${scopeSql('keys.account_id', 'keys.record_id')}
    and keys.revoked_at is null and (keys.expires_at is null or keys.expires_at > now())`;

const SESSION_IS_OPEN = `
  select from ephemeral_sessions sessions
  where sessions.id = :credentialId and ${scopeSql('sessions.account_id', 'sessions.record_id')}
    and sessions.ended_at is null and sessions.expires_at > now()`;

const LOGIN_IS_OPEN = `
  select from login_sessions logins join users on users.id = logins.user_id
  where logins.id = :credentialId and ${scopeSql('users.account_id', 'null')} and logins.expires_at > now()`;

/** Disconnecting a client deletes its row, and so does the end of its grant. */
const CLIENT_IS_CONNECTED = `
  select from connected_clients clients
  where clients.id = :credentialId and ${scopeSql('clients.account_id', 'null')}`;

const MAY_READ = `(${[KEY_WORKS, SESSION_IS_OPEN, LOGIN_IS_OPEN, CLIENT_IS_CONNECTED].map((sql) => `exists (${sql})`).join(' or ')})`;

/** The snapshot of a link; undefined once the link has expired, or its credential, its record or its snapshot is gone. */
export async function findDownload(
  db: Database,
  grant: { snapshotId: string; credentialId: string; expiresAtMs: number },
): Promise<DownloadableSnapshot | undefined> {
  const [row] = await rawRows<DownloadableSnapshot>(
    db,
    `select snapshots.id, snapshots.generation, snapshots.sequence, snapshots.columns,
       snapshots.bytes, case when snapshots.generation = heads.generation then heads.key_fields else '{}' end as "keyFields",
       snapshots.created_at as "createdAt", snapshots.total_rows as "totalRows",
       records.account_id as "accountId", records.slug, records.tier, heads.record_no as "recordNo"
     from snapshots
     join records on records.id = snapshots.record_id and records.deleted_at is null
     join record_heads heads on heads.record_id = records.id
     where snapshots.id = :snapshotId and to_timestamp(:expiresAtMs::double precision / 1000) > now()
       and ${MAY_READ}`,
    grant,
  );
  return row;
}

/** Whether a credential still works and may read the record. */
export async function mayStillRead(
  db: Database,
  reader: { recordNo: number; credentialId: string },
): Promise<boolean> {
  const rows = await rawRows(
    db,
    `select from record_heads heads join records on records.id = heads.record_id and records.deleted_at is null
     where heads.record_no = :recordNo and ${MAY_READ}`,
    reader,
  );
  return rows.length > 0;
}
