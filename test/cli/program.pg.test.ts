// The operator's commands on a real database, tested by their output. One test runs a process; the others run the same program
// in this one, because starting a process costs half a second.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planCheck } from '../../activities/checks/check-plan.ts';
import type { ActivityDeps } from '../../activities/deps.ts';
import { parseConfig } from '../../core/config.ts';
import { hashApiKey } from '../../core/crypto/api-key.ts';
import { unwrapDataKey } from '../../core/crypto/envelope.ts';
import { urlHash } from '../../core/crypto/url-hash.ts';
import { findAccount } from '../../db/accounts/accounts.ts';
import { findCaller } from '../../db/access/callers.ts';
import type { Database } from '../../db/driver/knex.ts';
import { findRecord } from '../../db/records/records.ts';
import { findUserOfAccount } from '../../db/access/users.ts';
import { findDeliveryLog } from '../../db/webhooks/delivery-log.ts';
import { findLatestDeltaEvent } from '../../db/rows/delta-events.ts';
import { insertWebhook, updateWebhook } from '../../db/webhooks/webhooks.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { commitRows, createTestRecord, newTestId } from '../support/rows/factories.ts';
import { makeConnectedClient } from '../support/rows/new-connected-client.ts';
import { makeDelivery } from '../support/rows/new-delivery.ts';
import { PROGRAMS } from '../support/servers/programs.ts';
import { type Ended, runInProcess } from '../support/servers/run-in-process.ts';

const MAIN = PROGRAMS.cli.path;
const KEYS = `k1:${randomBytes(32).toString('base64')}`;
const folder = mkdtempSync(join(tmpdir(), 'recordwatch-operator-'));
let env: NodeJS.ProcessEnv = {};
let db: Database;
let stop = async (): Promise<void> => undefined;

beforeAll(async () => {
  const database = await createTestDatabase();
  db = database.db;
  env = { DATABASE_URL: database.url, KEY_ENCRYPTION_KEYS: KEYS };
  stop = database.drop;
});

afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command with its own home folder, so that it finds no run of this checkout. */
function recordwatch(args: readonly string[], extra: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return runInProcess(args, { RECORDWATCH_HOME: join(folder, 'none'), ...env, ...extra });
}

