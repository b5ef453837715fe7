// Keys for feed readers in the dashboard.
import { expect, it } from 'vitest';
import { copiedBy } from '../support/pages/clipboard.ts';
import { useDashboard } from '../support/pages/dashboard.ts';
import { createRecord } from '../support/servers/system.ts';

const dashboard = useDashboard();

it('a key for feed readers is shown as the address of the feed, which works until it is revoked', async () => {
  const page = await dashboard.newOwner({ permissions: ['clipboard-read', 'clipboard-write'] });
  // Keys need a record on a paid tier.
  await createRecord(dashboard.system, { url: `${dashboard.origin.url}/feed.csv`, slug: 'read-by-feed' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto(`${dashboard.url}developer`);
  const keys = page.getByRole('region', { name: 'Account keys', exact: true });
  await keys.getByRole('button', { name: 'New key', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'New key', exact: true });
  await form.getByLabel('Name').fill('Reader');
  await form.getByRole('radio', { name: 'feed' }).check();
  await button('Create key').click();
  const address = await copiedBy(page, async () => {
    await button('Copy the address').click();
    await button('Copied').first().waitFor();
  });
  const answer = await fetch(address);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/atom+xml; charset=utf-8',
  ]);
  await button('Done').click();
  await button('Revoke key Reader').click();
  const question = page.getByRole('dialog', { name: 'Revoke this key?', exact: true });
  await question.getByRole('button', { name: 'Revoke key', exact: true }).click();
  await keys.getByRole('row', { name: 'Reader' }).waitFor({ state: 'hidden' });
  expect((await fetch(address)).status).toBe(401);
});
