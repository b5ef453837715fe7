// Measures the dashboard in a real browser: what it loads, how fast its largest pages open, how many rows they hold.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import getPort from 'get-port';
import audit, { desktopConfig } from 'lighthouse';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { createLink } from '../../api/auth/links.ts';
import { findUserOfAccount } from '../../db/access/users.ts';
import { CHROMIUM_ARGS, findChromium } from '../../test/support/pages/chromium.ts';
import { until } from '../../test/support/until.ts';
import { startFileOrigin } from '../compare/file-origin.ts';
import { writeFeed } from '../compare/make-feed.ts';
import { watchRecord } from '../compare/watched-record.ts';
import { median } from '../statistics.ts';
import type { System } from '../system.ts';

export interface DashboardResult {
  /** Compressed JavaScript that the records page loads into an empty cache. */
  firstLoadBytes: number;
  /** Lighthouse's scores, 0 to 100, with its settings for desktops. */
  lighthouse: PageScores[];
  /** From going to an event's page to its first row. */
  openMs: { small: number; large: number };
  /** Rows of the table in the page, after going to its middle. */
  renderedRows: number;
}

interface PageScores {
  page: string;
  scores: Record<Category, number>;
}

/** Search engines see no page of somebody who is signed in. */
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
type Category = (typeof CATEGORIES)[number];

/** One run is too variable: Lighthouse's own advice is to take the median of several. */
const LIGHTHOUSE_RUNS = 5;
const SMALL_ROWS = 100;
const LARGE_ROWS = 100_000;

export async function measureDashboard(
  system: System,
  folder: string,
  rounds: number,
  report: (text: string) => void,
): Promise<DashboardResult> {
  report('dashboard: events of 100 and of 100,000 changed rows');
  const small = await seedEvent(system, folder, SMALL_ROWS);
  const large = await seedEvent(system, folder, LARGE_ROWS);
  const port = await getPort();
  const context = await openBrowser(join(folder, 'browser'), port);
  try {
    const page = await signIn(system, context);
    report('dashboard: first load and Lighthouse');
    const firstLoadBytes = await measureFirstLoad(system, folder);
    const lighthouse: PageScores[] = [];
    for (const [page, url] of pagesOf(system, small))
      lighthouse.push({ page, scores: await scoresOf(url, port) });
    report('dashboard: opening events');
    const times = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round <= rounds; round++) {
      const [smallMs, largeMs] = [await open(page, small), await open(page, large)];
      // The first one fills the browser's cache.
      if (round === 0) continue;
      times.small.push(smallMs);
      times.large.push(largeMs);
    }
    return {
      firstLoadBytes,
      lighthouse,
      openMs: { small: median(times.small), large: median(times.large) },
      renderedRows: await countRendered(page),
    };
  } finally {
    await context.close();
  }
}

/** @returns the address of the event */
async function seedEvent(system: System, folder: string, rows: number): Promise<string> {
  const eventFolder = join(folder, `event-${rows}`);
  mkdirSync(eventFolder, { recursive: true });
  const [before, after] = [join(eventFolder, 'before.csv'), join(eventFolder, 'after.csv')];
  await writeFeed(before, { rows, format: 'csv', version: 1 });
  await writeFeed(after, { rows, format: 'csv', version: 1, touchesAll: true });
  const origin = await startFileOrigin('text/csv');
  const record = await watchRecord(system, origin, { format: 'csv' });
  await record.check(before);
  await record.check(after);
  await origin.close();
  const { id } = await system.api.call('GET', `/v1/sources/${record.id}/delta/latest`);
  return `${system.dev.baseUrl}/dashboard/records/${record.id}/changes/${String(id)}`;
}

async function openBrowser(folder: string, port: number): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    executablePath: await findChromium(),
    args: [...CHROMIUM_ARGS, `--remote-debugging-port=${port}`],
    viewport: { width: 1440, height: 900 },
  });
}

async function signIn({ db, dev }: System, context: BrowserContext): Promise<Page> {
  const user = await findUserOfAccount(db, dev.accountId);
  if (user === undefined) throw new Error('The demonstration has no user');
  const page = await context.newPage();
  const answer = await page.request.post(`${dev.baseUrl}/auth/link`, {
    headers: { origin: dev.baseUrl },
    data: { token: await createLink(db, { kind: 'sign-in', userId: user.id }) },
  });
  if (!answer.ok()) throw new Error(`Not signed in: ${answer.status()}`);
  return page;
}

const recordsUrl = ({ dev }: System): string => `${dev.baseUrl}/dashboard/records`;

async function measureFirstLoad(system: System, folder: string): Promise<number> {
  const context = await openBrowser(join(folder, 'empty'), await getPort());
  const scripts: Promise<number>[] = [];
  context.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  const page = await signIn(system, context);
  await page.goto(recordsUrl(system));
  await page.getByRole('table').first().waitFor();
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all(scripts);
  await context.close();
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

/** @param event the address of its page */
function pagesOf(system: System, event: string): [name: string, url: string][] {
  const record = event.replace(/\/changes\/.*/, '');
  return [
    ['records', recordsUrl(system)],
    ['overview', record],
    ['event', event],
    ['data', `${record}/data`],
    ['webhooks', `${record}/webhooks`],
    ['settings', `${record}/settings`],
  ];
}

/** Medians. */
async function scoresOf(url: string, port: number): Promise<PageScores['scores']> {
  const runs: PageScores['scores'][] = [];
  for (let run = 0; run < LIGHTHOUSE_RUNS; run += 1) runs.push(await runLighthouse(url, port));
  const scoreOf = (category: Category): number => median(runs.map((scores) => scores[category]));
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
  };
}

async function runLighthouse(url: string, port: number): Promise<PageScores['scores']> {
  // Signed in stays signed in: the storage is left alone.
  const flags = { port, onlyCategories: [...CATEGORIES], disableStorageReset: true };
  const lhr = (await audit(url, flags, desktopConfig))?.lhr;
  if (lhr?.finalDisplayedUrl !== url) throw new Error(`Lighthouse saw ${lhr?.finalDisplayedUrl}`);
  const scoreOf = (category: Category): number => Math.round((lhr.categories[category]?.score ?? NaN) * 100);
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
  };
}

async function open(page: Page, url: string): Promise<number> {
  const beganMs = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByRole('table').getByRole('rowheader').first().waitFor();
  return performance.now() - beganMs;
}

async function countRendered(page: Page): Promise<number> {
  const table = page.getByRole('table').first();
  await table.hover();
  await page.mouse.wheel(0, 40_000);
  const first = table.locator('tbody tr[aria-rowindex]').first();
  // The table's head is its line 1, its first row 2.
  await until('other rows are in sight', async () => Number(await first.getAttribute('aria-rowindex')) > 2);
  return table.getByRole('row').count();
}
