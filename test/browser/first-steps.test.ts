// A new user's first minutes, from the link that `npm start` prints: nothing is read before.
import { expect, it } from 'vitest';
import { useDashboard } from '../support/dashboard.ts';

const dashboard = useDashboard();

it('signs in by a link that works once', async () => {
  const page = await dashboard.newOwner();
  await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
  expect(new URL(page.url()).hash).toBe('');
});
