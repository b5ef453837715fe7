// A new email address: confirmed by a signed-in user who gets its mails, reported to the old address, and undone from there.
import { describe, expect, it } from 'vitest';
import type { Mail } from '../../../api/auth/mail/mails.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import { useApi } from '../../support/api/api.ts';
import {
  type Browser,
  browserAt,
  newEmail,
  newUser,
  newUserWithPassword,
  PASSWORD,
  signInByLink,
} from '../../support/api/browser.ts';
import { until } from '../../support/until.ts';

const mails: Mail[] = [];
const api = useApi({ rateLimitFactor: 100 }, { sendMail: async (mail) => void mails.push(mail) });

const mailTo = (email: string): Promise<Mail> =>
  until('the mail', () => mails.findLast(({ to }) => to === email));

const tokenIn = ({ text }: Mail): string =>
  /^http:\/\/localhost:8080\/dashboard\/link#([\w-]+)$/m.exec(text)?.[1] ?? '';

async function newPerson() {
  const user = await newUserWithPassword(api);
  const browser = browserAt(api);
  expect((await signIn(user.email, PASSWORD, browser)).status).toBe(200);
  return { user, browser };
}

const signIn = (email: string, password: string, browser = browserAt(api)) =>
  browser.post('/auth/sign-in/email', { email, password });

const ask = (browser: Browser, newAddress: string, currentPassword = PASSWORD) =>
  browser.post('/auth/change-email', { newEmail: newAddress, currentPassword });

const shown = async (browser: Browser) => (await browser.get('/auth/get-session')).body?.user;

const isAbout =
  (address: string, words: string) =>
  ({ to, subject }: Mail): boolean =>
    to === address && subject.includes(words);

/** Statements on this database that wait for a lock. */
const waiting = async (): Promise<number> => {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await rawRows(api.db, sql)).length;
};

/** @returns the token of the mail to the old address */
async function change(browser: Browser, from: string, to: string): Promise<string> {
  expect((await ask(browser, to)).status).toBe(200);
  const token = tokenIn(await mailTo(to));
  expect((await browser.post('/auth/change-email/finish', { token })).status).toBe(200);
  return tokenIn(await mailTo(from));
}

