// Every operation with every kind of credential and object. The expected permissions are written down here, apart from the code.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../api/contract/operation.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { mintApiKey } from '../../../core/crypto/api-key.ts';
import { insertApiKey } from '../../../db/access/api-keys.ts';
import { answerRecordPreview } from '../../../db/records/record-previews.ts';
import { answerPreview } from '../../../db/records/rule-previews.ts';
import { useApi } from '../../support/api/api.ts';
import { newTestId } from '../../support/rows/factories.ts';
import { type Rule, RULES } from '../../support/api/matrix-rules.ts';
import { makeSession } from '../../support/rows/new-session.ts';
import {
  type CredentialKind,
  fingerprint,
  makeMatrixWorld,
  type MatrixState,
  type MatrixWorld,
  prepare,
  readState,
  withBrokenAuditLog,
  type Subject,
} from '../../support/api/matrix-world.ts';

const BODIES: Readonly<Record<string, (world: MatrixWorld) => object>> = {
  createRecord: () => ({ url: 'https://example.com/data.csv' }),
  previewRecord: () => ({ url: 'https://example.com/data.csv' }),
  updateRecord: () => ({ name: 'Renamed' }),
  createDownloadLink: () => ({}),
  querySnapshot: () => ({ measures: [{ measure: 'count' }] }),
  createWebhook: () => ({ url: 'https://example.com/hook' }),
  updateWebhook: () => ({ enabled: true }),
  recoverWebhook: () => ({ since: new Date(Date.now() - 3_600_000).toISOString() }),
  createAccountWebhook: () => ({ url: 'https://example.com/all' }),
  updateAccountWebhook: () => ({ enabled: true }),
  recoverAccountWebhook: () => ({ since: new Date(Date.now() - 3_600_000).toISOString() }),
  createApiKey: () => ({ name: 'For a test', scope: 'read' }),
  createRecordApiKey: () => ({ name: 'For a test', scope: 'read' }),
  keepRecord: ({ keepToken }) => ({ token: keepToken }),
  answerKeyRequest: ({ userCode }) => ({ userCode, answer: 'allow', scope: 'full' }),
  createSession: () => ({ url: 'https://example.com/data.csv' }),
};

const DECISIONS = ['acceptCheck', 'rejectCheck'];

const NOBODY: readonly CredentialKind[] = [
  'none',
  'malformed',
  'wrong checksum',
  'unknown',
  'revoked',
  'expired',
  'revoked record key',
  'expired record key',
  'ended session',
  'expired session',
  'ended login',
  'expired login',
  'expired dashboard token',
];

const SOMEBODY = [
  'account full',
  'account dashboard',
  'account read',
  'account download',
  'account feed',
  'free account full',
  'free account dashboard',
  'stranger full',
  'stranger dashboard',
  'stranger read',
  'stranger download',
  'record read',
  'record download',
  'record feed',
  'sibling read',
  'sibling download',
  'stranger’s record read',
  'session',
  'other session',
] as const satisfies readonly CredentialKind[];

type Somebody = (typeof SOMEBODY)[number];
type TargetName = 'mine' | 'mine by slug' | 'self' | 'ofFree' | 'foreign' | 'ofSession' | 'missing';

const TARGETS: readonly TargetName[] = [
  'mine',
  'mine by slug',
  'self',
  'ofFree',
  'foreign',
  'ofSession',
  'missing',
];

/** The records that a caller sees. */
const SIGHT: Readonly<Record<Somebody, readonly TargetName[]>> = {
  'account full': ['mine', 'mine by slug'],
  'account dashboard': ['mine', 'mine by slug'],
  'account read': ['mine', 'mine by slug'],
  'account download': ['mine', 'mine by slug'],
  'account feed': ['mine', 'mine by slug'],
  'free account full': ['ofFree'],
  'free account dashboard': ['ofFree'],
  'stranger full': [],
  'stranger dashboard': [],
  'stranger read': [],
  'stranger download': [],
  'record read': ['mine', 'mine by slug', 'self'],
  'record download': ['mine', 'mine by slug', 'self'],
  'record feed': ['mine', 'mine by slug', 'self'],
  // `self` is their own record, which is none of the other targets.
  'sibling read': ['self'],
  'sibling download': ['self'],
  'stranger’s record read': ['self'],
  session: ['ofSession', 'self'],
  'other session': ['self'],
};

const scopeOf = (caller: Somebody): string =>
  /(session|full|dashboard)$/.test(caller) ? 'full' : (caller.split(' ').at(-1) ?? '');

