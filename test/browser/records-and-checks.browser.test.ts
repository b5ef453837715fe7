// The records of an account, from the list to the settings.
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { createAccount } from '../support/rows/factories.ts';
import { createGate } from '../support/gate.ts';
import { addPausedRecords } from '../support/rows/paused-records.ts';
import { recordTab } from '../support/pages/record-tabs.ts';
import { checkAndWait, createRecord } from '../support/servers/system.ts';
import { until } from '../support/until.ts';

/** Long enough that a held drop stays held until a user decides. */
const HELD_RECHECK_SECONDS = '86400';

const dashboard = useDashboard({ HELD_RECHECK_SECONDS });
/** Half an hour off the whole hours, so a time wrongly taken for UTC shows. */
const ZONE = { timezoneId: 'Asia/Kolkata', offsetMs: 5.5 * 3_600_000 };
const MINUTE_MS = 60_000;

let page: Page;
/** The id of the current test's record. */
let id: string;
let slug: string;
let records = 0;

beforeEach(async () => {
  page = await dashboard.newOwner({ timezoneId: ZONE.timezoneId });
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const region = (name: string) => page.getByRole('region', { name, exact: true });
const form = (name: string) => page.getByRole('form', { name, exact: true });
const alertOf = (words: string | RegExp) => page.getByRole('alert').filter({ hasText: words });
const events = () => page.getByRole('list', { name: 'Delta events' }).locator(':scope > li');
const progress = (words: string) => page.getByLabel('Progress of the check').getByText(words);
const rowsOf = (table: string) => page.getByRole('table', { name: table, exact: true }).getByRole('row');
const namesOfRecords = () => rowsOf('Records').getByRole('rowheader').getByRole('link').allTextContents();
const tab = (name: string) => recordTab(page, name).click();
const openList = () => page.goto(`${dashboard.url}records`);
const open = (path = '') => page.goto(`${dashboard.url}records/${slug}${path}`);
const check = () => checkAndWait(dashboard.system, id);
const readRecord = async () => (await dashboard.system.call('GET', `/v1/sources/${id}`)).body;
const dataPath = () => `/${slug}.csv`;
const serve = (body: string): void => dashboard.origin.set(dataPath(), { body });
/** The page may refresh the record in the moment in which its old address ends. */
const excuseLastQuestion = (): void =>
  dashboard.expectComplaint(`404 (Not Found) ${new URL(`/v1/sources/${slug}`, dashboard.url).href}`);
const visits = () => dashboard.origin.requests.filter(({ path }) => path === dataPath());

/** Creates a record and waits for its first check. */
async function watch(body: string, settings: Record<string, unknown> = {}): Promise<void> {
  records += 1;
  slug = `record-${records}`;
  serve(body);
  const url = `${dashboard.origin.url}${dataPath()}`;
  ({ id } = await createRecord(dashboard.system, { url, slug, name: `Record ${records}`, ...settings }));
}

const prices = (...values: number[]): string =>
  `id,price\n${values.map((v, at) => `r${at},${v}\n`).join('')}`;
const confirm = (title: string, name: string) =>
  dialog(title).getByRole('button', { name, exact: true }).click();
const save = (title: string) => form(title).getByRole('button', { name: 'Save', exact: true }).click();

const saved = (words: string) => page.getByText(words, { exact: true }).waitFor();

describe('the list', () => {
  it('shows failing records first, in another order on request, and finds records by a search', async () => {
    await watch(prices(1, 2, 3), { name: 'List: Alpha', slug: 'list-alpha' });
    await watch(prices(1), { name: 'List: Gamma' });
    dashboard.origin.set(dataPath(), { status: 500 });
    await check();
    const failingSlug = slug;
    await watch(prices(1, 2), { name: 'List: Beta' });
    serve(prices(1, 5));
    await check();
    await openList();
    await page.getByLabel('Search by name, slug or URL').fill('LIST: ');
    await expect.poll(namesOfRecords).toEqual(['List: Gamma', 'List: Beta', 'List: Alpha']);
    await page.waitForURL((url) => url.searchParams.get('search') === 'LIST: ');
    await rowsOf('Records').filter({ hasText: 'Gamma' }).getByText('Failing').waitFor();
    await rowsOf('Records').filter({ hasText: 'Beta' }).getByLabel('1 change in 30 days').waitFor();
    await page.getByLabel('Order of the records').selectOption('Name');
    await expect.poll(namesOfRecords).toEqual(['List: Alpha', 'List: Beta', 'List: Gamma']);
    await page.reload();
    await expect.poll(namesOfRecords).toEqual(['List: Alpha', 'List: Beta', 'List: Gamma']);
    await link('List: Gamma').click();
    await page.waitForURL(`**/records/${failingSlug}`);
    await page.goBack();
    await expect.poll(namesOfRecords).toEqual(['List: Alpha', 'List: Beta', 'List: Gamma']);
    await page.getByLabel('Search by name, slug or URL').fill('nowhere');
    await page.getByText('No record matches').waitFor();
  });

  it('holds hundreds of records and renders the visible ones', async () => {
    const accountId = await createAccount(dashboard.system.database.db);
    await addPausedRecords(dashboard.system.database.db, accountId, 300);
    page = await dashboard.newOwner({ accountId });
    await openList();
    await page.getByLabel('Order of the records').selectOption('Name');
    await link('Record 001').waitFor();
    expect(await rowsOf('Records').count()).toBeLessThan(40);
    // A page is loaded when its beginning comes near.
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 20_000);
        return namesOfRecords();
      })
      .toContain('Record 300');
    expect(await rowsOf('Records').count()).toBeLessThan(40);
    await page.getByLabel('Search by name, slug or URL').fill('record 217');
    await expect.poll(namesOfRecords).toEqual(['Record 217']);
  });
});

