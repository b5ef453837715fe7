// Reads what a page copied.
import type { Page } from 'playwright-core';
import { until } from '../until.ts';

const read = (page: Page): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()');

/** Empties the clipboard, runs the action and returns what it copied. The page needs permission for the clipboard. */
export async function copiedBy(page: Page, action: () => Promise<unknown>): Promise<string> {
  await page.evaluate(`navigator.clipboard.writeText('')`);
  await action();
  return until('something is copied', async () => (await read(page)) || undefined);
}