/** The status that refuses a caller for every object; undefined when it depends on the object. */
function refusal(rule: Rule, caller: Somebody): 402 | 403 | undefined {
  const isSession = caller.endsWith('session');
  const isOfAccount = !isSession && !/record|sibling/.test(caller);
  if (rule === 'anybody') return undefined;
  const [narrowest = 'full'] = /read|session|download|feed/.exec(rule) ?? [];
  if (!['full', ...(narrowest === 'full' ? [] : ['read', narrowest])].includes(scopeOf(caller))) return 403;
  if (rule.includes('locked') && isSession) return 402;
  if (rule.startsWith('creates') && caller.startsWith('free')) return 402;
  if (rule.endsWith('account') && !isOfAccount) return 403;
  return undefined;
}

const api = useApi();
const sameId = { 'x-request-id': 'the-same' };

function getOperation(wanted: string): Operation {
  const operation = OPERATIONS.find(({ name }) => name === wanted);
  if (operation === undefined) throw new Error(`There is no ${wanted}`);
  return operation;
}

const isOfAccountWebhook = ({ http }: Pick<Operation, 'http'>): boolean =>
  http.path.startsWith('/v1/webhooks');

const isOfRecord = ({ http }: Operation): boolean => http.path.includes(':id');

function subjectOf(world: MatrixWorld, target: TargetName): Subject {
  if (target === 'ofFree' || target === 'foreign' || target === 'ofSession') return world[target];
  if (target !== 'missing') return world.mine;
  return {
    record: newTestId('record'),
    slug: '',
    event: newTestId('deltaEvent'),
    snapshot: newTestId('snapshot'),
    webhook: newTestId('webhook'),
    check: newTestId('check'),
    delivery: newTestId('delivery'),
    recordKey: newTestId('apiKey'),
  };
}

const accountOf = (caller: CredentialKind): 'free' | 'stranger' | 'paying' =>
  caller.startsWith('free') ? 'free' : caller.startsWith('stranger') ? 'stranger' : 'paying';

function urlOf(operation: Operation, world: MatrixWorld, caller: CredentialKind, target: TargetName): string {
  const subject = subjectOf(world, caller === 'session' && target === 'self' ? 'ofSession' : target);
  if (target === 'mine by slug')
    return fillPath(operation, world, caller, { ...subject, record: subject.slug });
  if (target !== 'self') return fillPath(operation, world, caller, subject);
  // `self` may be another record than the subject, with its own snapshots.
  return fillPath(operation, world, caller, { ...subject, record: 'self', snapshot: 'latest' });
}

function fillPath({ http }: Operation, world: MatrixWorld, caller: CredentialKind, subject: Subject): string {
  const key = http.path.startsWith('/v1/apikeys') ? world.accountKeys[accountOf(caller)] : subject.recordKey;
  const { webhook, delivery } = isOfAccountWebhook({ http })
    ? world.accountWebhooks[accountOf(caller)]
    : subject;
  return http.path
    .replace(':id', subject.record)
    .replace(':deltaEventId', subject.event)
    .replace(':snapshotId', subject.snapshot)
    .replace(':webhookId', webhook)
    .replace(':deliveryId', delivery)
    .replace(':checkId', subject.check)
    .replace(':keyId', key)
    .replace(':connectedClientId', world.connectedClients[accountOf(caller)])
    .replace(':key', 'a')
    .replace(/key-requests$/, `$&?userCode=${world.userCode}`)
    .replace(/compare(\/rows)?$/, `$&?from=${subject.snapshot}&to=latest`);
}

async function call(
  operation: Operation,
  world: MatrixWorld,
  caller: CredentialKind,
  target: TargetName,
  body?: object,
) {
  return send(operation, world, caller, urlOf(operation, world, caller, target), body);
}

async function send(
  { name, http }: Operation,
  world: MatrixWorld,
  caller: CredentialKind,
  url: string,
  body: object | undefined = BODIES[name]?.(world),
) {
  return api.call(http.method, url, {
    key: world.credentials[caller],
    headers: sameId,
    ...(body === undefined ? {} : { body }),
  });
}

/** Ids in the path in addition to the record's. Keys of rows are not ids. */
const CHILDREN: readonly (readonly [part: RegExp, child: keyof Subject])[] = [
  [/:deltaEventId/, 'event'],
  [/:snapshotId|compare/, 'snapshot'],
  [/:webhookId/, 'webhook'],
  [/:deliveryId/, 'delivery'],
  [/:checkId/, 'check'],
  [/:id\/.*:keyId/, 'recordKey'],
];

const childrenOf = ({ http }: Operation): (keyof Subject)[] =>
  (isOfAccountWebhook({ http }) ? [] : CHILDREN)
    .filter(([part]) => part.test(http.path))
    .map(([, child]) => child);

