// Watches a URL without an account, from the field on the first page to a kept record.
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { takeMail } from '../support/servers/mails.ts';
import { HTML_PAGE } from '../support/servers/origin-server.ts';
import { recordTab as tab } from '../support/pages/record-tabs.ts';
import { until } from '../support/until.ts';

const dashboard = useDashboard();
const FIRST = 'sku,price\nA-1,10\nA-2,20\nA-3,30\n';
const SECOND = 'sku,price\nA-1,10\nA-2,25\nA-3,30\n';

const urlField = (page: Page) => page.getByLabel('URL of the data');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });
const table = (page: Page) => page.getByRole('table', { name: 'The first rows' });
const visitsOf = (path: string) => dashboard.origin.requests.filter((visit) => visit.path === path).length;

// One address may open ten sessions an hour, and these tests come close to that.
beforeEach(() => dashboard.system.database.db('usageCounters').del());

async function ask(page: Page, path: string): Promise<void> {
  await urlField(page).fill(dashboard.origin.url + path);
  await button(page, 'Watch it').click();
}

/** Opens a page that watches this path. */
async function begin(path: string, body = FIRST): Promise<Page> {
  dashboard.origin.set(path, { body });
  const page = await dashboard.newPerson();
  await page.goto(dashboard.url);
  await ask(page, path);
  await page.waitForURL('**/dashboard/session');
  await table(page).waitFor();
  return page;
}

/** The credential of the page's session. */
async function tokenOf(page: Page): Promise<string> {
  const address = (await page.getByLabel('MCP address', { exact: true }).textContent()) ?? '';
  return new URL(address).searchParams.get('token') ?? '';
}

const callSelf = (token: string) =>
  fetch(new URL('/v1/sources/self', dashboard.url), { headers: { authorization: `Bearer ${token}` } });

describe('a URL', () => {
  it('leads to its rows, their key with the reason, an MCP address, and the remaining time', async () => {
    const page = await begin('/prices.csv');
    const header = (name: string) => table(page).getByRole('columnheader', { name, exact: true });
    await header('sku (key field)').waitFor();
    await header('price').waitFor();
    expect(await table(page).getByRole('cell').allInnerTexts()).toEqual([
      'A-1',
      '10',
      'A-2',
      '20',
      'A-3',
      '30',
    ]);
    const token = await tokenOf(page);
    const record = (await (await callSelf(token)).json()) as { id: string; keyEvidence: { words: string } };
    expect(record).toMatchObject({ keyFields: ['sku'], tier: 'anonymous' });
    await page.getByRole('region', { name: 'Key field' }).getByText(record.keyEvidence.words).waitFor();
    const left = page.getByRole('region', { name: 'Remaining' });
    await left.getByText(/^23 hours 59 minutes of 24 hours/).waitFor();
    await left.getByText(/^(\d+) of \1 MCP calls$/).waitFor();

    await tab(page, 'Webhooks').click();
    const unlock = page.getByRole('link', { name: 'Sign up and keep this record' });
    expect(await unlock.getAttribute('href')).toBe(
      `/dashboard/sign-up?next=${encodeURIComponent('/keep?session=')}${encodeURIComponent(record.id)}`,
    );
  });

  it('is shown in the settings, whichever way the page was opened', async () => {
    dashboard.origin.set('/way.csv', { body: FIRST });
    const page = await dashboard.newPerson();
    const other = new URL(dashboard.url);
    other.hostname = 'localhost';
    await page.goto(other.href);
    await ask(page, '/way.csv');
    const { origin } = new URL(dashboard.url);
    await page.getByLabel('MCP address', { exact: true }).getByText(`${origin}/v1/mcp?token=`).waitFor();
    await tab(page, 'Connect').click();
    await page.getByText(`${origin}/v1/mcp`).first().waitFor();
    expect(await page.getByRole('main').innerText()).not.toContain(other.origin);
  });

  it('stays after reloads, the back button and a visit to the first page', async () => {
    const page = await begin('/stays.csv');
    await tab(page, 'Data').click();
    await page.waitForURL('**/session/data');
    await page.reload();
    await page.getByText('A-2').first().waitFor();
    await page.goBack();
    await table(page).waitFor();
    await page.reload();
    await table(page).waitFor();

    await page.goto(dashboard.url);
    await page.getByRole('region', { name: 'Your record' }).getByText('3 rows').waitFor();
    await page
      .getByRole('region', { name: 'Your record' })
      .getByRole('link', { name: 'Your record' })
      .click();
    await table(page).waitFor();
    expect(visitsOf('/stays.csv')).toBe(1);
  });
});

