// Creates every kind of credential, and records of three accounts with one object of each kind.
import { mintApiKey } from '../../../core/crypto/api-key.ts';
import { revokeApiKey } from '../../../db/access/api-keys.ts';
import { findLatestDeltaEvent } from '../../../db/rows/delta-events.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import { endLoginSession } from '../../../db/access/login-sessions.ts';
import { findRecord } from '../../../db/records/records.ts';
import { insertWebhook } from '../../../db/webhooks/webhooks.ts';
import type { TestApi } from './api.ts';
import { commitRows, createAccount, createKey, createTestRecord, newTestId } from '../rows/factories.ts';
import { makeConnectedClient } from '../rows/new-connected-client.ts';
import { newDashboardToken } from '../rows/new-dashboard-token.ts';
import { makeDelivery } from '../rows/new-delivery.ts';
import { makeKeyRequest } from '../rows/new-key-request.ts';
import { makeHeldCheck } from '../rows/new-held-check.ts';
import { makeSession } from '../rows/new-session.ts';

export type CredentialKind =
  | 'none'
  | 'malformed'
  | 'wrong checksum'
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'revoked record key'
  | 'expired record key'
  | 'ended session'
  | 'expired session'
  | 'ended login'
  | 'expired login'
  | 'expired dashboard token'
  | 'account full'
  | 'account dashboard'
  | 'account read'
  | 'account download'
  | 'account feed'
  | 'free account full'
  | 'free account dashboard'
  | 'stranger full'
  | 'stranger dashboard'
  | 'stranger read'
  | 'stranger download'
  | 'record read'
  | 'record download'
  | 'record feed'
  | 'sibling read'
  | 'sibling download'
  | 'stranger’s record read'
  | 'session'
  | 'other session';

/** A record with one object of each kind that belongs to a record. */
export interface Subject {
  record: string;
  slug: string;
  event: string;
  snapshot: string;
  webhook: string;
  /** A held check. */
  check: string;
  delivery: string;
  recordKey: string;
}

export interface MatrixWorld {
  credentials: Record<CredentialKind, string | null>;
  /** Of the paying account, of the free account, of an account without credentials here, and of the session. */
  mine: Subject;
  ofFree: Subject;
  foreign: Subject;
  ofSession: Subject;
  accountKeys: Record<'paying' | 'free' | 'stranger', string>;
  connectedClients: Record<'paying' | 'free' | 'stranger', string>;
  /** For all records of the account, each with a delivery. */
  accountWebhooks: Record<'paying' | 'free' | 'stranger', { webhook: string; delivery: string }>;
  /** The token of a session that is not kept yet. */
  keepToken: string;
  /** The code of a program that waits for a key. */
  userCode: string;
}

