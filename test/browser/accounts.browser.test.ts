// Users and their accounts: sign-up, sign-in and sign-out, passwords, sessions, and the separation of two accounts.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createLink, linkUrl } from '../../api/auth/links.ts';
import { addUser } from '../../api/auth/new-user.ts';
import { createAccount, createKey } from '../support/rows/factories.ts';
import { useDashboard } from '../support/pages/dashboard.ts';
import { takeMail } from '../support/servers/mails.ts';
import { createRecord, type System } from '../support/servers/system.ts';

const TEMPORAL_UI_URL = 'http://temporal.example:8233';
const OPERATOR = 'operator@example.test';

const dashboard = useDashboard({ TEMPORAL_UI_URL, OPERATOR_EMAILS: OPERATOR });
const PASSWORD = 'four words of a password';

const pageAt = (path: string): string => dashboard.url + path;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const mainText = (page: Page) => page.getByRole('main').innerText();
const mailTo = (email: string) => takeMail(dashboard.system, email);

async function signUp(page: Page, email: string): Promise<void> {
  await page.goto(pageAt('sign-up'));
  await field(page, 'Email').fill(email);
  await button(page, 'Sign up').click();
}

/** Completes the sign-up on the page that the mail links to. */
async function finish(page: Page, password = PASSWORD): Promise<void> {
  await field(page, 'Name').fill('Ada');
  await field(page, 'Password').fill(password);
  await button(page, 'Create account').click();
}

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(password);
  await button(page, 'Sign in').click();
}

async function askForReset(page: Page, email: string): Promise<string> {
  await page.goto(pageAt('forgot-password'));
  await field(page, 'Email').fill(email);
  await button(page, 'Email me a link').click();
  await heading(page, 'Check your email').waitFor();
  return mainText(page);
}

/** Signs up with this address. The user is signed in. */
async function newUser(email: string): Promise<Page> {
  const page = await dashboard.newPerson();
  await page.request.post(new URL('/auth/sign-up/email', dashboard.url).href, {
    headers: { origin: new URL(dashboard.url).origin },
    data: { email },
  });
  await page.goto((await mailTo(email)).link);
  await finish(page);
  await page.waitForURL(pageAt('records'));
  return page;
}

/** Opens another browser of the same user. */
async function secondBrowser(email: string): Promise<Page> {
  const page = await dashboard.newPerson({ userAgent: 'Firefox/140.0 (Linux)' });
  await page.goto(pageAt('sign-in'));
  await signIn(page, email);
  await page.waitForURL(pageAt('records'));
  return page;
}

describe('signing up', () => {
  const email = 'new@example.test';

  it('leads through a mail and an acceptable password to an empty account, and the link works once', async () => {
    const page = await dashboard.newPerson();
    await signUp(page, email);
    await heading(page, 'Check your email').waitFor();
    const told = await mainText(page);
    const { link } = await mailTo(email);

    // The user exists only after the mail's link was used.
    dashboard.expectComplaint('status of 401');
    await page.goto(pageAt('sign-in'));
    await signIn(page, email);
    await page.getByText(/you have not opened the link/).waitFor();

    await page.goto(link);
    await heading(page, 'Finish signing up').waitFor();
    expect(await mainText(page)).toContain(`A new account for ${email}.`);
    dashboard.expectComplaint('status of 422');
    await finish(page, 'short');
    await page.getByText('Must have at least 12 characters').waitFor();
    await field(page, 'Password').fill('x'.repeat(200));
    expect(await field(page, 'Password').inputValue()).toHaveLength(128);
    await finish(page);
    await page.waitForURL(pageAt('records'));
    await page.getByText('Watch your first URL').waitFor();
    expect(page.url()).toBe(pageAt('records'));

    const other = await dashboard.newPerson();
    await other.goto(link);
    await heading(other, 'This link was used already or has expired').waitFor();
    await other.getByText('npm run recordwatch -- account sign-in-link <account>').waitFor();
    expect(await other.context().cookies()).toEqual([]);

    // The signed-in user stays signed in.
    await page.goto(link);
    await heading(page, 'This link was used already or has expired').waitFor();
    await page.getByText(`You are still signed in as ${email}.`).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Go to your records' }).click();
    await page.waitForURL(pageAt('records'));

    // Anyone who tries the address again is told the same; only its owner learns more.
    await signUp(other, email);
    await heading(other, 'Check your email').waitFor();
    expect(await mainText(other)).toBe(told);
    expect((await mailTo(email)).subject).toBe('You have an account already');
  });
});

