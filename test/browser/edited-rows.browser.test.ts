// Edited rows without a key: the setting with its preview, and the mark on changed rows.
import { expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { checkAndWait, createRecord } from '../support/servers/system.ts';

const dashboard = useDashboard();

it('the setting is previewed and saved, and similar rows are marked from then on', async () => {
  const page = await dashboard.newOwner();
  const { system, origin } = dashboard;
  const serve = (city: string): void =>
    origin.set('/k.csv', { body: `name,price,city\nAnn,5,${city}\nAnn,5,Rome\nBob,6,Rome\n` });
  serve('Oslo');
  const { id } = await createRecord(system, {
    url: `${origin.url}/k.csv`,
    slug: 'keyless',
    name: 'Keyless',
    keyFields: null,
  });
  serve('Bern');
  await checkAndWait(system, id);
  const read = async (path = '') => (await system.call('GET', `/v1/sources/${id}${path}`)).body;
  expect(await read()).toMatchObject({ keyFields: [], pairing: null });
  await page.goto(`${dashboard.url}records/keyless/settings`);
  const form = page.getByRole('form', { name: 'Edited rows', exact: true });
  await form.getByLabel('Show edited rows without a key as changed').check();
  await form.getByRole('button', { name: 'Preview', exact: true }).click();
  const preview = form.getByRole('alert', { name: '1 of the latest 1 event would remain' });
  await preview.getByLabel('1 changed', { exact: true }).waitFor();
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(async () => (await read())['pairing']).toBe('similarity');
  serve('Kyiv');
  await checkAndWait(system, id);
  const event = await read('/delta/latest');
  expect(event).toMatchObject({ newCount: 0, changedCount: 1, deletedCount: 0 });
  await page.goto(`${dashboard.url}records/keyless/changes`);
  const list = page.getByRole('list', { name: 'Delta events' });
  await list.getByText('similar', { exact: true }).waitFor();
  await page.goto(`${dashboard.url}records/keyless/changes/${String(event['id'])}`);
  await page.getByRole('table').getByText('similar', { exact: true }).waitFor();
  await page.goto(`${dashboard.url}records/keyless`);
  await page.getByText('Edited rows without a key are paired', { exact: true }).waitFor();
});