describe('the overview', () => {
  it('shows the events of a period, which survives reload and back', async () => {
    await watch(prices(1, 2));
    serve(prices(1, 3));
    await check();
    const atMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 48 * 60 * MINUTE_MS;
    await dashboard.system.database
      .db('delta_events')
      .where({ recordId: id, number: 2 })
      .update({ detectedAt: new Date(atMs) });
    serve(prices(1, 3, 4));
    await check();
    await open();
    await expect.poll(() => events().count()).toBe(2);
    const local = (ms: number): string => new Date(ms + ZONE.offsetMs).toISOString().slice(0, 16);
    await page.getByLabel('From').fill(local(atMs - MINUTE_MS));
    await page.getByLabel('Until').fill(local(atMs + MINUTE_MS));
    await region('Events in the selected period').getByLabel('1 changed').waitFor();
    await page.getByText('The events of this period are below.').waitFor();
    await expect.poll(() => events().count()).toBe(1);
    const isStretch = ({ searchParams }: URL): boolean =>
      searchParams.get('since') === new Date(atMs - MINUTE_MS).toISOString() &&
      searchParams.get('until') === new Date(atMs + MINUTE_MS).toISOString();
    await page.waitForURL(isStretch);
    await page.reload();
    await expect.poll(() => events().count()).toBe(1);
    await events().getByRole('link').click();
    await page.getByRole('table', { name: 'Rows of the event' }).waitFor();
    await page.goBack();
    await page.waitForURL(isStretch);
    await expect.poll(() => events().count()).toBe(1);
    expect(await page.getByLabel('Until').inputValue()).toBe(local(atMs + MINUTE_MS));
    await button('All time').click();
    await expect.poll(() => events().count()).toBe(2);
    await page.waitForURL(({ searchParams }) => !searchParams.has('since'));
  });

  it('shows the result of a check without a reload, also when another client requested it', async () => {
    await watch(prices(1, 2));
    await open();
    await page.getByText('No changes in the history that is kept').waitFor();
    serve(prices(1, 2, 3));
    await check();
    await events().getByLabel('1 new').waitFor();

    const gate = createGate();
    dashboard.origin.set(dataPath(), { body: prices(7, 8), until: gate.wait() });
    await button('Check now').click();
    await progress('Checking now').waitFor();
    gate.open();
    await progress('Checked: rows have changed').waitFor();
    await events().first().getByLabel('2 changed').waitFor();
    await expect.poll(() => events().count()).toBe(2);
    await link('See the rows').click();
    await page.getByRole('table', { name: 'Rows of the event' }).getByText('r2').first().waitFor();
    // Only the page that requested the check announces its result, until the next action.
    await progress('Checked: rows have changed').waitFor({ state: 'detached' });
    await button('Check now').click();
    await progress('Checked: nothing has changed').waitFor();
    await button('Pause').click();
    await progress('Checked: nothing has changed').waitFor({ state: 'detached' });
  });

  it('pauses and resumes the record', async () => {
    await watch(prices(1));
    await open();
    await button('Pause').click();
    await page.getByText('Paused: no check is scheduled').waitFor();
    await expect.poll(() => button('Check now').isDisabled()).toBe(true);
    expect(await readRecord()).toMatchObject({ status: 'paused' });
    await page.reload();
    await button('Resume').click();
    await expect.poll(() => button('Check now').isEnabled()).toBe(true);
    expect(await readRecord()).toMatchObject({ status: 'active' });
  });

  it('shows advice for a failing record until it works again', async () => {
    await watch(prices(1, 2));
    dashboard.origin.set(dataPath(), { status: 503 });
    await check();
    await open();
    await alertOf('The last check failed').getByText('The origin has a problem of its own.').waitFor();
    await alertOf('The last check failed').getByText('If it asked for a longer wait').waitFor();
    dashboard.origin.set(dataPath(), { status: 404 });
    await check();
    const failing = alertOf('The last 2 checks failed');
    await failing.getByText('Change the URL in the settings').waitFor();
    await failing.getByText('The last snapshot stays').waitFor();
    await failing.getByRole('link', { name: 'Checks' }).click();
    await expect.poll(() => rowsOf('Checks').filter({ hasText: 'Failed' }).count()).toBe(2);
    await rowsOf('Checks').nth(1).getByRole('link').click();
    await page.getByText('HTTP 404').first().waitFor();
    await page.getByText('Change the URL in the settings').waitFor();
    await tab('Overview');
    serve(prices(1, 2));
    await button('Check now').click();
    await failing.waitFor({ state: 'detached' });
    await page.getByText('Healthy').waitFor();
  });

  it('says when a record does not exist or was deleted', async () => {
    await watch(prices(1), { name: 'Stays' });
    await watch(prices(1));
    await open();
    await page.getByRole('heading', { level: 1, name: `Record ${records}` }).waitFor();
    dashboard.expectComplaint('404');
    await dashboard.system.call('DELETE', `/v1/sources/${id}`);
    await alertOf('Could not load this record')
      .getByText('it was deleted, or its address has changed')
      .waitFor();
    await page.reload();
    await alertOf('Could not load this record').waitFor();
    await link('All records').click();
    await page.waitForURL('**/dashboard/records');
    await link('Stays').waitFor();
    expect(await link(`Record ${records}`).count()).toBe(0);
  });
});

