// Reads tables of rows and the controls around them. The page contains only visible rows and columns.
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';

/** The cell of a column in the row with a key. Both must be visible. */
export async function cellOf(table: Locator, key: string, column: string): Promise<Locator> {
  const heading = table.getByRole('columnheader', { name: column, exact: true });
  const index = await heading.getAttribute('aria-colindex');
  const row = table
    .getByRole('row')
    .filter({ has: table.page().getByRole('button', { name: key, exact: true }) });
  return row.locator(`[aria-colindex="${index}"]`);
}

export const keysShown = (table: Locator): Promise<string[]> =>
  table.getByRole('rowheader').getByRole('button').allTextContents();

export interface Walk {
  /** Row keys by their positions, counted from 0. */
  keys: string[];
  /** The texts of each row's visible cells, the key first, by the positions of the rows. */
  cells: string[][];
  /** Row keys that appeared at a position where another one had been. */
  moved: string[];
  /** The largest number of rows rendered at once. */
  most: number;
  /** The results of `look` from all steps. */
  looked: string[];
}

/**
 * Scrolls through all loaded rows from the top and reads the rendered ones at each step.
 * @param look source of a function that runs in the page at each step as well
 */
export async function walkThrough(page: Page, label: string, look = '() => []'): Promise<Walk> {
  const walk = await page.evaluate<Walk | string>(`(${WALK})(${JSON.stringify(label)}, ${look})`);
  if (typeof walk === 'string') throw new Error(walk);
  return walk;
}

/** Runs in the page. A step is done when rows fill the visible part. */
const WALK = `async (label, look) => {
  const region = document.querySelector('section[aria-label=' + JSON.stringify(label) + ']');
  const walk = { keys: [], cells: [], moved: [], most: 0, looked: [] };
  const isFilled = () => {
    const rows = [...region.querySelectorAll('tbody tr[aria-rowindex]')];
    const { top, bottom } = region.getBoundingClientRect();
    const head = region.querySelector('thead').getBoundingClientRect().height;
    const isEnd = region.scrollTop + region.clientHeight >= region.scrollHeight - 1;
    return rows.length > 0 && rows[0].getBoundingClientRect().top <= top + head + 1 &&
      (isEnd ? rows.at(-1).nextSibling === null : rows.at(-1).getBoundingClientRect().bottom >= bottom - 20);
  };
  for (let to = 0; ; to += region.clientHeight - 60) {
    to = Math.min(to, region.scrollHeight - region.clientHeight);
    let frames = 0;
    do {
      // A key that was pressed before may still be scrolling.
      if (Math.abs(region.scrollTop - to) > 1) region.scrollTop = to;
      await new Promise(requestAnimationFrame);
      frames += 1;
      if (frames > 600) return 'Rows do not fill the table at ' + region.scrollTop + ' px';
    } while (Math.abs(region.scrollTop - to) > 1 || !isFilled());
    const rows = region.querySelectorAll('tbody tr[aria-rowindex]');
    walk.most = Math.max(walk.most, rows.length);
    walk.looked.push(...look());
    for (const row of rows) {
      const at = Number(row.getAttribute('aria-rowindex')) - 2;
      const key = row.querySelector('th button').textContent;
      if (walk.keys[at] !== undefined && walk.keys[at] !== key) walk.moved.push(key);
      walk.keys[at] = key;
      walk.cells[at] = [...row.querySelectorAll('[aria-colindex]')].map((cell) => cell.textContent);
    }
    if (to + region.clientHeight >= region.scrollHeight - 1) return walk;
  }
}`;

/** Chooses an option of a field. */
export async function choose(page: Page, field: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option, exact: typeof option === 'string' }).click();
}

/** The kind of a download; some menus have a kind twice. */
export async function fileOf(
  page: Page,
  menu: string,
  kind: string,
  which: 'first' | 'last' = 'first',
): Promise<string> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: kind, exact: true })[which]().click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}

export async function addFilter(
  page: Page,
  column: string,
  condition: string,
  ...values: readonly string[]
): Promise<void> {
  await page.getByRole('button', { name: 'Add a filter' }).click();
  await choose(page, 'Column', column);
  await choose(page, 'Condition', condition);
  const isList = condition === 'is one of';
  for (const value of values) {
    const field = isList
      ? page.getByRole('combobox', { name: 'Values' })
      : page.getByLabel('Value', { exact: true });
    // One after the other, as a user types.
    // oxlint-disable-next-line no-await-in-loop
    await field.fill(value);
    // oxlint-disable-next-line no-await-in-loop
    if (isList) await page.keyboard.press('Enter');
  }
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
}
