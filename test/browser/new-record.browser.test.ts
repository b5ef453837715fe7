// A new record: previewed, corrected, and saved.
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';

const dashboard = useDashboard();

let page: Page;
beforeEach(async () => {
  page = await dashboard.newOwner();
  await page.goto(`${dashboard.url}records/new`);
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const found = () => page.getByRole('region', { name: 'What would be watched', exact: true });
const heads = () => found().getByRole('columnheader').allTextContents();
const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
const preview = (path: string) => fill('URL of the data', dashboard.origin.url + path);
const visits = (path: string) => dashboard.origin.requests.filter((visit) => visit.path === path).length;
const records = async () => (await dashboard.system.call('GET', '/v1/sources')).body['sources'] as unknown[];

it('is previewed, corrected and saved', async () => {
  dashboard.origin.set('/titled.csv', {
    body: 'Team,x,y\nname,city,role\nAnn,Paris,chair\nBob,Rome,clerk\n',
  });
  const before = (await records()).length;
  await preview('/titled.csv');
  await page.keyboard.press('Enter');
  await found().waitFor();
  await button('Key fields, ignored fields, format').click();
  await fill('Header row', '2');
  await page.getByText('You have changed the settings since').waitFor();
  await button('Preview again').click();
  await found().getByText('2 rows · 3 columns · CSV · header in line 2', { exact: false }).waitFor();
  await page.getByRole('combobox', { name: 'Key fields', exact: true }).fill('city');
  await page.keyboard.press('Enter');
  await page.getByText('You have changed the settings since').waitFor();
  await button('Preview again').click();
  await found().getByText('Key: city.').waitFor();
  expect(await heads()).toEqual(['city (key field)', 'name', 'role']);
  expect(await found().getByRole('cell', { name: 'Paris', exact: true }).count()).toBe(1);
  expect((await records()).length).toBe(before);
  expect(visits('/titled.csv')).toBe(3);

  await fill('Name', 'Team of today');
  // The settings are still those of the preview, so Enter saves.
  await page.keyboard.press('Enter');
  await page.waitForURL('**/records/team-of-today');
  const [saved] = (await records()) as Record<string, unknown>[];
  expect(saved).toMatchObject({ name: 'Team of today', keyFields: ['city'], headerRow: 2, totalRows: 2 });
});

it('says why a check would fail, and what helps', async () => {
  dashboard.origin.set('/closed.csv', ({ headers }) =>
    headers.authorization === 'Bearer the-token' ? { body: 'id,price\na,1\n' } : { status: 401 },
  );
  await preview('/closed.csv');
  await button('Preview').click();
  const failure = page.getByRole('alert').filter({ hasText: 'A check of these settings would fail' });
  await failure.getByText('Enter the credentials that the origin asks for.').waitFor();
  await page
    .getByLabel('Credentials for the origin')
    .selectOption({ label: 'Token (Authorization: Bearer)' });
  await fill('Token', 'the-token');
  await button('Preview again').click();
  await found().getByText('1 row · 2 columns · CSV · header in line 1', { exact: false }).waitFor();
  await button('Watch it').click();
  await page.waitForURL('**/records/*closed-csv');
  expect(visits('/closed.csv')).toBe(3);
});

it('shows faults at their fields, and can be saved without a preview', async () => {
  dashboard.expectComplaint('status of 422');
  await fill('URL of the data', 'http://10.0.0.1/prices.csv');
  await button('Preview').click();
  await page.getByText('Give a URL whose host is reachable from the public internet.').waitFor();
  dashboard.origin.set('/plain.csv', { body: 'id,price\na,1\n' });
  await preview('/plain.csv');
  await button('Watch it').click();
  await page.waitForURL('**/records/*plain-csv');
  expect(visits('/plain.csv')).toBe(1);
});