/** The parsed output of a command with --json, which is all of its standard output. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
async function answer(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await recordwatch([...args, '--json']);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

const principalOf = async (key: string) =>
  (await findCaller(db, key.startsWith('cat_src_') ? 'record' : 'account', hashApiKey(key), null))?.principal;

it('the program file is executable, as npx needs it, and ends with what the program says', async () => {
  expect(statSync(MAIN).mode & 0o111).toBe(0o111);
  const run = (args: string[]) =>
    promisify(execFile)(MAIN, args, { env: { PATH: process.env['PATH'], HOME: folder, ...env } });
  expect(JSON.parse((await run(['account', 'list', '--json'])).stdout)).toMatchObject({ accounts: [] });
  await expect(run(['account', 'show', 'nonsense'])).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('acc_'),
  });
});

describe('account', () => {
  it('create makes an account with a key of scope full, outside the lock, shown once', async () => {
    const { id, name, apiKey } = await answer('account', 'create', '--name', 'Acme');
    expect(name).toBe('Acme');
    expect(apiKey).toMatchObject({ scope: 'full', kind: 'account', name: 'first key', revokedAt: null });
    expect(await principalOf(apiKey.key)).toMatchObject({ accountId: id, scope: 'full', tier: 'free' });
    const account = await findAccount(db, id);
    const { keyEncryptionKeys } = parseConfig(env);
    expect(() =>
      unwrapDataKey(keyEncryptionKeys, id, account?.wrappedDataKey ?? Buffer.alloc(0)),
    ).not.toThrow();
    for (const args of [
      ['account', 'show', id],
      ['account', 'list'],
      ['key', 'list', id],
    ]) {
      expect((await recordwatch(args)).stdout).not.toContain(apiKey.key);
    }
    const words = await recordwatch(['account', 'create', '--name', 'In words', '--key-name', 'laptop']);
    expect(words.stdout).toMatch(/^API key {2}cat_live_[0-9A-Za-z]{36}$/m);
    expect(words.stdout).toContain('shown this once');
  });

  it('sign-in-link makes a link that signs in as the account’s user, once', async () => {
    const { id } = await answer('account', 'create', '--name', 'Without a user');
    const first = await answer('account', 'sign-in-link', id);
    expect(first.user).toMatchObject({
      accountId: id,
      email: `${id}@recordwatch.local`,
      name: 'Without a user',
    });
    expect(first.url).toMatch(/^http:\/\/localhost:8080\/dashboard\/link#[\w-]{43}$/);
    const again = await answer('account', 'sign-in-link', id);
    expect(again.user).toEqual(first.user);
    expect(again.url).not.toBe(first.url);
    const links = await db('verifications').select('value', 'identifierHash');
    expect(links).toHaveLength(2);
    expect(JSON.parse(links[0].value)).toEqual({ kind: 'sign-in', userId: first.user.id });
    const words = await recordwatch(['account', 'sign-in-link', id], { BASE_URL: 'https://watch.example' });
    expect(words.stdout).toMatch(/^Link {5}https:\/\/watch\.example\/dashboard\/link#[\w-]{43}$/m);
    const missing = await recordwatch(['account', 'sign-in-link', newTestId('account')]);
    expect(missing.code).toBe(3);
  });

  it('set-mail gives the user another address, and ends sessions and links', async () => {
    const { id } = await answer('account', 'create', '--name', 'Moves');
    expect((await recordwatch(['account', 'set-mail', id, 'new@example.com'])).code).toBe(3);
    const { user } = await answer('account', 'sign-in-link', id);
    await db('loginSessions').insert({
      id: newTestId('loginSession'),
      userId: user.id,
      tokenHash: randomBytes(32),
      expiresAt: new Date(Date.now() + 60_000),
      address: '',
      userAgent: '',
    });
    expect(await answer('account', 'set-mail', id, 'New@Example.com')).toMatchObject({
      userId: user.id,
      email: 'new@example.com',
      previousEmail: user.email,
      notes: ['The old address got no mail: SMTP_URL is not set.'],
    });
    expect((await findUserOfAccount(db, id))?.email).toBe('new@example.com');
    expect(await db('loginSessions').where({ userId: user.id })).toEqual([]);
    expect(await db('verifications').where({ userId: user.id })).toEqual([]);
    const other = await answer('account', 'create', '--name', 'Other');
    await answer('account', 'sign-in-link', other.id);
    for (const [email, words] of [
      ['new@example.com', 'Another user has this address'],
      ['nobody', 'such as ada@example.com'],
    ] as const) {
      const { code, stderr } = await recordwatch(['account', 'set-mail', other.id, email]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    }
  });

  it('delete ends an account at once when confirmed, and no other', async () => {
    const { id, apiKey } = await answer('account', 'create', '--name', 'Goes');
    const other = await answer('account', 'create', '--name', 'Stays');
    const recordId = await createTestRecord(db, id);
    await answer('account', 'sign-in-link', id);
    const unasked = await recordwatch(['account', 'delete', id]);
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect(await principalOf(apiKey.key)).toBeDefined();
    const deleted = await answer('account', 'delete', id, '--yes');
    expect(deleted).toMatchObject({ id, name: 'Goes', recordCount: 1 });
    expect(deleted.notes).toEqual([
      expect.stringContaining('workflows could not be notified'),
      'Its users got no mail: SMTP_URL is not set.',
    ]);
    expect(await principalOf(apiKey.key)).toBeUndefined();
    expect(await principalOf(other.apiKey.key)).toBeDefined();
    expect(await findRecord(db, recordId)).toBeUndefined();
    expect(await findUserOfAccount(db, id)).toBeUndefined();
    for (const args of [
      ['account', 'delete', id, '--yes'],
      ['account', 'show', id],
      ['account', 'sign-in-link', id],
      ['account', 'set-mail', id, 'a@example.com'],
      ['key', 'create', id, '--name', 'x', '--scope', 'read'],
    ]) {
      expect([args, (await recordwatch(args)).code]).toEqual([args, 3]);
    }
    const { accounts } = await answer('account', 'list');
    expect(accounts.map((account: { id: string }) => account.id)).not.toContain(id);
    // The keys are still checked against an account that has some.
    await answer('account', 'create', '--name', 'After');
  });

  it('create requires the keys that seal the other accounts', async () => {
    await answer('account', 'create', '--name', 'Before');
    const others = `k1:${randomBytes(32).toString('base64')}`;
    for (const KEY_ENCRYPTION_KEYS of ['', others, others.replace('k1', 'k2')]) {
      const { code, stdout, stderr } = await recordwatch(['account', 'create', '--name', 'X'], {
        KEY_ENCRYPTION_KEYS,
      });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('KEY_ENCRYPTION_KEYS');
      expect(stderr).not.toContain(others.slice(3));
    }
  });

  it('show and list include tier, records and keys', async () => {
    const { id } = await answer('account', 'create', '--name', 'Shown');
    expect(await answer('account', 'show', id)).toMatchObject({
      tier: 'free',
      isUnlocked: false,
      recordCount: 0,
      keyCount: 1,
      records: [],
    });
    const name = 'Evil\u001B[2Jname\u009B31m\u202Egnp.exe';
    const recordId = await createTestRecord(db, id, { tier: 'watch', name });
    const shown = await answer('account', 'show', id);
    expect(shown).toMatchObject({
      tier: 'watch',
      isUnlocked: true,
      recordCount: 1,
      records: [{ id: recordId }],
    });
    // Nothing of it reaches the terminal as it is, and programs read it as it is.
    const escaped = String.raw`Evil\u001b[2Jname\u009b31m\u202egnp.exe`;
    expect((await recordwatch(['account', 'show', id])).stdout).toContain(escaped);
    expect(await answer('record', 'show', recordId)).toMatchObject({ name });
    expect((await recordwatch(['record', 'show', recordId, '--json'])).stdout).toContain(escaped);
    const { accounts, hasMore } = await answer('account', 'list', '--limit', '1');
    expect(accounts).toMatchObject([{ id, name: 'Shown', recordCount: 1 }]);
    expect(hasMore).toBe(true);
    const after = await answer('account', 'list', '--after', id);
    expect(after.accounts.map((account: { id: string }) => account.id)).not.toContain(id);
  });
});

describe('key', () => {
  it('create, list and revoke work on any tier', async () => {
    const { id: accountId } = await answer('account', 'create', '--name', 'Keys');
    const recordId = await createTestRecord(db, accountId, { tier: 'free', slug: 'prices' });
    const create = (...args: string[]) => answer('key', 'create', accountId, '--name', 'A key', ...args);
    const ofAccount = await create('--scope', 'read', '--expires', '2999-01-01T00:00:00Z');
    expect(ofAccount.expiresAt).toBe('2999-01-01T00:00:00.000Z');
    expect(await principalOf(ofAccount.key)).toMatchObject({ kind: 'account', accountId, scope: 'read' });
    const ofRecord = await create('--scope', 'download', '--record', 'prices');
    expect(await principalOf(ofRecord.key)).toMatchObject({ kind: 'record', recordId, scope: 'download' });
    expect((await answer('key', 'list', accountId)).count).toBe(2);
    const { apiKeys } = await answer('key', 'list', accountId, '--record', recordId);
    const { key: _value, ...shown } = ofRecord;
    expect(apiKeys).toMatchObject([{ id: shown.id, last4: shown.last4 }]);
    const { revokedAt } = await answer('key', 'revoke', ofRecord.id);
    expect(await principalOf(ofRecord.key)).toBeUndefined();
    expect((await answer('key', 'revoke', ofRecord.id)).revokedAt).toBe(revokedAt);
    expect((await recordwatch(['key', 'list', accountId, '--record', recordId])).stdout).toContain(
      'revoked 20',
    );
    expect((await recordwatch(['key', 'list', accountId])).stdout).toContain('works until 2999-01-01');
  });
});

describe('client', () => {
  it('list and revoke show and end OAuth connections', async () => {
    const { id: accountId } = await answer('account', 'create', '--name', 'Clients');
    const id = await makeConnectedClient(db, accountId);
    expect((await answer('client', 'list', accountId)).connectedClients).toMatchObject([
      { id, scope: 'read', lastUsedAt: null },
    ]);
    expect(await answer('client', 'revoke', id)).toMatchObject({ id, name: 'A client' });
    expect((await answer('client', 'list', accountId)).count).toBe(0);
  });
});

describe('record', () => {
  it('tier unlocks, and says that it could not tell the workflow', async () => {
    const { id: accountId, apiKey } = await answer('account', 'create', '--name', 'Tiers');
    const id = await createTestRecord(db, accountId, { tier: 'free', slug: 'prices' });
    expect((await principalOf(apiKey.key))?.tier).toBe('free');
    const raised = await answer('record', 'tier', 'prices', 'max', '--account', accountId);
    expect(raised).toMatchObject({ id, tier: 'max', previousTier: 'free', isWorkflowTold: false });
    expect(raised.notes).toEqual([expect.stringContaining('TEMPORAL_ADDRESS is not set')]);
    expect((await principalOf(apiKey.key))?.tier).toBe('max');
    expect(await answer('record', 'show', id)).toMatchObject({ id, tier: 'max', accountId, slug: 'prices' });
    expect((await recordwatch(['record', 'show', 'prices', '--account', accountId])).stdout).toContain(id);
  });

  it('tier says so too when Temporal does not respond', async () => {
    const { id: accountId } = await answer('account', 'create', '--name', 'Away');
    const id = await createTestRecord(db, accountId, { tier: 'free' });
    const { code, stdout } = await recordwatch(['record', 'tier', id, 'watch'], {
      TEMPORAL_ADDRESS: '127.0.0.1:1',
    });
    expect(code).toBe(0);
    expect(stdout).toContain('could not be notified (Temporal at 127.0.0.1:1');
    expect((await findRecord(db, id))?.tier).toBe('watch');
  });

  it('a lower tier’s smallest interval applies from the next plan', async () => {
    const { id: accountId } = await answer('account', 'create', '--name', 'Lowered');
    const url = 'https://example.com/prices.csv';
    const id = await createTestRecord(db, accountId, { tier: 'max', checkIntervalSeconds: 60, url });
    await commitRows(db, id, { a: '{"id":"a"}' });
    await db('record_heads')
      .where({ recordId: id })
      .update({ validatedUrlHash: urlHash(url) });
    // The dependencies that planning uses.
    const deps = { db, config: parseConfig({}) } as ActivityDeps;
    const plannedInMs = async (): Promise<number> => {
      const { plan } = await planCheck(deps, id);
      return plan.kind === 'check' ? plan.inMs : -1;
    };
    expect(await plannedInMs()).toBeLessThan(120_000);
    const { notes } = await answer('record', 'tier', id, 'free');
    expect(notes.join('\n')).toMatch(/every 1 min; on free it gets one every 60 min[^]*older than 30 days/);
    expect(await plannedInMs()).toBeGreaterThan(3_000_000);
  });

  it('tier leaves the record of a session alone', async () => {
    const { id: accountId } = await answer('account', 'create', '--name', 'Anonymous');
    const id = await createTestRecord(db, accountId, { tier: 'anonymous' });
    const { code, stderr } = await recordwatch(['record', 'tier', id, 'max']);
    expect(code).toBe(1);
    expect(stderr).toContain('anonymous session');
    expect((await findRecord(db, id))?.tier).toBe('anonymous');
  });
});

describe('delivery', () => {
  const makeOne = async () => {
    const { id: accountId } = await answer('account', 'create', '--name', 'Deliveries');
    const recordId = await createTestRecord(db, accountId);
    await commitRows(db, recordId, { a: '{"id":"a"}' });
    const webhookId = newTestId('webhook');
    const webhook = { id: webhookId, recordId, url: 'https://example.com/', sealedSecret: Buffer.alloc(60) };
    await insertWebhook(db, webhook, 20);
    const event = await findLatestDeltaEvent(db, recordId);
    return { recordId, webhookId, id: await makeDelivery(db, webhookId, recordId, event?.id ?? '') };
  };

  it('show includes its attempts and the responses', async () => {
    const { id, webhookId } = await makeOne();
    await db('attempts').where({ deliveryId: id }).update({ responseExcerpt: 'It is\u001B[2J broken.' });
    expect(await answer('delivery', 'show', id)).toMatchObject({
      id,
      webhookId,
      status: 'failed',
      workflowId: `delivery/${id}`,
      attempts: [{ number: 1, statusCode: 500, errorCode: 'http_error', response: 'It is\u001B[2J broken.' }],
    });
    const { stdout } = await recordwatch(['delivery', 'show', id]);
    expect(stdout).toMatch(/^Status +failed$/m);
    expect(stdout).toMatch(/^1 .* 12 ms +500 +http_error +It is\\u001b\[2J broken\.$/m);
  });

  it('redeliver reopens it, and says that it could not tell the workflow', async () => {
    const { id, recordId, webhookId } = await makeOne();
    const { notes, ...result } = await answer('delivery', 'redeliver', id);
    expect(result).toEqual({
      id,
      webhookId,
      status: 'pending',
      previousStatus: 'failed',
      isWorkflowTold: false,
    });
    expect(notes).toEqual([expect.stringContaining('TEMPORAL_ADDRESS is not set')]);
    expect(await findDeliveryLog(db, id)).toMatchObject({ status: 'pending', attemptCount: 1 });
    await updateWebhook(db, { recordId }, webhookId, { enabled: false });
    const { code, stderr } = await recordwatch(['delivery', 'redeliver', id]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${webhookId} is disabled`);
    expect(await findDeliveryLog(db, id)).toMatchObject({ status: 'cancelled' });
  });
});

describe('a command that fails', () => {
  const account = newTestId('account');
  it.each([
    [2, ['account', 'create'], '--name'],
    [2, ['account', 'create', '--name', ' '], 'printable'],
    [2, ['account', 'show', 'nonsense'], 'acc_'],
    [2, ['account', 'list', '--limit', '0'], '1 to 1000'],
    [2, ['key', 'create', account, '--name', 'x', '--scope', 'all'], 'full, read, download'],
    [2, ['key', 'create', account, '--name', 'x', '--scope', 'full', '--record', 'y'], 'read or download'],
    [
      2,
      ['key', 'create', account, '--name', 'x', '--scope', 'read', '--expires', '2020-01-01T00:00:00Z'],
      'future',
    ],
    [2, ['key', 'create', account, '--name', 'x', '--scope', 'read', '--expires', 'soon'], 'future'],
    [2, ['record', 'tier', newTestId('record'), 'anonymous'], 'free, watch, max'],
    [2, ['record', 'show', 'prices'], '--account'],
    [2, ['nonsense'], 'unknown command'],
    [3, ['account', 'show', account], account],
    [3, ['key', 'create', account, '--name', 'x', '--scope', 'read'], account],
    [3, ['key', 'list', account], account],
    [3, ['key', 'revoke', newTestId('apiKey')], 'key_'],
    [3, ['record', 'show', newTestId('record')], 'src_'],
    [3, ['record', 'tier', 'src_x', 'max'], 'src_x'],
    [2, ['delivery', 'show', 'nonsense'], 'dlv_'],
    [3, ['delivery', 'show', newTestId('delivery')], 'dlv_'],
    [3, ['delivery', 'redeliver', newTestId('delivery')], 'dlv_'],
  ])('ends with %i: %j', async (code, args, words) => {
    const ended = await recordwatch([...args, '--json']);
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(words);
  });

  it.each([
    ['account'],
    ['account', 'create'],
    ['account', 'show'],
    ['account', 'list'],
    ['key', 'create'],
    ['key', 'list'],
    ['key', 'revoke'],
    ['record', 'tier'],
    ['record', 'show'],
    ['delivery', 'show'],
    ['delivery', 'redeliver'],
  ])('has help: %s %s', async (...args) => {
    const { code, stdout } = await recordwatch([...args, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: recordwatch operator ${args.join(' ')}`);
    expect(stdout).toContain('Exit codes');
    expect(await recordwatch(['operator', ...args, '--help'])).toMatchObject({ code, stdout });
  });

  it('names the database without its password, and prints nothing to standard output', async () => {
    const DATABASE_URL = 'postgres://somebody:hidden-word@127.0.0.1:1/nowhere';
    const { code, stdout, stderr } = await recordwatch(['account', 'list', '--json'], { DATABASE_URL });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('127.0.0.1:1/nowhere');
    expect(stderr).not.toContain('hidden-word');
  });
});

describe('without DATABASE_URL', () => {
  const home = join(folder, 'run');
  const inRun = (args: string[], extra: NodeJS.ProcessEnv = {}) =>
    recordwatch(args, { DATABASE_URL: '', KEY_ENCRYPTION_KEYS: '', RECORDWATCH_HOME: home, ...extra });
  const dev = (runner: number) => ({
    databaseUrl: env['DATABASE_URL'],
    temporalAddress: '127.0.0.1:1',
    temporalNamespace: 'default',
    pids: { runner },
  });

  it('uses the running npm start and its keys', async () => {
    const none = await inRun(['account', 'list']);
    expect(none.code).toBe(1);
    expect(none.stderr).toContain('Set DATABASE_URL');
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'dev.json'), JSON.stringify(dev(process.pid)));
    writeFileSync(join(home, 'key-encryption-keys'), `${KEYS}\n`);
    const created = await inRun(['account', 'create', '--name', 'Beside npm start', '--json']);
    expect(created.stderr).toBe('');
    expect(await findAccount(db, JSON.parse(created.stdout).id)).toMatchObject({ name: 'Beside npm start' });
    // A killed run leaves its file behind.
    writeFileSync(join(home, 'dev.json'), JSON.stringify(dev(2 ** 30)));
    expect((await inRun(['account', 'list'])).stderr).toContain('does not name a run that is in progress');
  });
});

/** The audit entry of each command that changes something. */
const AUDITED: Readonly<Record<string, string>> = {
  'account create': 'account.create',
  'account sign-in-link': 'user.create_sign_in_link',
  'account set-mail': 'user.change_email',
  'account delete': 'account.delete',
  'client revoke': 'client.disconnect',
  'key create': 'api_key.create',
  'key revoke': 'api_key.revoke',
  'record tier': 'record.set_tier',
  'delivery redeliver': 'delivery.redeliver',
};
const READS = /^(account|client|delivery|key|record) (show|list)$/;

it('every command that changes an account is in its audit log', async () => {
  const writes: string[] = [];
  for (const group of ['account', 'client', 'delivery', 'key', 'record']) {
    const named = (await commandsOf(group)).map((command) => `${group} ${command}`);
    writes.push(...named.filter((name) => !READS.test(name)));
  }
  expect(writes.toSorted()).toEqual(Object.keys(AUDITED).toSorted());
  // The tests above have run each of them.
  const written: string[] = await db('audit_entries')
    .where({ door: 'operator' })
    .distinct('action')
    .pluck('action');
  expect(written.toSorted()).toEqual([...Object.values(AUDITED), 'user.create'].toSorted());
});

/** As --help lists them. */
async function commandsOf(group: string): Promise<string[]> {
  const { stdout } = await recordwatch([group, '--help']);
  const [, list = ''] = stdout.split('Commands:');
  return [...list.matchAll(/^ {2}([\w-]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}