export async function makeMatrixWorld(api: TestApi): Promise<MatrixWorld> {
  const { db } = api;
  const [paying, free, stranger] = [
    await createAccount(db),
    await createAccount(db),
    await createAccount(db),
  ];
  const mine = await makeSubject(api, await createTestRecord(db, paying));
  const sibling = await createTestRecord(db, paying);
  const ofFree = await makeSubject(api, await createTestRecord(db, free, { tier: 'free' }));
  const foreign = await makeSubject(api, await createTestRecord(db, await createAccount(db)));
  const strangersRecord = await createTestRecord(db, stranger);
  await commitRows(db, strangersRecord, { a: '{"id":"a","price":"1"}' });
  const [session, other, ended, expired, forKeep] = [
    await makeSession(db),
    await makeSession(db),
    await makeSession(db),
    await makeSession(db),
    await makeSession(db),
  ];
  await db('ephemeral_sessions').where({ recordId: ended.recordId }).update({ endedAt: db.fn.now() });
  await db('ephemeral_sessions')
    .where({ recordId: expired.recordId })
    .update({ expiresAt: new Date(0) });
  const key = async (
    ...given: Parameters<typeof createKey> extends [unknown, ...infer Rest] ? Rest : never
  ) => (await createKey(db, ...given)).value;
  const accountFull = await key(paying, 'full');
  const accountKey = await createKey(db, paying, 'read');
  const accountKeys = {
    paying: accountKey.id,
    free: (await createKey(db, free, 'read')).id,
    stranger: (await createKey(db, stranger, 'read')).id,
  };
  return {
    mine,
    ofFree,
    foreign,
    ofSession: await makeSubject(api, session.recordId, false),
    accountKeys,
    connectedClients: {
      paying: await makeConnectedClient(db, paying),
      free: await makeConnectedClient(db, free),
      stranger: await makeConnectedClient(db, stranger),
    },
    accountWebhooks: {
      paying: await makeAccountWebhook(api, paying, mine.record),
      free: await makeAccountWebhook(api, free, ofFree.record),
      stranger: await makeAccountWebhook(api, stranger, strangersRecord),
    },
    keepToken: forKeep.token,
    userCode: (await makeKeyRequest(db)).userCode,
    credentials: {
      none: null,
      malformed: 'nonsense',
      'wrong checksum': accountFull.slice(0, -1) + (accountFull.endsWith('A') ? 'B' : 'A'),
      unknown: mintApiKey('account').value,
      revoked: await revokedKey(api, paying, null),
      expired: await expiredKey(api, paying, null),
      'revoked record key': await revokedKey(api, paying, mine.record),
      'expired record key': await expiredKey(api, paying, mine.record),
      'ended session': ended.token,
      'expired session': expired.token,
      'ended login': await endedLogin(api, paying),
      'expired login': await expiredLogin(api, paying, 'loginSessions'),
      'expired dashboard token': await expiredLogin(api, paying, 'dashboardTokens'),
      'account full': accountFull,
      'account dashboard': (await newDashboardToken(db, paying)).token,
      'account read': accountKey.value,
      'account download': await key(paying, 'download'),
      'account feed': await key(paying, 'feed'),
      'free account full': await key(free, 'full'),
      'free account dashboard': (await newDashboardToken(db, free)).token,
      'stranger full': await key(stranger, 'full'),
      'stranger dashboard': (await newDashboardToken(db, stranger)).token,
      'stranger read': await key(stranger, 'read'),
      'stranger download': await key(stranger, 'download'),
      'record read': await key(paying, 'read', mine.record),
      'record download': await key(paying, 'download', mine.record),
      'record feed': await key(paying, 'feed', mine.record),
      'sibling read': await key(paying, 'read', sibling),
      'sibling download': await key(paying, 'download', sibling),
      'stranger’s record read': await key(stranger, 'read', strangersRecord),
      session: session.token,
      'other session': other.token,
    },
  };
}

async function makeSubject({ db }: TestApi, record: string, hasKeys = true): Promise<Subject> {
  await commitRows(db, record, { a: '{"id":"a","price":"1"}' });
  await commitRows(db, record, { a: '{"id":"a","price":"2"}', b: '{"id":"b","price":"3"}' });
  const event = await findLatestDeltaEvent(db, record);
  const { slug = '', accountId = '' } = (await findRecord(db, record)) ?? {};
  const webhook = newTestId('webhook');
  const sealedSecret = Buffer.alloc(60);
  await insertWebhook(
    db,
    { id: webhook, recordId: record, url: 'https://example.com/hook', sealedSecret },
    20,
  );
  const delivery = await makeDelivery(db, webhook, record, event?.id ?? '');
  const recordKey = hasKeys ? (await createKey(db, accountId, 'read', record)).id : newTestId('apiKey');
  return {
    record,
    slug,
    event: event?.id ?? '',
    check: await makeHeldCheck(db, record),
    snapshot: event?.snapshotId ?? '',
    webhook,
    delivery,
    recordKey,
  };
}

async function makeAccountWebhook({ db }: TestApi, accountId: string, record: string) {
  const webhook = newTestId('webhook');
  const made = { id: webhook, accountId, url: 'https://example.com/all', sealedSecret: Buffer.alloc(60) };
  await insertWebhook(db, made, 20, { selects: 'all' });
  const event = await findLatestDeltaEvent(db, record);
  return { webhook, delivery: await makeDelivery(db, webhook, record, event?.id ?? '') };
}

