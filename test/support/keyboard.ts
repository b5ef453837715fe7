// Moves around a page without a mouse.
import type { Locator, Page } from 'playwright-core';

/** More than any page has to pass. */
const MAX_PRESSES = 80;

export const isFocused = async (page: Page, target: Locator): Promise<boolean> =>
  (await target.and(page.locator(':focus')).count()) === 1;

/** Presses Tab as often as it takes. @throws Error when it is not come to */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    // One key after the other.
    // oxlint-disable-next-line no-await-in-loop
    if (await isFocused(page, target)) return;
    // oxlint-disable-next-line no-await-in-loop
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target.toString()}`);
}
