// Moves between the pages of a record.
import type { Locator, Page } from 'playwright-core';

export const recordTab = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Pages of the record' }).getByRole('link', { name, exact: true });
