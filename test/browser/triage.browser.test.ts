// Which records need somebody and why: the list of records, the note about failures, runs of checks, and the settings' sections.
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { checkAndWait, createRecord } from '../support/servers/system.ts';

const dashboard = useDashboard({ HELD_RECHECK_SECONDS: '86400' });

let page: Page;

beforeEach(async () => {
  page = await dashboard.newOwner();
});

const rowsOf = (table: string) => page.getByRole('table', { name: table, exact: true }).getByRole('row');
const names = () => rowsOf('Records').getByRole('rowheader').getByRole('link').allTextContents();
const show = (part: RegExp) => page.getByRole('radio', { name: part }).click();
const csv = (rows: number): string =>
  `id,price\n${Array.from({ length: rows }, (_, at) => `r${at},${at}\n`).join('')}`;

/** Creates a record and waits for its first check. */
async function watch(slug: string, rows: number): Promise<{ id: string; path: string }> {
  const path = `/files/${slug}.csv`;
  dashboard.origin.set(path, { body: csv(rows) });
  const url = `${dashboard.origin.url}${path}`;
  const { id } = await createRecord(dashboard.system, {
    url: `${url}?token=hidden`,
    slug,
    name: `The ${slug}`,
  });
  return { id, path };
}

/** Makes the record fail: its origin leads to a page that asks to sign in. */
async function leadToSignIn({ id, path }: { id: string; path: string }): Promise<void> {
  const { origin, system } = dashboard;
  origin.set('/sign-in', {
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<!doctype html>\n<title>Sign in</title>\n<b>bold</b>',
  });
  origin.set(path, { redirectTo: `${origin.url}/sign-in?state=s3cr3ts3cr3t` });
  await checkAndWait(system, id);
}

it('shows failing, held, healthy and paused records apart, and says why', async () => {
  const { system, origin } = dashboard;
  const good = await watch('good', 3);
  origin.set(good.path, { body: csv(1_204) });
  await checkAndWait(system, good.id);
  await leadToSignIn(await watch('failing', 2));
  const held = await watch('held', 60);
  origin.set(held.path, { body: csv(2) });
  await checkAndWait(system, held.id);
  const paused = await watch('paused', 1);
  await system.call('POST', `/v1/sources/${paused.id}/pause`);
  await page.goto(`${dashboard.url}records`);
  await expect.poll(names).toEqual(['The failing', 'The held', 'The paused', 'The good']);
  const failing = rowsOf('Records').filter({ hasText: 'The failing' });
  await failing.getByText('The origin sent a web page, not data.').waitFor();
  const { host } = new URL(origin.url);
  expect(await failing.getByRole('rowheader').innerText()).toContain(`${host}/files/failing.csv\n`);
  const changed = rowsOf('Records').filter({ hasText: 'The good' });
  expect(await changed.getByRole('cell').nth(1).innerText()).toBe('1,204');
  expect(await changed.getByRole('cell').nth(2).innerText()).toMatch(/ago|now/);
  for (const [part, shown] of [
    [/^Failing 1$/, 'The failing'],
    [/^Held 1$/, 'The held'],
    [/^Healthy 1$/, 'The good'],
    [/^Paused 1$/, 'The paused'],
  ] as const) {
    await show(part);
    await expect.poll(names).toEqual([shown]);
  }
  await page.reload();
  await expect.poll(names).toEqual(['The paused']);
  await page.getByLabel('Search by name, slug or URL').fill('good');
  await page.getByText('No record here is paused').waitFor();
  await show(/^All 1$/);
  await expect.poll(names).toEqual(['The good']);
});

it('shows what the origin of a failing record sent, and since when', async () => {
  const record = await watch('led-away', 2);
  await leadToSignIn(record);
  await page.goto(`${dashboard.url}records/led-away`);
  const note = page.getByRole('alert').filter({ hasText: 'The last check failed' });
  await note.getByText(/^Failing since .*:\d\d:\d\d .* ago\.$/).waitFor();
  const sent = note.getByRole('region', { name: 'What the origin sent' });
  const words = ['HTTP 200', 'text/html', `${dashboard.origin.url}/sign-in`];
  for (const text of words) await sent.getByText(text, { exact: true }).waitFor();
  await sent.getByText('<!doctype html> <title>Sign in</title> <b>bold</b>', { exact: true }).waitFor();
  expect(await page.content()).not.toContain('s3cr3t');
  await note.getByRole('link', { name: 'Checks' }).click();
  await page.getByRole('link', { name: 'Check 2' }).click();
  await page.getByRole('region', { name: 'What the origin sent' }).getByText('text/html').waitFor();
});

it('regression: leads to a held check also after new settings did not fit the stored body', async () => {
  const { system, origin } = dashboard;
  const { id, path } = await watch('undecided', 60);
  origin.set(path, { body: csv(2) });
  await checkAndWait(system, id);
  const patch = { headerRow: 100 };
  expect(await system.call('PATCH', `/v1/sources/${id}`, patch)).toMatchObject({ status: 200 });
  const read = async () => (await system.call('GET', `/v1/sources/${id}`)).body;
  await expect.poll(read).toMatchObject({ lastOutcome: 'failed', consecutiveFailures: 0 });
  await page.goto(`${dashboard.url}records/undecided`);
  const note = page.getByRole('alert').filter({ hasText: 'The stored body could not be read' });
  await note.getByRole('link', { name: 'Review held changes' }).click();
  await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
});

it('folds runs of checks that found nothing, and unfolds them by keyboard', async () => {
  const { system, origin } = dashboard;
  const { id, path } = await watch('quiet', 2);
  for (let at = 0; at < 4; at += 1) await checkAndWait(system, id);
  origin.set(path, { body: csv(3) });
  await checkAndWait(system, id);
  await checkAndWait(system, id);
  await page.goto(`${dashboard.url}records/quiet/checks`);
  // The heading, the last check, the change, the run, the first check.
  await expect.poll(() => rowsOf('Checks').count()).toBe(5);
  const run = page.getByRole('button', { name: '2–5: 4 unchanged checks' });
  const line = rowsOf('Checks').filter({ has: run });
  const texts = await line.getByRole('cell').allInnerTexts();
  expect(texts[2]).toBe('200');
  expect(texts[4]).toMatch(/^[\d.]+ m?s( to [\d.]+ m?s)?$/);
  expect(await run.getAttribute('aria-expanded')).toBe('false');
  await run.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => rowsOf('Checks').count()).toBe(9);
  expect(await run.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Check 5' }).waitFor();
});

it('leads to the sections of the settings by keyboard and by address', async () => {
  await watch('long', 2);
  await page.goto(`${dashboard.url}records/long/settings`);
  const nav = page.getByRole('navigation', { name: 'Sections of the settings' });
  await nav.getByRole('link', { name: 'Format' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/records/long/settings#format');
  const heading = page.getByRole('heading', { name: 'Format', exact: true });
  const isInView = () => heading.evaluate((element) => element.getBoundingClientRect().top < 450);
  await expect.poll(isInView).toBe(true);
  await page.keyboard.press('Tab');
  await page.getByRole('form', { name: 'Format' }).locator(':focus').waitFor();
  await page.goto('about:blank');
  await page.goto(`${dashboard.url}records/long/settings#schedule`);
  const schedule = page.getByRole('heading', { name: 'Schedule', exact: true });
  await expect
    .poll(() => schedule.evaluate((element) => element.getBoundingClientRect().top))
    .toBeLessThan(200);
  await nav.getByRole('link', { name: 'Schedule' }).and(page.locator('[aria-current=location]')).waitFor();
});