describe('a sign-in link', () => {
  const linkTo = async (email: string): Promise<string> => {
    const { db } = dashboard.system.database;
    const { id: userId } = await addUser(db, { accountId: await createAccount(db), email, name: 'Ada' });
    return linkUrl(new URL(dashboard.url).origin, await createLink(db, { kind: 'sign-in', userId }));
  };
  /** The account that the pages belong to. */
  const whoIsIn = async (page: Page): Promise<string | undefined> => {
    const answer = await page.request.get(new URL('/auth/get-session', dashboard.url).href);
    const told = (await answer.json()) as { user: { email: string } } | null;
    return told?.user.email;
  };

  it('names the account that it opens, and signs in only after a click', async () => {
    const email = 'by-link@example.test';
    const page = await dashboard.newPerson();
    const link = await linkTo(email);
    for (let visit = 0; visit < 2; visit += 1) {
      await page.goto('about:blank');
      await page.goto(link);
      await heading(page, 'Sign in with this link?').waitFor();
      expect(await mainText(page)).toContain(`This link signs you in as ${email}.`);
      expect(new URL(page.url()).hash).toBe('');
      expect(await whoIsIn(page)).toBeUndefined();
    }
    await button(page, 'Sign in').click();
    await page.waitForURL(pageAt('records'));
    expect(await whoIsIn(page)).toBe(email);
  });

  it('does not switch a signed-in user to another account unnoticed', async () => {
    const [mine, theirs] = ['mine@example.test', 'theirs@example.test'];
    const page = await newUser(mine);
    const link = await linkTo(theirs);
    await page.goto(link);
    await heading(page, 'Sign in to another account?').waitFor();
    expect(await mainText(page)).toContain(
      `You are signed in as ${mine}. This link signs you in as ${theirs}.`,
    );
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL(pageAt('records'));
    expect(await whoIsIn(page)).toBe(mine);

    await page.goto(link);
    await button(page, 'Sign in').click();
    await page.waitForURL(pageAt('records'));
    expect(await whoIsIn(page)).toBe(theirs);
  });
});

