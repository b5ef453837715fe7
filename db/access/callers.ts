// From a credential, and the record that its request names, to who calls and what of it they see: in one statement,
// so that a call costs no more than this and the statement that answers it.
import type { ApiKeyKind } from '../../core/crypto/api-key.ts';
import type { Principal, Scope } from '../../core/principal.ts';
import type { Tier } from '../../core/tiers.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { lookUp } from '../driver/prepared.ts';
import { columnOf, RECORD_COLUMNS, type TrackedRecord } from '../records/records.ts';

export interface Caller {
  principal: Principal;
  /** The record named, if this principal may see it. */
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
 * Who a credential stands for, if it works at this moment: there is no cache, so a revoked one stops at once.
 * Notes the use of a key, at most once a minute.
 * @param reference id or slug of a record, or `self`; null when the request names none. Without control characters.
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
  if (isUseDue) await noteUse(db, credentialId);
  // The tables hold these to one another: an account key has no record, a record key one and never `full`.
  const principal = {
    kind: callerKind,
    accountId: callerAccountId,
    ...(callerRecordId === null ? {} : { recordId: callerRecordId }),
    credentialId,
    scope: callerScope,
    tier: callerTier,
  } as Principal;
  // The join found no record: every one has an id.
  return { principal, record: (row.id as string | null) === null ? null : row };
}

/** The highest tier among an account's records: two probes of an index, however many it has. @param account SQL of its id */
export const highestTierSql = (account: string): string => `
  case when exists (select from records where account_id = ${account} and tier = 'max' and deleted_at is null)
    then 'max'
  when exists (select from records where account_id = ${account} and tier = 'watch' and deleted_at is null)
    then 'watch'
  else 'free' end`;

const apiKeySql = (kind: 'account' | 'record'): string => `
  select id, kind, account_id, record_id, scope, ${highestTierSql('keys.account_id')} as tier,
    (last_used_at is null or last_used_at < now() - interval '1 minute') as is_use_due
  from api_keys keys
  where hash = $1 and kind = '${kind}' and revoked_at is null and (expires_at is null or expires_at > now())
    -- The key of a record ends with it; its erasure takes a while.
    and (record_id is null
      or exists (select from records where records.id = keys.record_id and records.deleted_at is null))`;

const SESSION = `
  select id, 'ephemeral' as kind, account_id, record_id, 'full' as scope, 'anonymous' as tier, false as is_use_due
  from ephemeral_sessions
  where token_hash = $1 and ended_at is null and expires_at > now()`;

/** A token of the dashboard is its user's login: it ends with it, and reaches what the account does. */
const DASHBOARD = `
  select sessions.id, 'account' as kind, users.account_id, null as record_id, 'full' as scope,
    ${highestTierSql('users.account_id')} as tier, false as is_use_due
  from dashboard_tokens tokens
  join login_sessions sessions on sessions.id = tokens.session_id
  join users on users.id = sessions.user_id
  where tokens.hash = $1 and tokens.expires_at > now() and sessions.expires_at > now()`;

/** What a request may name a record by, and what that says of it. */
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
  return columnOf(reference) === 'records.id' ? 'id' : 'slug';
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
      where ${isNamed}
        and records.account_id = callers.account_id
        and (callers.record_id is null or records.id = callers.record_id)
        and records.deleted_at is null
    ) found on true`;
}

async function noteUse(db: Database, keyId: string): Promise<void> {
  await rawRows(
    db,
    `update api_keys set last_used_at = now()
     where id = ? and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [keyId],
  );
}
