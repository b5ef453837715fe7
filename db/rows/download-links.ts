// Files and links to them: how long a link works, and whether who it was made for may still read. Both by the database's
// clock, which is the one that keys and sessions expire by; processes may differ.
import type { Tier } from '../../core/tiers.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import type { SnapshotPlace } from './snapshots.ts';

export interface DownloadableSnapshot extends SnapshotPlace {
  id: string;
  createdAt: Date;
  totalRows: number;
  columns: string[];
  bytes: number;
  /** What its rows are keyed by; none for a snapshot of an earlier generation. */
  keyFields: string[];
  accountId: string;
  slug: string;
  tier: Tier;
}

/** When a link to this snapshot of the record ends; undefined when there is no such snapshot. */
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

/** The key reaches the record (again, at this moment: it may have been moved) and works. */
const KEY_WORKS = `
  select from api_keys keys
  where keys.id = :credentialId and keys.account_id = records.account_id
    and (keys.record_id is null or keys.record_id = records.id)
    and keys.revoked_at is null and (keys.expires_at is null or keys.expires_at > now())`;

const SESSION_RUNS = `
  select from ephemeral_sessions sessions
  where sessions.id = :credentialId and sessions.record_id = records.id
    and sessions.ended_at is null and sessions.expires_at > now()`;

const LOGIN_RUNS = `
  select from login_sessions logins join users on users.id = logins.user_id
  where logins.id = :credentialId and users.account_id = records.account_id and logins.expires_at > now()`;

/** Disconnecting it deletes it, and so does the end of its grant. */
const CLIENT_CONNECTED = `
  select from connected_clients clients
  where clients.id = :credentialId and clients.account_id = records.account_id`;

const REACHES = `(${[KEY_WORKS, SESSION_RUNS, LOGIN_RUNS, CLIENT_CONNECTED].map((sql) => `exists (${sql})`).join(' or ')})`;

/** What a link leads to; undefined once its time is over, or its credential, its record or its snapshot is gone. */
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
       and ${REACHES}`,
    grant,
  );
  return row;
}

/** Whether a credential still works and reaches the record, as it did when the file was asked for. */
export async function mayStillRead(
  db: Database,
  reader: { recordNo: number; credentialId: string },
): Promise<boolean> {
  const rows = await rawRows(
    db,
    `select from record_heads heads join records on records.id = heads.record_id and records.deleted_at is null
     where heads.record_no = :recordNo and ${REACHES}`,
    reader,
  );
  return rows.length > 0;
}
