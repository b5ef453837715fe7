// Rules for columns in the settings of a record.
import { expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { checkAndWait, createRecord } from '../support/servers/system.ts';

const dashboard = useDashboard();

it('rules are added, corrected, previewed and removed, and another spelling is no change under them', async () => {
  const page = await dashboard.newOwner();
  const serve = (price: string): void =>
    dashboard.origin.set('/p.csv', { body: `id,price\n1,${price}\n2,5\n` });
  serve('1.10');
  const { system } = dashboard;
  const { id } = await createRecord(system, {
    url: `${dashboard.origin.url}/p.csv`,
    slug: 'ruled',
    name: 'Ruled',
  });
  for (const price of ['1.100', '7']) {
    serve(price);
    await checkAndWait(system, id);
  }
  const readRecord = async () => (await system.call('GET', `/v1/sources/${id}`)).body;
  await page.goto(`${dashboard.url}records/ruled/settings`);
  const form = page.getByRole('form', { name: 'Rules for columns', exact: true });
  const save = () => form.getByRole('button', { name: 'Save', exact: true }).click();
  await form.getByLabel('Column', { exact: true }).fill('price');
  await form.getByRole('button', { name: 'Add a rule' }).click();
  const rule = form.getByRole('group', { name: 'price' });
  await rule.getByLabel('Compare as').selectOption('number');
  await rule.getByLabel('Tolerance').fill('much');
  dashboard.expectComplaint('422');
  await save();
  await form.getByText(/^Must be a decimal number/).waitFor();
  await rule.getByLabel('Tolerance').fill('1%');
  await form.getByRole('button', { name: 'Preview', exact: true }).click();
  const preview = form.getByRole('alert', { name: '1 of the latest 2 events would remain' });
  await preview.waitFor();
  expect(await preview.getByLabel('1 changed', { exact: true }).count()).toBe(1);
  expect(await preview.getByText('not reported', { exact: true }).count()).toBe(1);
  await save();
  await page.getByText('Rules for columns changed.', { exact: true }).waitFor();
  const rules = { price: { as: 'number', tolerance: '1%', trim: true } };
  expect(await readRecord()).toMatchObject({ rules, isRekeyPending: false });
  serve(' 7.0');
  await checkAndWait(system, id);
  expect(await readRecord()).toMatchObject({ lastOutcome: 'unchanged' });
  await rule.getByRole('button', { name: 'Remove the rule for price' }).click();
  await save();
  await expect.poll(async () => (await readRecord())['rules']).toEqual({});

  // Read without the rule, the value is another text. That is no change of the row, and no reason to call it new.
  await expect.poll(async () => (await readRecord())['isRekeyPending']).toBe(false);
  await page.goto(`${dashboard.url}records/ruled/data?row=1`);
  const row = page.getByRole('dialog', { name: 'Row 1' });
  await row.getByText('7.0', { exact: true }).waitFor();
  const entries = await row.getByRole('listitem').allTextContents();
  expect(entries.map((entry) => /(new|changed|deleted)/.exec(entry)?.[0])).toEqual([
    'changed',
    'changed',
    'new',
  ]);
});