describe('a failed first fetch', () => {
  it('asks for credentials when the origin does, and fetches once with each attempt', async () => {
    const right = `Basic ${Buffer.from('ada:open sesame').toString('base64')}`;
    dashboard.origin.set('/locked.csv', ({ headers }) =>
      headers.authorization === right ? { body: FIRST } : { status: 401 },
    );
    const page = await dashboard.newPerson();
    await page.goto(dashboard.url);
    await ask(page, '/locked.csv');
    await heading(page, 'This URL needs credentials').waitFor();
    expect(visitsOf('/locked.csv')).toBe(1);
    const form = page.getByRole('form', { name: 'Credentials' });
    const give = async (password: string): Promise<void> => {
      await form.getByLabel('User name').fill('ada');
      await form.getByLabel('Password', { exact: true }).fill(password);
      await form.getByRole('button', { name: 'Fetch with these credentials' }).click();
    };
    await give('wrong');
    await until('the wrong ones were tried', () => visitsOf('/locked.csv') === 2);
    await give('open sesame');
    await page.waitForURL('**/dashboard/session');
    await table(page).getByRole('cell', { name: 'A-1' }).waitFor();
    expect(visitsOf('/locked.csv')).toBe(3);
    expect(await page.content()).not.toContain('open sesame');
  });

  it('says what came instead of data, or why a URL is refused, and another URL then works', async () => {
    dashboard.origin.set('/page', HTML_PAGE);
    dashboard.origin.set('/good.csv', { body: FIRST });
    const page = await dashboard.newPerson();
    await page.goto(dashboard.url);
    await ask(page, '/page');
    await heading(page, 'Could not read data from this URL').waitFor();
    await page.getByRole('alert').getByText('The origin sent a web page, not data.').waitFor();
    // A reload still shows the failure.
    await page.reload();
    await heading(page, 'Could not read data from this URL').waitFor();
    await button(page, 'Change the URL').click();
    expect(await urlField(page).inputValue()).toBe(`${dashboard.origin.url}/page`);

    dashboard.expectComplaint('status of 422');
    for (const inside of ['http://10.0.0.1/prices.csv', 'http://169.254.169.254/latest']) {
      await urlField(page).fill(inside);
      await button(page, 'Watch it').click();
      await page.getByText('Give a URL whose host is reachable from the public internet.').waitFor();
    }
    await page.getByText(/public hosts only/).waitFor();
    await urlField(page).fill('prices');
    await button(page, 'Watch it').click();
    await page.getByText('Give a complete URL such as https://example.com/data.csv.').waitFor();
    expect(await page.getByText(/public hosts only/).count()).toBe(0);

    await ask(page, '/good.csv');
    await page.waitForURL('**/dashboard/session');
    await table(page).waitFor();
    const { db } = dashboard.system.database;
    await until('the record without data is erased', async () => {
      const [row] = await db('records').where({ url: `${dashboard.origin.url}/page` });
      return row === undefined || row.deletedAt !== null;
    });
  });
});

describe('a URL that never had data', () => {
  it('is changed or discarded on its own page', async () => {
    dashboard.origin.set('/gone.csv', { status: 404 });
    const page = await dashboard.newPerson();
    await page.goto(dashboard.url);
    await ask(page, '/gone.csv');
    await heading(page, 'Could not read data from this URL').waitFor();
    await page.goto(`${dashboard.url}session`);
    await button(page, 'Change the URL').click();
    await expect.poll(() => urlField(page).inputValue()).toBe(`${dashboard.origin.url}/gone.csv`);
    const token = await page.evaluate(() => localStorage.getItem('recordwatch.session') ?? '');
    await button(page, 'Discard').click();
    await heading(page, 'Could not read data from this URL').waitFor({ state: 'detached' });
    expect(await urlField(page).inputValue()).toBe('');
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    expect((await callSelf((JSON.parse(token) as { token: string }).token)).status).toBe(401);
  });
});