describe('checks', () => {
  it('show outcomes, and warnings with samples', async () => {
    await watch(prices(1, 2), { keyFields: ['id'] });
    await check();
    serve(`${prices(1, 2)}r1,3\nshort\n`);
    await check();
    await open('/checks');
    await expect.poll(() => rowsOf('Checks').count()).toBe(4);
    const [first, latest] = [rowsOf('Checks').nth(3), rowsOf('Checks').nth(1)];
    await first.getByText('First check').waitFor();
    await first.getByText('First snapshot').waitFor();
    await first.getByText('2 rows to compare later checks with').waitFor();
    await rowsOf('Checks').nth(2).getByText('Unchanged').waitFor();
    // Two checks of one minute can be told apart.
    expect(await latest.getByRole('time').innerText()).toMatch(/:\d\d:\d\d/);
    await latest.getByText('Changed').waitFor();
    await latest.getByText('Repeated keys (1)').waitFor();
    await latest.getByRole('link', { name: 'Check 3' }).click();
    const warnings = page.getByRole('list', { name: 'Warnings' });
    await warnings.getByText('Repeated keys: 1').waitFor();
    await warnings.getByText('Short rows: 1').waitFor();
    await warnings.getByText('r1', { exact: true }).waitFor();
    await link('See the event').click();
    await page
      .getByRole('table', { name: 'Rows of the event' })
      .getByText('short', { exact: true })
      .first()
      .waitFor();
  });

  it('are listed in pages that address and back button reflect', async () => {
    await watch(prices(1));
    await dashboard.system.database.db.raw(
      `insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome, rows)
       select 'chk_' || replace(uuidv7()::text, '-', ''), record_id, number + at, 'manual', started_at, finished_at,
         'failed', rows
       from checks, generate_series(1, 110) at where record_id = ?`,
      [id],
    );
    await open('/checks');
    await expect.poll(() => rowsOf('Checks').count()).toBe(101);
    await link('Older checks').click();
    await expect.poll(() => rowsOf('Checks').count()).toBe(12);
    await rowsOf('Checks').last().getByText('First check').waitFor();
    await page.reload();
    await expect.poll(() => rowsOf('Checks').count()).toBe(12);
    await page.goBack();
    await expect.poll(() => rowsOf('Checks').count()).toBe(101);
    await page.goForward();
    await link('Newest checks').click();
    await expect.poll(() => rowsOf('Checks').count()).toBe(101);
  });
});

