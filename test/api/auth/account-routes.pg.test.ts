// Deleting the signed-in user's account: who may do it, what ends at once, and what the worker erases later.
import { describe, expect, it } from 'vitest';
import type { Mail } from '../../../api/auth/mail/mails.ts';
import { mintApiKey } from '../../../core/crypto/api-key.ts';
import { issueApiKey } from '../../../db/access/api-keys.ts';
import {
  eraseSomeOfAccount,
  listErasableAccounts,
  markAccountDeleted,
} from '../../../db/accounts/accounts.ts';
import { eraseSomeOfRecord } from '../../../db/upkeep/retention.ts';
import { countLines } from '../../db/factories.ts';
import { useApi } from '../../support/api/api.ts';
import {
  type Browser,
  browserAt,
  newEmail,
  newUser,
  PASSWORD,
  signInByLink,
} from '../../support/api/browser.ts';
import { createAccount, createKey, createTestRecord, newTestId } from '../../support/rows/factories.ts';
import { makeConnectedClient } from '../../support/rows/new-connected-client.ts';
import { until } from '../../support/until.ts';

const mails: Mail[] = [];
const api = useApi({ rateLimitFactor: 100 }, { sendMail: async (mail) => void mails.push(mail) });

/** Creates an account with a user who is signed in and has this password. */
async function newAccount() {
  const accountId = await createAccount(api.db);
  const { user } = await newUser(api, accountId);
  const browser = await signInByLink(api, user);
  expect((await browser.post('/auth/change-password', { newPassword: PASSWORD })).status).toBe(200);
  const { value: key } = await createKey(api.db, accountId, 'full');
  return { accountId, user, browser, key };
}

const remove = (browser: Browser, email: string, currentPassword: string | undefined = PASSWORD) =>
  browser.post('/auth/delete-account', { email, ...(currentPassword && { currentPassword }) });

const statusOf = async (key: string, path = '/v1/sources'): Promise<number> =>
  (await api.call('GET', path, { key })).status;

/** Erases the account as the worker does after the workflows have erased their records. */
async function erase(): Promise<void> {
  for (const id of (await api.db('records').whereNotNull('deletedAt').pluck('id')) as string[]) {
    while (!(await eraseSomeOfRecord(api.db, id, 1)));
  }
  for (const id of await listErasableAccounts(api.db, 10)) while (!(await eraseSomeOfAccount(api.db, id, 1)));
}