/** The world of calls that must change nothing: refused calls and reads. */
let shared: MatrixWorld;

beforeAll(async () => {
  shared = await makeMatrixWorld(api);
  api.workflows.onPreview = async (id) => {
    const failure = { kind: 'failed', code: 'missing_key_field', detail: 'It is not there.' } as const;
    await answerPreview(api.db, id, failure);
    await answerRecordPreview(api.db, id, failure);
  };
});

let cells = 0;

/** Whether a call has changed something, and whether the audit log has it. @returns how many entries the call wrote */
async function countEntry({ name, audit }: Operation, before: MatrixState): Promise<number> {
  const after = await readState(api);
  const isChanged = after.data !== before.data || after.signals !== before.signals;
  const entries = after.entries - before.entries;
  expect([name, 'wrote entries', entries]).toEqual([name, 'wrote entries', isChanged ? 1 : 0]);
  const [last] = entries === 0 ? [] : await api.db('audit_entries').orderBy('lastAt', 'desc').limit(1);
  const written = last && [last.action, last.requestId];
  expect([name, written]).toEqual([name, last && [audit?.action, 'the-same']]);
  return entries;
}

it('has a rule for every operation', () => {
  expect(Object.keys(RULES).toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted());
});

describe.each(OPERATIONS.filter(({ scope }) => scope !== 'public'))('$name', (operation) => {
  const rule = RULES[operation.name] ?? 'anybody';
  const targets = isOfRecord(operation) ? TARGETS : (['mine'] as const);

  it('refuses every caller without permission with the same words, and changes nothing', async () => {
    const world = shared;
    const before = await fingerprint(api);
    for (const target of targets.filter((each) => ['mine', 'foreign', 'missing'].includes(each))) {
      for (const caller of NOBODY) {
        const { status, body, headers } = await call(operation, world, caller, target);
        expect([caller, target, status, body.code]).toEqual([caller, target, 401, 'unauthenticated']);
        expect(headers['www-authenticate']).toBe('Bearer');
        cells += 1;
      }
    }
    for (const caller of SOMEBODY) {
      const missing = isOfRecord(operation) ? (await call(operation, world, caller, 'missing')).text : '';
      for (const target of targets) {
        const refused = refusal(rule, caller);
        const isHidden =
          (isOfRecord(operation) && operation.name !== 'keepRecord' && !SIGHT[caller].includes(target)) ||
          (rule === 'session' && !caller.endsWith('session'));
        if (refused === undefined && !isHidden) continue;
        const { status, body, text } = await call(operation, world, caller, target);
        expect([caller, target, status]).toEqual([caller, target, refused ?? 404]);
        // Hidden and missing objects look the same. An account that says `self` is told what `self` means, and nothing else.
        const isOfNone = target === 'self' && refused === undefined;
        const asMissing = refused === undefined && isOfRecord(operation) && !isOfNone ? missing : text;
        expect([caller, target, text.includes('`self` works with ')]).toEqual([caller, target, isOfNone]);
        expect([caller, target, text]).toEqual([caller, target, asMissing]);
        expect(body.code).toBe({ 402: 'plan_required', 403: 'insufficient_scope', 404: 'not_found' }[status]);
        cells += 1;
      }
    }
    expect(await fingerprint(api)).toBe(before);
  });

  it('admits every caller with permission', async () => {
    let audited = 0;
    const isRead = operation.http.method === 'GET';
    let world = isRead ? shared : await makeMatrixWorld(api);
    for (const caller of SOMEBODY) {
      if (refusal(rule, caller) !== undefined) continue;
      if (rule === 'session' && !caller.endsWith('session')) continue;
      // A caller who sees a record only as `self` may have an empty record, so `self` is left out.
      const seen = isOfRecord(operation)
        ? SIGHT[caller].filter((target) => target !== 'self' || SIGHT[caller].length > 1)
        : (['mine'] as const);
      for (const target of operation.name === 'keepRecord' ? [] : seen) {
        const owned = isOfAccountWebhook(operation) ? world.accountWebhooks[accountOf(caller)] : {};
        await prepare(api, operation.name, { ...subjectOf(world, target), ...owned });
        const before = isRead ? undefined : await readState(api);
        const { status, text } = await call(operation, world, caller, target);
        expect([caller, target, status < 300 ? 'let in' : text]).toEqual([caller, target, 'let in']);
        cells += 1;
        if (before !== undefined) audited += await countEntry(operation, before);
        // A deleted object cannot be deleted again, and a decided check cannot be decided again.
        if (operation.http.method === 'DELETE' || DECISIONS.includes(operation.name))
          world = await makeMatrixWorld(api);
      }
    }
    // One that changes nothing here would prove nothing.
    expect(audited > 0).toBe(Boolean(operation.audit) && operation.name !== 'keepRecord');
  });

  it.runIf(operation.audit)('changes nothing when its entry cannot be written', async () => {
    const world = shared;
    const owned = isOfAccountWebhook(operation) ? world.accountWebhooks.paying : {};
    await prepare(api, operation.name, { ...world.mine, ...owned });
    const before = await readState(api);
    const { status } = await withBrokenAuditLog(api, () => call(operation, world, 'account full', 'mine'));
    const isKeep = operation.name === 'keepRecord';
    expect([status, await readState(api)]).toEqual([isKeep ? 404 : 500, before]);
  });

  it.each(childrenOf(operation))(
    'hides the %s of a foreign record under the caller’s own record',
    async (child) => {
      const world = shared;
      const before = await fingerprint(api);
      const { mine } = world;
      for (const caller of SOMEBODY) {
        if (refusal(rule, caller) !== undefined || !SIGHT[caller].includes('mine')) continue;
        const ask = (of: 'foreign' | 'missing') =>
          send(
            operation,
            world,
            caller,
            fillPath(operation, world, caller, { ...mine, [child]: subjectOf(world, of)[child] }),
          );
        const [foreign, missing] = [await ask('foreign'), await ask('missing')];
        expect([caller, foreign.status, foreign.text]).toEqual([caller, 404, missing.text]);
        cells += 1;
      }
      expect(await fingerprint(api)).toBe(before);
    },
  );
});