describe('a held check', () => {
  const full = prices(...Array.from({ length: 60 }, (_, at) => at));

  beforeEach(async () => {
    await watch(full);
    serve(prices(0, 1, 2));
    await check();
    await open();
    const decide = link('Review held changes');
    await until('the check is known', async () => (await decide.getAttribute('href'))?.includes('/chk_'));
    await decide.click();
    await page.waitForURL('**/checks/chk_*');
  });

  it('shows what it would delete, stays rejected, and is accepted when it comes again', async () => {
    await region('Held changes').getByLabel('57 deleted').waitFor();
    await region('Held changes').getByText('r10', { exact: true }).waitFor();
    await button('Reject').click();
    await confirm('Reject held changes?', 'Reject');
    await page.getByText('Rejected on').waitFor();
    await button('Accept').waitFor({ state: 'detached' });
    expect(await readRecord()).toMatchObject({ totalRows: 60 });

    await button('Check now').click();
    await progress('Checked: the result is held').waitFor();
    await link('See check 3').click();
    await button('Accept').click();
    await dialog('Accept held changes?').getByText('57 rows count as deleted').waitFor();
    await confirm('Accept held changes?', 'Accept');
    await page.getByText('Accepted on').waitFor();
    await link('See the changes').click();
    await events().first().getByLabel('57 deleted').waitFor();
    expect(await readRecord()).toMatchObject({ totalRows: 3 });
  });

  it('says when it was decided elsewhere meanwhile', async () => {
    await button('Accept').click();
    const path = `/v1/sources/${id}/checks/${page.url().split('/').at(-1)}/reject`;
    expect(await dashboard.system.call('POST', path)).toMatchObject({ status: 200 });
    dashboard.expectComplaint('409');
    await confirm('Accept held changes?', 'Accept');
    await page.getByText('Rejected on').waitFor();
    // The dialog closes because nothing is left to decide, and the page still shows the result.
    await alertOf('The check was rejected already.').waitFor();
  });
});

describe('a feature that the tier locks', () => {
  it('shows the command that unlocks it when the service runs on this machine', async () => {
    const { db } = dashboard.system.database;
    const accountId = await createAccount(db);
    await addPausedRecords(db, accountId, 1);
    const [record] = await db('records').where({ accountId }).update({ tier: 'free' }).returning('*');
    page = await dashboard.newOwner({ accountId });
    await page.goto(`${dashboard.url}developer`);
    await page
      .getByRole('note', { name: 'API keys are locked' })
      .getByText(`npm run recordwatch -- record tier ${record.id} watch`)
      .waitFor();
    await page.route('**/dashboard/settings.json', (route) =>
      route.fulfill({ json: { baseUrl: 'https://watch.example' } }),
    );
    await page.reload();
    await page.getByRole('note', { name: 'API keys are locked' }).waitFor();
    await region('Usage').getByText('Tier', { exact: true }).waitFor();
    expect(await page.getByText('npm run recordwatch').count()).toBe(0);
  });
});

