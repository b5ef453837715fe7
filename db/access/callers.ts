// Finds who calls with a credential, and the record that the request names if the caller may see it. One statement does
// both, so that a call costs only this statement and the one that answers it.
import { isIdReference } from '../../core/ids.ts';
import type { ApiKeyKind } from '../../core/crypto/api-key.ts';
import type { Principal, Scope } from '../../core/principal.ts';
import type { Tier } from '../../core/tiers.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { lookUp } from '../driver/prepared.ts';
import { RECORD_COLUMNS, scopeSql, type TrackedRecord } from '../records/records.ts';

export interface Caller {
  principal: Principal;
  /** The record that the request names, if this principal may see it. */
  record: TrackedRecord | null;
}

interface CallerRow extends TrackedRecord {
  callerKind: 'account' | 'record' | 'ephemeral';
  callerAccountId: string;
  callerRecordId: string | null;
  credentialId: string;
  callerScope: Scope;
  callerTier: Tier;
  isUseDue: boolean;
}

/**
 * Finds whom a credential belongs to, if it works now. Nothing is cached, so a revoked credential stops working at once.
 * Records the use of a key, at most once a minute.
 * @param reference id or slug of a record, or `self`; null when the request names none. Must not hold control characters.
 */
export async function findCaller(
  db: Database,
  kind: ApiKeyKind,
  hash: Buffer,
  reference: string | null,
): Promise<Caller | undefined> {
  const form = formOf(reference);
  const values = form === 'none' || form === 'self' ? [hash] : [hash, reference];
  const [row] = await lookUp<CallerRow>(db, STATEMENTS[kind][form], values);
  if (row === undefined) return undefined;
  const { callerKind, callerAccountId, callerRecordId, credentialId, callerScope, callerTier, isUseDue } =
    row;
  if (isUseDue) await noteUse(db, 'api_keys', credentialId);
  // The tables' constraints make the members fit: a key of an account has no record; a key of a record has one, and never `full`.
  const principal = {
    kind: callerKind,
    accountId: callerAccountId,
    ...(callerRecordId === null ? {} : { recordId: callerRecordId }),
    credentialId,
    scope: callerScope,
    tier: callerTier,
  } as Principal;
  // A null id means that the join found no record.
  return { principal, record: (row.id as string | null) === null ? null : row };
}

/** SQL for the highest tier among an account's records: two index probes, however many records there are. @param account SQL of the account's id */
export const highestTierSql = (account: string): string => `
  case when exists (select from records where account_id = ${account} and tier = 'max' and deleted_at is null)
    then 'max'
  when exists (select from records where account_id = ${account} and tier = 'watch' and deleted_at is null)
    then 'watch'
  else 'free' end`;

/** Whether an API key works now. */
export const IS_WORKING = 'revoked_at is null and (expires_at is null or expires_at > now())';

/** Whether the last recorded use of a credential is more than a minute ago. */
export const IS_USE_DUE = `(last_used_at is null or last_used_at < now() - interval '1 minute')`;

const apiKeySql = (kind: 'account' | 'record'): string => `
  select id, kind, account_id, record_id, scope, ${highestTierSql('keys.account_id')} as tier,
    ${IS_USE_DUE} as is_use_due
  from api_keys keys
  where hash = $1 and kind = '${kind}' and ${IS_WORKING}
    -- A record's key ends when the record is deleted. Erasing both takes a while.
    and (record_id is null or exists (
      select from records where records.id = keys.record_id and ${scopeSql('keys.account_id', 'keys.record_id')}))`;

const SESSION = `
  select id, 'ephemeral' as kind, account_id, record_id, 'full' as scope, 'anonymous' as tier, false as is_use_due
  from ephemeral_sessions
  where token_hash = $1 and ended_at is null and expires_at > now()`;

/** A token of the dashboard ends with its login session and reaches what the user's account does. */
const DASHBOARD = `
  select sessions.id, 'account' as kind, users.account_id, null as record_id, 'full' as scope,
    ${highestTierSql('users.account_id')} as tier, false as is_use_due
  from dashboard_tokens tokens
  join login_sessions sessions on sessions.id = tokens.session_id
  join users on users.id = sessions.user_id
  where tokens.hash = $1 and tokens.expires_at > now() and sessions.expires_at > now()`;

/** The ways in which a request may name a record, each with its condition. */
const REFERENCE_FORMS = {
  none: 'false',
  self: 'records.id = callers.record_id',
  id: 'records.id = $2',
  slug: 'records.slug = $2',
} as const;

type ReferenceForm = keyof typeof REFERENCE_FORMS;

function formOf(reference: string | null): ReferenceForm {
  if (reference === null) return 'none';
  if (reference === 'self') return 'self';
  return isIdReference(reference) ? 'id' : 'slug';
}

const STATEMENTS: Record<ApiKeyKind, Record<ReferenceForm, string>> = {
  account: byForm(apiKeySql('account')),
  record: byForm(apiKeySql('record')),
  ephemeral: byForm(SESSION),
  dashboard: byForm(DASHBOARD),
};

function byForm(callers: string): Record<ReferenceForm, string> {
  const { none, self, id, slug } = REFERENCE_FORMS;
  return {
    none: callerSql(callers, none),
    self: callerSql(callers, self),
    id: callerSql(callers, id),
    slug: callerSql(callers, slug),
  };
}

function callerSql(callers: string, isNamed: string): string {
  return `
    select callers.id as "credentialId", callers.kind as "callerKind", callers.account_id as "callerAccountId",
      callers.record_id as "callerRecordId", callers.scope as "callerScope", callers.tier as "callerTier",
      callers.is_use_due as "isUseDue", found.*
    from (${callers}) callers
    left join lateral (
      select ${RECORD_COLUMNS}
      from records join record_heads heads on heads.record_id = records.id
      where ${isNamed} and ${scopeSql('callers.account_id', 'callers.record_id')}
    ) found on true`;
}

/** Records the use of a credential, unless a parallel call has just done so. */
export async function noteUse(
  db: Database,
  table: 'api_keys' | 'connected_clients',
  id: string,
): Promise<void> {
  await rawRows(db, `update ${table} set last_used_at = now() where id = ? and ${IS_USE_DUE}`, [id]);
}