describe('keepRecord, where the token names the record and the caller the account', () => {
  const keepers = SOMEBODY.filter((caller) => refusal('full, account', caller) === undefined);
  const keep = getOperation('keepRecord');

  it('moves the record into the account of every permitted caller, by each reference', async () => {
    const world = await makeMatrixWorld(api);
    for (const caller of keepers) {
      for (const name of ['self', 'id', 'slug'] as const) {
        const { token, recordId } = await makeSession(api.db);
        const reference = { self: 'self', id: recordId, slug: 'prices' }[name];
        const url = `/v1/sources/${reference}/keep`;
        const before = await readState(api);
        const { status, body } = await send(keep, world, caller, url, { token });
        expect(await countEntry(keep, before)).toBe(1);
        expect([caller, name, status, body.id]).toEqual([caller, name, 200, recordId]);
        const key = world.credentials[caller];
        expect((await api.call('GET', `/v1/sources/${recordId}`, { key })).status).toBe(200);
        expect((await api.call('GET', '/v1/sources/self', { key: token })).status).toBe(401);
        cells += 1;
      }
    }
  });

  it('finds nothing with an unknown token, and only the token’s record', async () => {
    const world = shared;
    const before = await fingerprint(api);
    const unknown = mintApiKey('ephemeral').value;
    const nothing = await call(keep, world, 'account full', 'missing', { token: unknown });
    for (const caller of keepers) {
      for (const target of TARGETS) {
        for (const token of target === 'self' ? [unknown] : [unknown, world.keepToken]) {
          const { status, text } = await call(keep, world, caller, target, { token });
          expect([caller, target, status, text]).toEqual([caller, target, 404, nothing.text]);
          cells += 1;
        }
      }
    }
    expect(await fingerprint(api)).toBe(before);
  });
});

it('a new session is in its own account’s audit log', async () => {
  const before = await readState(api);
  const { status, body } = await send(getOperation('createSession'), shared, 'none', '/v1/sessions');
  expect(status).toBe(201);
  expect(await countEntry(getOperation('createSession'), before)).toBe(1);
  const [entry] = await api.db('audit_entries').where({ targetId: body.source.id });
  expect(entry).toMatchObject({ action: 'record.create', actorType: 'session' });
});

it('refuses a key whose prefix is of another kind than the stored one', async () => {
  const { value, ...minted } = mintApiKey('record');
  await insertApiKey(api.db, {
    id: newTestId('apiKey'),
    accountId: api.accountId,
    recordId: null,
    kind: 'account',
    scope: 'full',
    name: 'mixed up',
    ...minted,
  });
  expect((await api.call('GET', '/v1/sources', { key: value })).status).toBe(401);
});

it('finds nothing under an invalid reference', async () => {
  const missing = await api.call('GET', `/v1/sources/${newTestId('record')}`, { headers: sameId });
  for (const reference of ['%00%27--', '%F0%9F%98%80', '..%2F..%2Fhealthz', 'a'.repeat(200)]) {
    expect((await api.call('GET', `/v1/sources/${reference}`, { headers: sameId })).text).toBe(missing.text);
  }
});

it('has more than 1,000 cells', () => {
  expect(cells).toBeGreaterThan(1_000);
});
