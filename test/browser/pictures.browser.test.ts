// The main pages look as in the committed pictures: wide and narrow, light and dark. `PICTURES=write npx vitest run
// test/browser/pictures.browser.test.ts` writes the pictures again.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { PAGES } from '../support/pages/pages.ts';
import { makePagesWorld, PAGES_SETTINGS, type PagesWorld } from '../support/pages/pages-world.ts';
import { faultOfPicture } from '../support/pages/pictures.ts';

const NAMES = [
  'start',
  'sign-in',
  'records',
  'new-record',
  'overview',
  'event',
  'data',
  'webhooks',
  'settings',
];
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

const dashboard = useDashboard(PAGES_SETTINGS);
let world: PagesWorld;
let owner: BrowserContextOptions;

beforeAll(async () => {
  world = await makePagesWorld(dashboard);
  const page = await dashboard.newOwner();
  owner = { storageState: await page.context().storageState() };
  await page.context().close();
});
afterAll(() => world.close());

/** What differs from run to run, beside times: the ports of links to origins, the chart over time. */
const changing = (page: Page): Locator[] => [
  page.locator('a[href^="http://127.0.0.1"]'),
  page.locator('figure'),
];

/** Shows the same time everywhere: others are longer or shorter, and move what is beside and below them. */
const sameTimes = (page: Page): Promise<unknown> =>
  page.locator('time').evaluateAll((times) => times.forEach((time) => (time.textContent = 'a minute ago')));

/** One font for all texts, so that a picture does not depend on the fonts of a machine. */
const FONT = `@font-face {
  font-family: Pictures;
  font-weight: 100 900;
  src: url(data:font/woff2;base64,${readFileSync(
    fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')),
  ).toString('base64')}) format('woff2');
}
* { font-family: Pictures !important; }`;

/** Waits until earlier changes of the page are laid out and drawn. */
const painted = (page: Page): Promise<unknown> =>
  page.evaluate(
    'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))',
  );

it('the main pages look as in their pictures', async () => {
  const faults: (string | undefined)[] = [];
  const people = { owner, anybody: {}, session: {} };
  for (const { name, as, path, main } of PAGES.filter((each) => NAMES.includes(each.name))) {
    /* oxlint-disable no-await-in-loop */
    const page = await dashboard.newPerson({ ...people[as], isPatient: true, bypassCSP: true });
    await page.goto(dashboard.url + path(world));
    await page.addStyleTag({ content: FONT });
    await main(page).waitFor();
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await sameTimes(page);
        await painted(page);
        const shot = await page.screenshot({ animations: 'disabled', caret: 'hide', mask: changing(page) });
        faults.push(faultOfPicture(`${name}-${size.width}-${colorScheme}`, shot));
      }
    }
    await page.context().close();
    /* oxlint-enable no-await-in-loop */
  }
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});