describe('changing the address', () => {
  it('takes effect with the link sent to the new one, ends other sessions and links, and tells the old one', async () => {
    const { user, browser } = await newPerson();
    const other = await signInByLink(api, user);
    const { link } = await newUser(api);
    const to = newEmail();
    expect((await ask(browser, to.toUpperCase())).body).toEqual({});
    expect(await shown(browser)).toMatchObject({ email: user.email, pendingEmail: to });
    const token = tokenIn(await mailTo(to));
    expect((await browserAt(api).post('/auth/link/look', { token })).body).toEqual({
      kind: 'change-email',
      email: to,
    });
    expect((await browser.post('/auth/change-email/finish', { token })).status).toBe(200);
    expect(await shown(browser)).toMatchObject({ id: user.id, email: to, pendingEmail: null });
    expect(await shown(other)).toBeUndefined();
    expect((await signIn(user.email, PASSWORD)).status).toBe(401);
    expect((await signIn(to, PASSWORD)).status).toBe(200);
    const notice = await mailTo(user.email);
    expect(notice.text).toContain(to);
    expect((await browser.post('/auth/change-email/finish', { token })).status).toBe(401);
    // Of somebody else.
    expect((await browserAt(api).post('/auth/link', { token: link })).status).toBe(200);
  });

  it('responds the same for an address that has a user, whose owner is told and keeps it', async () => {
    const taken = await newUserWithPassword(api);
    const { user, browser } = await newPerson();
    const free = await ask(browser, newEmail());
    const answer = await ask(browser, taken.email);
    expect([answer.status, answer.text]).toEqual([free.status, free.text]);
    expect((await shown(browser)).pendingEmail).toBe(taken.email);
    const mail = await mailTo(taken.email);
    expect([mail.subject, tokenIn(mail)]).toEqual(['This address has an account already', '']);
    expect((await shown(browser)).email).toBe(user.email);
  });

  it('is given to the first of two users who confirm the same address', async () => {
    const to = newEmail();
    const first = await newPerson();
    const second = await newPerson();
    await ask(first.browser, to);
    const firstToken = tokenIn(await mailTo(to));
    mails.splice(0);
    await ask(second.browser, to);
    const secondToken = tokenIn(await mailTo(to));
    const finish = (browser: Browser, token: string) => browser.post('/auth/change-email/finish', { token });
    expect((await finish(second.browser, secondToken)).status).toBe(200);
    expect((await finish(first.browser, firstToken)).status).toBe(401);
    expect((await shown(first.browser)).email).toBe(first.user.email);
  });

  it('is confirmed only in a browser in which the same person is signed in', async () => {
    const { user, browser } = await newPerson();
    const to = newEmail();
    await ask(browser, to);
    const token = tokenIn(await mailTo(to));
    const stranger = await newPerson();
    for (const who of [browserAt(api), stranger.browser]) {
      expect((await who.post('/auth/change-email/finish', { token })).status).toBe(401);
    }
    expect((await shown(stranger.browser)).email).toBe(stranger.user.email);
    expect((await shown(browser)).email).toBe(user.email);
    expect((await browser.post('/auth/change-email/finish', { token })).status).toBe(200);
  });

  it('can be cancelled, and a new request invalidates the previous link', async () => {
    const { browser } = await newPerson();
    const [first, second] = [newEmail(), newEmail()];
    await ask(browser, first);
    const token = tokenIn(await mailTo(first));
    await ask(browser, second);
    expect((await shown(browser)).pendingEmail).toBe(second);
    expect((await browser.post('/auth/change-email/finish', { token })).status).toBe(401);
    expect((await browser.post('/auth/change-email/cancel')).status).toBe(200);
    expect((await shown(browser)).pendingEmail).toBeNull();
    const later = tokenIn(await mailTo(second));
    expect((await browser.post('/auth/change-email/finish', { token: later })).status).toBe(401);
  });

  it('ends with a new password', async () => {
    const { browser } = await newPerson();
    const to = newEmail();
    await ask(browser, to);
    const token = tokenIn(await mailTo(to));
    const passwords = { currentPassword: PASSWORD, newPassword: 'a quite different phrase' };
    expect((await browser.post('/auth/change-password', passwords)).status).toBe(200);
    expect((await browser.post('/auth/change-email/finish', { token })).status).toBe(401);
  });

  it.each([
    ['/currentPassword', { currentPassword: 'a wrong password' }],
    ['/currentPassword', { currentPassword: undefined }],
    ['/newEmail', { newEmail: 'ada' }],
    ['/newEmail', { newEmail: 'eve@example.com\r\nBcc: ada@example.com' }],
    ['/email', { email: 'ada@example.com' }],
  ])('refuses invalid %s: %o', async (pointer, given) => {
    const { browser } = await newPerson();
    const { status, body } = await browser.post('/auth/change-email', {
      newEmail: newEmail(),
      currentPassword: PASSWORD,
      ...given,
    });
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it('refuses the current address', async () => {
    const { user, browser } = await newPerson();
    expect((await ask(browser, user.email)).body.errors[0].pointer).toBe('/newEmail');
  });
});

describe('undoing it from the old address', () => {
  it('restores the address, and ends sessions and password, even those that were set since', async () => {
    const { user, browser: thief } = await newPerson();
    const [theirs, another] = [newEmail(), newEmail()];
    const undo = await change(thief, user.email, theirs);
    const passwords = { currentPassword: PASSWORD, newPassword: 'the phrase of a thief' };
    expect((await thief.post('/auth/change-password', passwords)).status).toBe(200);
    await thief.post('/auth/change-email', { newEmail: another, currentPassword: passwords.newPassword });
    const token = tokenIn(await mailTo(another));
    expect((await thief.post('/auth/change-email/finish', { token })).status).toBe(200);
    const theirUndo = tokenIn(await mailTo(theirs));

    const owner = browserAt(api);
    expect((await owner.post('/auth/link/look', { token: undo })).body).toEqual({
      kind: 'undo-email',
      email: user.email,
    });
    expect((await owner.post('/auth/change-email/undo', { token: undo })).status).toBe(200);
    expect(await shown(thief)).toBeUndefined();
    for (const email of [user.email, theirs, another]) {
      expect((await signIn(email, passwords.newPassword)).status).toBe(401);
    }
    expect((await owner.post('/auth/change-email/undo', { token: theirUndo })).status).toBe(401);
    expect((await owner.post('/auth/change-email/undo', { token: undo })).status).toBe(401);

    mails.splice(0);
    await owner.post('/auth/request-password-reset', { email: user.email });
    const reset = /reset-password#([\w-]+)/.exec((await mailTo(user.email)).text)?.[1];
    const newPassword = 'the phrase of its owner';
    expect((await owner.post('/auth/reset-password', { token: reset, newPassword })).status).toBe(200);
    expect((await signIn(user.email, newPassword, owner)).status).toBe(200);
    expect((await shown(owner)).id).toBe(user.id);
  });

  it('regression: ends the links of a change at the same time, too', async () => {
    const { user, browser: thief } = await newPerson();
    const [theirs, another] = [newEmail(), newEmail()];
    const undo = await change(thief, user.email, theirs);
    await ask(thief, another);
    const token = tokenIn(await mailTo(another));
    const lock = await api.db.transaction();
    await lock('users').where({ id: user.id }).forNoKeyUpdate().first('id');
    const changing = thief.post('/auth/change-email/finish', { token });
    await until('the change waits', async () => (await waiting()) === 1);
    const undoing = browserAt(api).post('/auth/change-email/undo', { token: undo });
    await until('the owner waits', async () => (await waiting()) === 2);
    await lock.rollback();
    expect((await changing).status).toBe(200);
    expect((await undoing).status).toBe(200);
    const theirUndo = tokenIn(await until('their mail', () => mails.find(isAbout(theirs, 'was changed'))));
    expect((await thief.post('/auth/change-email/undo', { token: theirUndo })).status).toBe(401);
  });

  it('is too late after another user has signed up with the old address', async () => {
    const { user, browser } = await newPerson();
    const to = newEmail();
    const undo = await change(browser, user.email, to);
    await api.db('users').insert({ ...(await newUser(api)).user, id: 'usr_other', email: user.email });
    expect((await browserAt(api).post('/auth/change-email/undo', { token: undo })).status).toBe(401);
    expect((await shown(browser)).email).toBe(to);
  });
});
