// Operates a page with the keyboard.
import type { Locator, Page } from 'playwright-core';

/** More than the focusable elements of any page. */
const MAX_PRESSES = 80;

export const isFocused = async (page: Page, target: Locator): Promise<boolean> =>
  (await target.and(page.locator(':focus')).count()) === 1;

/** Presses Tab until the element has the focus. @throws Error when it never has */
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