describe('deleting an account', () => {
  it('ends every credential, login and record at once, tells the workflows, and writes to the user', async () => {
    const { accountId, user, browser, key } = await newAccount();
    const other = browserAt(api);
    await other.post('/auth/sign-in/email', { email: user.email, password: PASSWORD });
    const { token } = (await other.post('/auth/token')).body;
    const recordId = await createTestRecord(api.db, accountId);
    const { value: recordKey } = await createKey(api.db, accountId, 'read', recordId);
    const clientId = await makeConnectedClient(api.db, accountId);
    for (const works of [key, token]) expect(await statusOf(works)).toBe(200);
    expect(await statusOf(recordKey, '/v1/sources/self')).toBe(200);

    expect(await remove(browser, user.email.toUpperCase())).toMatchObject({ status: 200, body: {} });

    for (const dead of [key, token]) expect(await statusOf(dead)).toBe(401);
    expect(await statusOf(recordKey, '/v1/sources/self')).toBe(401);
    expect(browser.cookie()).toBe('');
    expect((await other.get('/auth/get-session')).body).toBeNull();
    expect((await other.post('/auth/sign-in/email', { email: user.email, password: PASSWORD })).status).toBe(
      401,
    );
    expect(await api.db('connected_clients').where({ id: clientId })).toEqual([]);
    expect((await api.db('accounts').where({ id: accountId }).first()).wrappedDataKey).toHaveLength(0);
    await until('the workflow is told', () =>
      api.workflows.calls.find(({ name, id }) => name === 'deleted' && id === recordId),
    );
    const mail = await until('the mail', () => mails.findLast(({ to }) => to === user.email));
    expect(mail.subject).toBe('Your account was deleted');
  });

  it('leaves nothing after the worker has erased it, and the address can sign up again', async () => {
    await erase();
    const before = await countLines(api.db);
    const { accountId, user, browser, key } = await newAccount();
    const body = { url: 'https://example.com/a.csv', authType: 'bearer', authToken: 'secret' };
    const made = await api.call('POST', '/v1/sources', {
      key,
      body,
      headers: { 'idempotency-key': 'once' },
    });
    expect(made.status).toBe(201);
    await api.db('records').where({ id: made.body.id }).update({ tier: 'watch' });
    const hook = await api.call('POST', `/v1/sources/${made.body.id}/webhooks`, {
      key,
      body: { url: 'https://example.com/hook' },
    });
    expect(hook.status).toBe(201);
    await makeConnectedClient(api.db, accountId);
    await api.db('oauth_objects').insert({
      kind: 'Session',
      idHash: Buffer.from(accountId),
      payload: JSON.stringify({ accountId }),
    });
    for (const what of ['mcp-calls', 'mails'])
      await api.db('usage_counters').insert({ subject: `${what} ${accountId}`, period: new Date(), used: 1 });
    expect((await remove(browser, user.email)).status).toBe(200);
    await erase();
    const { usage_counters: _now, ...after } = await countLines(api.db);
    const { usage_counters: _then, ...expected } = before;
    expect(after).toEqual(expected);
    expect(await api.db('usage_counters').where('subject', 'like', `%${accountId}%`)).toEqual([]);

    mails.splice(0);
    await browserAt(api).post('/auth/sign-up/email', { email: user.email });
    const mail = await until('the mail', () => mails.find(({ to }) => to === user.email));
    expect(mail.subject).toBe('Confirm your email address');
  });

  it('requires the address and the password', async () => {
    const { accountId, user, browser, key } = await newAccount();
    const faults = async (email: string, password?: string) => {
      const { status, body } = await remove(browser, email, password ?? '');
      return [status, body.errors?.[0]?.pointer];
    };
    expect(await faults(newEmail(), PASSWORD)).toEqual([422, '/email']);
    expect(await faults(user.email, `${PASSWORD}.`)).toEqual([422, '/currentPassword']);
    expect(await faults(user.email)).toEqual([422, '/currentPassword']);
    expect(await statusOf(key)).toBe(200);
    expect((await api.db('accounts').where({ id: accountId }).first()).deletedAt).toBeNull();
  });

  it('accepts a sign-in of the last 15 minutes from a user without a password', async () => {
    const accountId = await createAccount(api.db);
    const { user } = await newUser(api, accountId);
    const browser = await signInByLink(api, user);
    await api.db('loginSessions').where({ userId: user.id }).update({ createdAt: new Date(Date.now() - 16 * 60_000) }); // prettier-ignore
    const late = await remove(browser, user.email, '');
    expect([late.status, late.body.errors[0].pointer]).toEqual([422, '/currentPassword']);
    expect((await remove(await signInByLink(api, user), user.email, '')).status).toBe(200);
  });

  it('is not for API keys, dashboard tokens, other sites, or callers who are not signed in', async () => {
    const { user, browser, key } = await newAccount();
    const { token } = (await browser.post('/auth/token')).body;
    const body = { email: user.email, currentPassword: PASSWORD };
    for (const credential of [key, token, null]) {
      const { status } = await api.call('POST', '/auth/delete-account', {
        key: credential,
        body,
        headers: { 'sec-fetch-site': 'same-origin' },
      });
      expect(status).toBe(401);
    }
    const foreign = await browser.post('/auth/delete-account', body, { 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).toBe(400);
    expect(await statusOf(key)).toBe(200);
  });

  it('includes records that are added at that moment, and no record is added later', async () => {
    const { accountId } = await newAccount();
    const mark = () => markAccountDeleted(api.db, accountId, 10);
    const added = Promise.withResolvers<string>();
    const goOn = Promise.withResolvers<void>();
    const adding = api.db.transaction(async (trx) => {
      added.resolve(await createTestRecord(trx, accountId));
      await goOn.promise;
    });
    const recordId = await added.promise;
    const marking = mark();
    await until('it waits', async () => {
      const waiting = await api.db('pg_stat_activity').where({ waitEventType: 'Lock' });
      return waiting.length > 0;
    });
    goOn.resolve();
    await adding;
    expect(await marking).toMatchObject({ recordIds: [recordId] });
    expect(await mark()).toBeUndefined();
    await expect(createTestRecord(api.db, accountId)).rejects.toMatchObject({ code: 'unauthenticated' });
    const key = { accountId, recordId: null, scope: 'full', kind: 'account', name: 'late' } as const;
    const minted = { ...mintApiKey('account'), id: newTestId('apiKey') };
    const { value: _value, ...late } = { ...key, ...minted };
    expect(await issueApiKey(api.db, late, { creatorId: null, atMost: 100 })).toEqual({
      refused: 'owner gone',
    });
  });

  it('finds records that a process of the previous version has added since', async () => {
    const { accountId } = await newAccount();
    const recordId = await createTestRecord(api.db, accountId);
    await markAccountDeleted(api.db, accountId, 10);
    await api.db('records').where({ id: recordId }).update({ deletedAt: null, status: 'active' });
    expect(await listErasableAccounts(api.db, 10)).not.toContain(accountId);
    expect((await api.db('records').where({ id: recordId }).first()).deletedAt).not.toBeNull();
  });

  it('limits password attempts like a change of password', async () => {
    const limited = await newAccount();
    const statuses = [];
    for (let tried = 0; tried < 3; tried += 1) {
      statuses.push((await remove(limited.browser, limited.user.email, 'a wrong password')).status);
    }
    expect(statuses).toEqual([422, 422, 422]);
    const counted = await api.db('usage_counters').where('subject', 'like', 'auth password of %');
    expect(Math.max(...counted.map(({ used }) => used))).toBeGreaterThanOrEqual(3);
  });
});