async function revokedKey({ db }: TestApi, accountId: string, recordId: string | null): Promise<string> {
  const { id, value } = await createKey(db, accountId, recordId === null ? 'full' : 'read', recordId);
  await revokeApiKey(db, { accountId, recordId }, id);
  return value;
}

async function expiredKey({ db }: TestApi, accountId: string, recordId: string | null): Promise<string> {
  const { id, value } = await createKey(db, accountId, recordId === null ? 'full' : 'read', recordId);
  await db('api_keys')
    .where({ id })
    .update({ expiresAt: new Date(0) });
  return value;
}

async function endedLogin({ db }: TestApi, accountId: string): Promise<string> {
  const { token, sessionId, userId } = await newDashboardToken(db, accountId);
  await endLoginSession(db, userId, sessionId);
  return token;
}

async function expiredLogin(
  { db }: TestApi,
  accountId: string,
  table: 'loginSessions' | 'dashboardTokens',
): Promise<string> {
  const { token, sessionId } = await newDashboardToken(db, accountId);
  await db(table)
    .where(table === 'loginSessions' ? { id: sessionId } : { sessionId })
    .update({ expiresAt: new Date(0) });
  return token;
}

/** Counts of calls, and requests whose answer is all that they leave. */
const PASSING = [
  'usage_counters',
  'rule_previews',
  'record_previews',
  'knex_migrations',
  'knex_migrations_lock',
];

const NOTE_THEIR_USE = ['api_keys', 'connected_clients', 'login_sessions'];

/** A text that differs after any write to the database, apart from the last use of a key. */
export async function fingerprint({ db }: TestApi, without: readonly string[] = []): Promise<string> {
  const tables = await db('pg_tables').where({ schemaname: 'public' }).pluck('tablename');
  const parts = tables
    .filter((table) => ![...PASSING, ...without].includes(table))
    .map((table) => {
      const row = NOTE_THEIR_USE.includes(table)
        ? `(to_jsonb(t) - 'last_used_at')::text`
        : 'ctid::text || xmin';
      return `select '${table}' as name, sum(hashtextextended(${row}, 0))::text as hash from ${table} t`;
    });
  const rows = await rawRows<{ name: string; hash: string | null }>(db, parts.join(' union all '));
  return JSON.stringify(rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
}

/** What a call may change. */
export interface MatrixState {
  /** Of all but the audit log. */
  data: string;
  /** The signals to workflows so far. */
  signals: number;
  /** The audited calls so far. */
  entries: number;
}

export async function readState(api: TestApi): Promise<MatrixState> {
  const [audited] = await api.db('audit_entries').sum('count as entries');
  return {
    data: await fingerprint(api, ['audit_entries']),
    signals: api.workflows.calls.filter(({ name }) => !name.startsWith('preview')).length,
    entries: Number(audited?.['entries'] ?? 0),
  };
}

/** Brings an object into a state in which the operation changes something. */
export async function prepare(
  { db }: TestApi,
  operation: string,
  { record, delivery }: Pick<Subject, 'record' | 'delivery'>,
): Promise<void> {
  const failed = { status: 'failed', nextAttemptAt: null, finishedAt: new Date() };
  if (['pauseRecord', 'checkRecord'].includes(operation))
    await db('records').where({ id: record }).update({ status: 'active' });
  if (operation === 'resumeRecord') await db('records').where({ id: record }).update({ status: 'paused' });
  if (/^recover(Account)?Webhook$/.test(operation))
    await db('deliveries').where({ id: delivery }).update(failed);
  if (operation === 'answerKeyRequest')
    await db('key_requests').update({ isAllowed: null, accountId: null, approverId: null, scope: null });
}

/** Runs work while no entry can be added to the audit log. */
export async function withBrokenAuditLog<T>({ db }: TestApi, work: () => Promise<T>): Promise<T> {
  await rawRows(db, `alter table audit_entries add constraint broken check (false) not valid`);
  try {
    return await work();
  } finally {
    await rawRows(db, `alter table audit_entries drop constraint broken`);
  }
}