describe('signing in', () => {
  const email = 'in@example.test';

  it('is refused with the same message for all, and returns to the requested page', async () => {
    await (await newUser(email)).context().close();
    const page = await dashboard.newPerson();
    await page.goto(pageAt('developer'));
    await page.waitForURL('**/sign-in?next=%2Fdeveloper');
    dashboard.expectComplaint('status of 401');
    const refusals: string[] = [];
    for (const [who, password] of [
      [email, 'not the password'],
      ['nobody@example.test', PASSWORD],
    ] as const) {
      await signIn(page, who, password);
      refusals.push(await page.getByRole('alert').innerText());
      await page.reload();
    }
    expect(refusals[0]).toContain('Could not sign in');
    expect(refusals[0]).toBe(refusals[1]);
    await signIn(page, email);
    await page.waitForURL(pageAt('developer'));
    await heading(page, 'Account keys').waitFor();

    for (const hostile of [
      '//evil.example/records',
      'https://evil.example/',
      String.raw`/\evil.example`,
      '/\t/evil.example',
      '/..//evil.example',
      'javascript:document.title=1',
    ]) {
      await page.goto(pageAt(`sign-in?next=${encodeURIComponent(hostile)}`));
      await heading(page, 'Records').waitFor();
      expect(page.url()).toBe(pageAt('records'));
    }
  });

  it('ends with a sign-out, which leaves nothing of the account in the browser', async () => {
    const { system, origin } = dashboard;
    origin.set('/mine.csv', { body: 'id\n1\n' });
    await createRecord(system, { url: `${origin.url}/mine.csv`, name: 'Left behind' });
    const page = await dashboard.newOwner();
    await page.goto(pageAt('records'));
    await page.getByRole('link', { name: 'Left behind' }).click();
    await heading(page, 'Left behind').waitFor();
    // The open page refreshes itself. A refresh after the end of the session is refused.
    dashboard.expectComplaint('status of 401');
    await page.getByRole('banner').getByRole('button', { name: 'Ada' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await field(page, 'URL of the data').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(kept).not.toMatch(/left|cat_|user/i);

    await page.goBack();
    await heading(page, 'Sign in').waitFor();
    expect(await page.content()).not.toContain('Left behind');
    await page.goto(pageAt('account'));
    await heading(page, 'Sign in').waitFor();
  });
});

describe('a password', () => {
  it('that was forgotten is replaced through a mail, once, which ends all sessions', async () => {
    const email = 'forgetful@example.test';
    const inside = await newUser(email);
    const page = await dashboard.newPerson();
    const unknown = await askForReset(page, 'stranger@example.test');
    expect(await askForReset(page, email)).toBe(unknown.replace('stranger@', 'forgetful@'));
    const { link, subject } = await mailTo(email);
    expect(subject).toBe('Set a new password');

    dashboard.expectComplaint('status of 422');
    await page.goto(link);
    await field(page, 'New password').fill('short');
    await button(page, 'Set password').click();
    await page.getByText('Must have at least 12 characters').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await field(page, 'New password').fill('another long password');
    await button(page, 'Set password').click();
    await heading(page, 'Password changed').waitFor();

    // The page refreshes the list of records, and that request is refused.
    dashboard.expectComplaint('status of 401');
    await heading(inside, 'Sign in').waitFor();

    const other = await dashboard.newPerson();
    await other.goto(link);
    await field(other, 'New password').fill('one more long password');
    await button(other, 'Set password').click();
    await other.getByText(/This link was used already or has expired/).waitFor();

    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, email);
    await page.getByRole('alert').waitFor();
    await signIn(page, email, 'another long password');
    await page.waitForURL(pageAt('records'));
  });

  it('is changed by entering the old one, and sessions are ended one by one or with the change', async () => {
    const email = 'careful@example.test';
    const page = await newUser(email);
    const first = await secondBrowser(email);
    await first.goto(pageAt('developer'));
    dashboard.expectComplaint('status of 401');
    dashboard.expectComplaint('status of 422');
    await page.goto(pageAt('account'));
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await sessions.filter({ hasText: 'Firefox on Linux' }).waitFor();
    expect(await sessions.count()).toBe(2);
    expect(await sessions.filter({ hasText: 'This browser' }).count()).toBe(1);
    await button(page, 'End the session of Firefox on Linux').click();
    await button(page, 'End session').click();
    await sessions.filter({ hasText: 'Firefox on Linux' }).waitFor({ state: 'detached' });
    await first.reload();
    await heading(first, 'Sign in').waitFor();

    // After signing in again, the user returns to the same page.
    await signIn(first, email);
    await first.waitForURL(pageAt('developer'));
    await field(page, 'Current password').fill('not the password');
    await field(page, 'New password').fill('another long password');
    await button(page, 'Change password').click();
    await page.getByText('Is not your password.').waitFor();
    await field(page, 'Current password').fill(PASSWORD);
    await button(page, 'Change password').click();
    await page.getByText('All other sessions have ended.').waitFor();
    await sessions.filter({ hasText: 'Firefox on Linux' }).waitFor({ state: 'detached' });
    await first.getByRole('link', { name: 'Records', exact: true }).click();
    await heading(first, 'Sign in').waitFor();
    await signIn(first, email, 'another long password');
    await first.waitForURL(pageAt('records'));
  });
});

describe('another email address', () => {
  const ask = async (page: Page, to: string): Promise<void> => {
    await page.goto(pageAt('account'));
    await field(page, 'New email').fill(to);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
    await button(page, 'Change email address').click();
    await page.getByText(`We sent a link to ${to}.`).waitFor();
  };

  it('takes effect when its mail is confirmed, and the old address can undo it', async () => {
    const [email, next] = ['before@example.test', 'after@example.test'];
    const page = await newUser(email);
    await ask(page, 'elsewhere@example.test');
    await button(page, 'Cancel the change').click();
    await page.getByText('We sent a link to').waitFor({ state: 'detached' });
    await ask(page, next);
    const { link } = await mailTo(next);

    const stranger = await dashboard.newPerson();
    await stranger.goto(link);
    await stranger.getByText('Sign in to your account first.').waitFor();

    await page.goto(link);
    await heading(page, 'Confirm your new email address').waitFor();
    await button(page, 'Change my address').click();
    await page.waitForURL(pageAt('account'));
    await page.getByText(`You sign in with ${next}.`).waitFor();

    const notice = await mailTo(email);
    expect(notice.subject).toBe('Your email address was changed');
    dashboard.expectComplaint('status of 401');
    await stranger.goto(notice.link);
    await button(stranger, 'Bring it back').click();
    await heading(stranger, 'Your address is back').waitFor();
    await page.reload();
    await heading(page, 'Sign in').waitFor();
    await stranger.getByRole('link', { name: 'Set a new password' }).click();
    await field(stranger, 'Email').fill(email);
    await button(stranger, 'Email me a link').click();
    expect((await mailTo(email)).subject).toBe('Set a new password');
  });
});

describe('deleting the account', () => {
  it('requires its address and password, and signs out everywhere', async () => {
    const email = 'leaving@example.test';
    const page = await newUser(email);
    const other = await secondBrowser(email);
    await page.goto(pageAt('account'));
    await button(page, 'Delete account').click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    const confirm = dialog.getByRole('button', { name: 'Delete my account' });
    await dialog.getByLabel('Password', { exact: true }).fill('not the password');
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Email', { exact: true }).fill(email);
    dashboard.expectComplaint('status of 422');
    await confirm.click();
    await dialog.getByText('Is not your password.').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await confirm.click();
    await heading(page, 'Your account is deleted').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect((await mailTo(email)).subject).toBe('Your account was deleted');

    dashboard.expectComplaint('status of 401');
    await other.reload();
    await heading(other, 'Sign in').waitFor();
    await signUp(page, email);
    expect((await mailTo(email)).subject).toBe('Confirm your email address');
  });
});

describe('two accounts side by side', () => {
  it('see nothing of each other’s data', async () => {
    const { system, origin } = dashboard;
    const { db } = system.database;
    origin.set('/shared.csv', { body: 'id\n1\n' });
    const settings = { url: `${origin.url}/shared.csv`, slug: 'shared' };
    const own = await createRecord(system, { ...settings, name: 'Ours' });
    const accountId = await createAccount(db);
    const { value: key } = await createKey(db, accountId, 'full');
    const theirSystem: System = {
      ...system,
      call: (method, path, body, headers) =>
        system.call(method, path, body, { ...headers, authorization: `Bearer ${key}` }),
    };
    const others = await createRecord(theirSystem, { ...settings, name: 'Theirs' });

    const us = await dashboard.newOwner();
    const them = await dashboard.newOwner({ accountId });
    await us.goto(pageAt('records'));
    await us.getByRole('link', { name: 'Ours' }).waitFor();
    expect(await mainText(us)).not.toContain('Theirs');
    await them.goto(pageAt('records'));
    await them.getByRole('link', { name: 'Theirs' }).waitFor();
    expect(await mainText(them)).not.toContain('Ours');

    // Each account finds its own record by the same slug, and none by an id of the other account.
    await us.goto(pageAt('records/shared'));
    await heading(us, 'Ours').waitFor();
    await them.goto(pageAt('records/shared'));
    await heading(them, 'Theirs').waitFor();
    dashboard.expectComplaint('status of 404');
    for (const tab of ['', '/data', '/settings']) {
      await them.goto(pageAt(`records/${own.id}${tab}`));
      await them.getByText('Could not load this record').waitFor();
      expect(await them.content()).not.toContain('Ours');
    }
    await us.goto(pageAt(`records/${others.id}`));
    await us.getByText('Could not load this record').waitFor();

    await us.goto(pageAt('developer'));
    await button(us, 'New key').click();
    await us.getByRole('textbox', { name: 'Name' }).fill('our reader');
    await button(us, 'Create key').click();
    await button(us, 'Done').click();
    const keys = (page: Page) => page.getByRole('table', { name: 'API keys' });
    await keys(us).getByRole('rowheader', { name: 'our reader' }).waitFor();
    await them.goto(pageAt('developer'));
    await keys(them).waitFor();
    expect(await keys(them).getByRole('rowheader').allInnerTexts()).toEqual(['test']);
  });
});

it('shows the link to a record’s workflow to operators only', async () => {
  const { system, origin } = dashboard;
  origin.set('/led.csv', { body: 'id\n1\n' });
  const { id } = await createRecord(system, { url: `${origin.url}/led.csv`, slug: 'led' });
  const page = await dashboard.newOwner();
  await page.goto(pageAt('records/led'));
  await button(page, 'Check now').waitFor();
  const link = page.getByRole('link', { name: /^In Temporal: the workflow of this record/ });
  expect(await link.count()).toBe(0);
  await system.database.db('users').where({ accountId: system.accountId }).update({ email: OPERATOR });
  await page.reload();
  const namespace = encodeURIComponent(system.temporal.namespace);
  const href = `${TEMPORAL_UI_URL}/namespaces/${namespace}/workflows/record%2F${id}`;
  expect(await link.getAttribute('href')).toBe(href);
});