describe('a session', () => {
  it('regression: stays that of its page when another tab begins one', async () => {
    const page = await begin('/first.csv');
    const stored = () => page.evaluate(() => localStorage.getItem('recordwatch.session'));
    const token = await tokenOf(page);
    await page.evaluate(() =>
      localStorage.setItem(
        'recordwatch.session',
        JSON.stringify({ id: 'src_other', token: 'other', expiresAt: '2999-01-01T00:00:00Z' }),
      ),
    );
    await tab(page, 'Data').click();
    await tab(page, 'Overview').click();
    await page.getByLabel('MCP address', { exact: true }).getByText(token).waitFor();
    await tab(page, 'Settings').click();
    await button(page, 'Delete this record').click();
    const name = await page.getByRole('heading', { level: 1 }).innerText();
    await page.getByLabel('Name of the record').fill(name);
    await button(page, 'Delete record').click();
    await page.waitForURL((url) => !url.pathname.includes('session'));
    expect(await stored()).toContain('src_other');
    dashboard.expectComplaint('status of 401');
  });

  it('that has ended says so and leads back to the start', async () => {
    const page = await begin('/ends.csv');
    dashboard.expectComplaint('status of 401');
    dashboard.expectComplaint('status of 404');
    const { db } = dashboard.system.database;
    const [record] = await db('records').where({ url: `${dashboard.origin.url}/ends.csv` });
    await db('ephemeral_sessions')
      .where({ recordId: record.id })
      .update({ expiresAt: db.raw("now() - interval '1 second'") });
    const note = page.getByRole('alert').filter({ hasText: 'This record no longer exists' });
    await note.getByText(/The session has ended/).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Watch a URL' }).click();
    await urlField(page).waitFor();
    expect(await page.getByRole('link', { name: 'Your record' }).count()).toBe(0);
    await page.goBack();
    await urlField(page).waitFor();
  });

  it('that was ended elsewhere is forgotten by the first page', async () => {
    const page = await begin('/erased.csv');
    dashboard.expectComplaint('status of 401');
    const headers = { authorization: `Bearer ${await tokenOf(page)}` };
    await page.goto('about:blank');
    const url = new URL('/v1/sources/self', dashboard.url);
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(204);
    await page.goto(dashboard.url);
    await urlField(page).waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
  });

  it('that the browser stored damaged counts as none', async () => {
    const page = await dashboard.newPerson();
    await page.goto(dashboard.url);
    for (const damaged of ['{', 'null', '{"id":"src_1"}']) {
      await page.evaluate((text) => localStorage.setItem('recordwatch.session', text), damaged);
      await page.goto(`${dashboard.url}session`);
      await urlField(page).waitFor();
      expect(new URL(page.url()).pathname).toMatch(/^\/dashboard\/?$/);
    }
  });

  it.each([
    ['Keep it', 'keeper@example.test'],
    // The link in the header left the record behind.
    ['Sign up', 'newcomer@example.test'],
  ])('regression: is kept by signing up through “%s”, with its history', async (link, email) => {
    const page = await begin('/kept.csv');
    const token = await tokenOf(page);
    dashboard.origin.set('/kept.csv', { body: SECOND });
    await button(page, 'Check now').click();
    await page.getByLabel('1 changed').first().waitFor();

    await page.getByRole('link', { name: link, exact: true }).click();
    await page.getByText(/Your record then moves into your account/).waitFor();
    await page.getByLabel('Email').fill(email);
    await button(page, 'Sign up').click();
    await heading(page, 'Check your email').waitFor();
    // The session is not touched until the link is used.
    expect((await callSelf(token)).status).toBe(200);

    await page.goto((await takeMail(dashboard.system, email)).link);
    await page.getByLabel('Name').fill('Grace');
    await page.getByLabel('Password', { exact: true }).fill('a long enough password');
    await button(page, 'Create account').click();
    await page.getByText(/kept\.csv is in your account now/).waitFor();
    await page.waitForURL('**/dashboard/records/*');
    await heading(page, 'kept').waitFor();
    await tab(page, 'Changes').click();
    await page.getByLabel('1 changed').first().waitFor();
    expect((await callSelf(token)).status).toBe(401);
    expect(await page.evaluate(() => localStorage.getItem('recordwatch.session'))).toBeNull();
    await page.getByRole('link', { name: 'Records', exact: true }).first().click();
    await page.getByRole('table', { name: 'Records' }).getByRole('link', { name: /kept/ }).waitFor();
  });
});