describe('settings', () => {
  it('change name and slug, and with the slug the address', async () => {
    await watch(prices(1));
    const taken = slug;
    await watch(prices(1));
    await open('/settings');
    await form('Name').getByLabel('Slug').fill(taken);
    dashboard.expectComplaint('409');
    await save('Name');
    await form('Name').getByText('Is the slug of another record of this account').waitFor();
    await form('Quiet time').getByLabel('Hours without a change').fill('7');
    await form('Name').getByLabel('Name').fill('Renamed');
    await form('Name').getByLabel('Slug').fill('renamed');
    excuseLastQuestion();
    const polled = page.waitForResponse((response) => response.url().endsWith('/v1/sources/renamed'));
    await save('Name');
    await page.waitForURL('**/records/renamed/settings');
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    await polled;
    expect(await form('Quiet time').getByLabel('Hours without a change').inputValue()).toBe('7');
    await tab('Overview');
    await page.waitForURL('**/records/renamed');
    expect(await readRecord()).toMatchObject({ name: 'Renamed', slug: 'renamed' });
  });

  it('show what other key fields would do before they are saved', async () => {
    await watch('id,code,price,stamp\n1,a,9,x\n2,b,9,y\n');
    await open('/settings');
    const fields = form('Key and ignored fields');
    const keys = fields.getByRole('combobox', { name: 'Key fields' });
    const preview = fields.getByRole('button', { name: 'Preview', exact: true });
    await keys.press('Backspace');
    await keys.fill('price');
    await keys.press('Enter');
    await preview.click();
    await fields.getByText('Repeated keys: 1').waitFor();
    await keys.press('Backspace');
    await keys.fill('code');
    await keys.press('Enter');
    await preview.click();
    await fields.getByText('Every row has its own key').waitFor();
    expect(await readRecord()).toMatchObject({ keyFields: ['id'] });
    const ignored = fields.getByRole('combobox', { name: 'Ignored fields' });
    await ignored.fill('stamp');
    await ignored.press('Enter');
    await save('Key and ignored fields');
    await saved('Key and ignored fields changed.');
    expect(await readRecord()).toMatchObject({ keyFields: ['code'], ignoreFields: ['stamp'] });
    await tab('Changes');
    await page.getByLabel('Only checks that found changes').click();
    await events().getByText('Re-read with different key or ignored fields').waitFor();
    await tab('Data');
    await page.getByRole('columnheader', { name: /^code/ }).waitFor();
    expect(await page.getByRole('columnheader', { name: /stamp/ }).count()).toBe(0);
  });

  it('change format, schedule and quiet time', async () => {
    await watch('id;a,b;c\n1;x,y;d\n2;z,w;e\n', { delimiter: ',' });
    await open('/settings');
    await form('Format').getByLabel('Delimiter').fill(';');
    await save('Format');
    await saved('Format changed.');
    expect(await readRecord()).toMatchObject({ delimiter: ';' });
    await form('Schedule')
      .getByText(/^At least .+ on the tier /)
      .waitFor();
    await form('Schedule').getByLabel('Check every').fill('0');
    dashboard.expectComplaint('422');
    await save('Schedule');
    await form('Schedule')
      .getByText(/more than|at least|greater/)
      .waitFor();
    await form('Schedule').getByLabel('Check every').fill('2');
    await form('Schedule').getByLabel('Unit').selectOption('hours');
    await save('Schedule');
    await saved('Schedule changed.');
    for (const [typed, quietHours] of [
      ['24', 24],
      ['', null],
    ] as const) {
      await form('Quiet time').getByLabel('Hours without a change').fill(typed);
      await save('Quiet time');
      await expect.poll(async () => (await readRecord())['quietHours']).toBe(quietHours);
    }
    await tab('Overview');
    await region('At a glance').getByText('Every 2 hours').waitFor();
  });

  it('accept credentials, never show them, and never send them to another origin', async () => {
    const token = 'sesame-that-nobody-reads';
    await watch(prices(1));
    await open('/settings');
    await button('Set credentials').click();
    const origin = form('Origin');
    await origin.getByLabel('Credentials for the origin').selectOption('Token (Authorization: Bearer)');
    await origin.getByLabel('Token', { exact: true }).fill(token);
    await save('Origin');
    await origin.getByText('A token is set. It is never shown.').waitFor();
    await expect.poll(() => visits().at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
    await page.reload();
    await button('Replace credentials').click();
    expect(await origin.getByLabel('Token', { exact: true }).inputValue()).toBe('');
    expect(await page.content()).not.toContain(token);
    expect(JSON.stringify(await readRecord())).not.toContain(token);

    const before = visits().length;
    await button('Undo').click();
    await origin.getByLabel('URL').fill(`http://localhost:${dashboard.origin.port}${dataPath()}`);
    await origin.getByText('This URL has another origin').waitFor();
    await save('Origin');
    await origin.getByText('None: the URL is public.').waitFor();
    await expect.poll(() => visits().length).toBeGreaterThan(before);
    expect(visits().at(-1)?.headers).toMatchObject({ host: `localhost:${dashboard.origin.port}` });
    expect(visits().at(-1)?.headers.authorization).toBeUndefined();
  });

  it('start over with the next body, and delete the record after its name is typed', async () => {
    await watch(prices(1, 2));
    await open('/settings');
    serve('other,columns\n1,2\n');
    await button('Start over').click();
    await confirm('Start over?', 'Start over');
    await tab('Changes');
    await page.getByLabel('Only checks that found changes').click();
    await events().first().getByText('Re-read').waitFor();
    await tab('Data');
    await page.getByRole('columnheader', { name: /^columns/ }).waitFor();
    await tab('Settings');
    await button('Delete this record').click();
    const last = dialog('Delete this record?').getByRole('button', { name: 'Delete record' });
    await dialog('Delete this record?').getByLabel('Name of the record').fill('Record');
    expect(await last.isDisabled()).toBe(true);
    await dialog('Delete this record?').getByLabel('Name of the record').fill(`Record ${records}`);
    excuseLastQuestion();
    await last.click();
    await page.waitForURL('**/dashboard/records');
    await page.getByRole('table', { name: 'Records' }).waitFor();
    await expect.poll(namesOfRecords).not.toContain(`Record ${records}`);
    expect((await dashboard.system.call('GET', `/v1/sources/${id}`)).status).toBe(404);
  });
});
