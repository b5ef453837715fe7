// Tables of rows: their widths, and how values are aligned.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { cellOf } from '../support/pages/row-tables.ts';
import { makeRowsWorld } from '../support/pages/rows-world.ts';

const dashboard = useDashboard();

let page: Page;
const rows = () => page.getByRole('table', { name: 'Rows', exact: true });

beforeAll(() => makeRowsWorld(dashboard));

it('are as wide as the page, with numbers at the ends of their columns, and columns of any width', async () => {
  page = await dashboard.newOwner();
  await page.goto(`${dashboard.url}records/prices/data`);
  const widthOf = async (column: string): Promise<number> =>
    (await rows().getByRole('columnheader', { name: column, exact: true }).boundingBox())?.width ?? 0;
  const names = ['Row key', 'sku', 'brand', 'price', 'stock'];
  await rows().getByRole('button', { name: 'SKU-00020' }).waitFor();
  const region = await page.getByRole('region', { name: 'Rows', exact: true }).boundingBox();
  const total = async () => {
    const widths = await Promise.all(names.map(widthOf));
    return widths.reduce((sum, width) => sum + width, 0);
  };
  await expect.poll(async () => Math.abs((await total()) - (region?.width ?? 0)) < 30).toBe(true);
  // Runs in the page.
  const alignmentOf = (cell: unknown): string =>
    (globalThis as unknown as { getComputedStyle: (of: unknown) => { textAlign: string } }).getComputedStyle(
      cell,
    ).textAlign;
  const alignment = async (column: string) =>
    (await cellOf(rows(), 'SKU-00020', column)).evaluate(alignmentOf);
  expect(await Promise.all(['brand', 'price', 'stock'].map(alignment))).toEqual(['start', 'end', 'end']);

  const edge = (column: string) => page.getByRole('separator', { name: `Width of ${column}`, exact: true });
  const [brand, price] = [await widthOf('brand'), await widthOf('price')];
  await edge('brand').press('ArrowRight');
  await expect.poll(async () => Math.round(await widthOf('brand'))).toBe(Math.round(brand) + 20);
  expect(Math.abs((await widthOf('price')) - price)).toBeLessThan(1);
  const box = await edge('brand').boundingBox();
  const [x, y] = [(box?.x ?? 0) + 4, (box?.y ?? 0) + 8];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 60, y);
  await page.mouse.up();
  await expect.poll(async () => Math.round(await widthOf('brand'))).toBe(Math.round(brand) - 40);
  await edge('brand').press('Enter');
  await expect.poll(() => edge('brand').getAttribute('aria-valuenow')).toBe('86');
});
