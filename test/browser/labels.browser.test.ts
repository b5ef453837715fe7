// Labels of records in the dashboard: they are set on a record, and limit the list.
import { expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { createAccount } from '../support/rows/factories.ts';
import { addPausedRecords } from '../support/rows/paused-records.ts';

const dashboard = useDashboard();

it('labels are set on a record, and limit the list to records that have them', async () => {
  const { db } = dashboard.system.database;
  const accountId = await createAccount(db);
  await addPausedRecords(db, accountId, 2);
  const page = await dashboard.newOwner({ accountId });
  const linksOfRecords = () =>
    page.getByRole('table', { name: 'Records' }).getByRole('rowheader').getByRole('link').allTextContents();
  await page.goto(`${dashboard.url}records/record-1/settings`);
  const form = page.getByRole('form', { name: 'Labels', exact: true });
  const button = (name: string) => form.getByRole('button', { name, exact: true });
  const input = form.getByLabel('Labels of this record');
  await input.fill('Team:pricing');
  await input.press('Enter');
  dashboard.expectComplaint('422');
  await button('Save').click();
  await form.getByText('Must have names of at most 63 lower-case letters').waitFor();
  await button('Undo').click();
  await input.fill('team:pricing');
  await input.press('Enter');
  await button('Save').click();
  await page.getByText('Labels changed.', { exact: true }).waitFor();
  await page.goto(`${dashboard.url}records?sort=name`);
  await expect.poll(linksOfRecords).toEqual(['Record 001', 'team:pricing', 'Record 002']);
  await page.getByRole('link', { name: 'team:pricing', exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get('label') === 'team:pricing');
  await expect.poll(linksOfRecords).toEqual(['Record 001', 'team:pricing']);
  await page.getByRole('button', { name: 'Show records without team:pricing too' }).click();
  await expect.poll(linksOfRecords).toContain('Record 002');
});
