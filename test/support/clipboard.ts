// Reads what a page has copied.
import type { Page } from 'playwright-core';
import { until } from './until.ts';

const read = (page: Page): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()');

/** What the deed has put where nothing lay before. Takes a page that may read and write the clipboard. */
export async function copiedBy(page: Page, deed: () => Promise<unknown>): Promise<string> {
  await page.evaluate(`navigator.clipboard.writeText('')`);
  await deed();
  return until('something is copied', async () => (await read(page)) || undefined);
}
