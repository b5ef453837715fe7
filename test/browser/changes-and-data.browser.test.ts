// Changes and data: events, their rows before and after, snapshots, filters, profiles, comparisons and files.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { copiedBy } from '../support/pages/clipboard.ts';
import { useDashboard } from '../support/pages/dashboard.ts';
import { createKey } from '../support/rows/factories.ts';
import { recordTab } from '../support/pages/record-tabs.ts';
import { addFilter, cellOf, choose, fileOf, keysShown, walkThrough } from '../support/pages/row-tables.ts';
import {
  AFTER,
  BEFORE,
  BIG,
  BRANDS,
  csvOf,
  LONG,
  makeRowsWorld,
  numbers,
  price,
} from '../support/pages/rows-world.ts';
import type { Price } from '../support/pages/rows-world.ts';
import { checkAndWait, readAll } from '../support/servers/system.ts';

const dashboard = useDashboard();
/** A time zone without daylight saving time. */
const ZONE = { timezoneId: 'Asia/Kolkata', aheadMs: 5.5 * 3_600_000 };

let page: Page;

const radio = (name: string) => page.getByRole('radio', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const table = (name: string) => page.getByRole('table', { name, exact: true });
const tab = (name: string) => recordTab(page, name);
const loaded = (counts: string) => page.getByText(new RegExp(`^${counts} rows loaded`));
const search = () => new URL(page.url()).searchParams;
const open = (path: string) => page.goto(dashboard.url + path);

/** Waits for this address, because the page may still be navigating. */
const eventually = async (probe: () => unknown, expected: unknown) =>
  await expect.poll(probe).toEqual(expected);

const copied = (kind: string): Promise<string> =>
  copiedBy(page, async () => {
    await page.getByRole('button', { name: /^(Copy|Copied)$/ }).click();
    await page.getByRole('menuitem', { name: kind, exact: true }).click();
    await button('Copied').waitFor();
  });

beforeAll(() => makeRowsWorld(dashboard));

describe('the events of a record', () => {
  const list = () => page.getByRole('list', { name: 'Delta events' });
  const shown = async (): Promise<string[]> => {
    const links = list().getByRole('link');
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    return hrefs.map((href) => href?.split('/').at(-1) ?? '');
  };
  const listed = async (query = '') => {
    const path = `/v1/sources/many/delta?limit=200&order=desc${query}`;
    return readAll<{ id: string; detectedAt: string }>(dashboard.system, path, 'events');
  };

  it('are listed down to the first one, and newer ones appear on request', async () => {
    page = await dashboard.newOwner();
    await open('records/many/changes');
    const changes = (await listed('&changesOnly=true')).map(({ id }) => id);
    expect(changes).toHaveLength(60);
    await eventually(shown, changes.slice(0, 50));
    await button('Show older events').click();
    await eventually(shown, changes);
    await button('Show older events').waitFor({ state: 'detached' });

    dashboard.origin.set('/many.csv', { body: 'id,price\na,x\nb,y\n' });
    await checkAndWait(dashboard.system, 'many');
    const newer = button('Show newer events');
    await newer.waitFor();
    await eventually(shown, changes);
    await newer.click();
    await list().getByLabel('1 new').waitFor();
    const [latest] = await listed('&changesOnly=true');
    await eventually(async () => (await shown())[0], latest?.id);
    await newer.waitFor({ state: 'detached' });
  });

  it('say which rows changed, with the digits of the origin', async () => {
    page = await dashboard.newOwner();
    await open('records/odd/changes');
    const latest = list()
      .getByRole('listitem')
      .filter({ has: page.getByRole('link') })
      .first();
    const rows = latest.getByRole('list', { name: 'First rows' }).getByRole('listitem');
    await rows.first().waitFor();
    expect(await rows.allTextContents()).toEqual([
      'r1: price 1.0 to 1.10',
      'r2: name Ben to Bea, a[b] =cmd Ben to =cmd Bea, and 2 more',
    ]);
    expect(await latest.getByRole('time').first().textContent()).toMatch(/:\d\d:\d\d/);
  });

  it('include checks without changes on request, which survives reload and back', async () => {
    page = await dashboard.newOwner();
    await open('records/many/changes');
    const only = page.getByRole('checkbox', { name: 'Only checks that found changes' });
    await list().getByRole('listitem').first().waitFor();
    expect(await page.getByText('Nothing changed', { exact: true }).count()).toBe(0);
    await only.click();
    await page.getByText('Nothing changed', { exact: true }).waitFor();
    await button('Show older events').click();
    await list().getByText('First snapshot').waitFor();
    await eventually(
      shown,
      (await listed()).map(({ id }) => id),
    );

    await page.reload();
    await page.getByText('Nothing changed', { exact: true }).waitFor();
    expect(await only.isChecked()).toBe(false);
    await list().getByRole('link').nth(3).click();
    await table('Rows of the event').waitFor();
    await page.goBack();
    await page.getByText('Nothing changed', { exact: true }).waitFor();
    expect(await only.isChecked()).toBe(false);
  });

  it('regression: are the latest three of a period on the overview, which says so', async () => {
    page = await dashboard.newOwner();
    await open('records/many?since=2020-01-01T00:00:00Z');
    await page.getByText('These are the latest 3 events of the period.').waitFor();
    const latest = await listed('&changesOnly=true');
    await eventually(
      shown,
      latest.slice(0, 3).map(({ id }) => id),
    );
  });

  it('are filtered by a period in the user’s time zone', async () => {
    page = await dashboard.newOwner({ timezoneId: ZONE.timezoneId });
    const events = await listed('&changesOnly=true');
    const [since, until] = [events[40], events[30]].map((event) => Date.parse(event?.detectedAt ?? ''));
    const local = (ms = NaN) => new Date(ms + ZONE.aheadMs).toISOString().slice(0, 16);
    await open('records/many/changes');
    await list().waitFor();
    await page.getByLabel('From').fill(local(since));
    await page.getByLabel('Until').fill(local(until));
    // Newest first: the first one is at `until`, the last one after `since`.
    const expected = events.slice(30, 40).map(({ id }) => id);
    await eventually(shown, expected);
    await eventually(() => search().get('since'), new Date(since ?? NaN).toISOString());

    await page.reload();
    await eventually(shown, expected);
    expect(await page.getByLabel('Until').inputValue()).toBe(local(until));
    await button('All time').click();
    await list().getByRole('listitem').nth(49).waitFor();
    await eventually(() => [...search()], []);
  });
});

describe('the rows of an event', () => {
  const rows = () => table('Rows of the event');

  it('are shown before and after, and filtered by type, column and text', async () => {
    page = await dashboard.newOwner();
    await open('records/odd/changes/latest');
    await rows().waitFor();
    await eventually(() => keysShown(rows()), ['r1', 'r2', 'r3', 'r5']);
    const changed = await cellOf(rows(), 'r1', 'price');
    expect(await changed.locator('del').textContent()).toBe('before: 1.0');
    expect(await changed.locator('ins').textContent()).toBe('after: 1.10');
    expect(await (await cellOf(rows(), 'r1', 'big')).textContent()).toBe(BIG);
    expect(await (await cellOf(rows(), 'r2', 'a[b]')).locator('del').textContent()).toBe('before: =cmd Ben');
    expect(await (await cellOf(rows(), 'r3', '__proto__')).textContent()).toBe('p r3');
    await eventually(
      () => rows().getByRole('rowheader').allTextContents(),
      ['~changed r1', '~changed r2', '−deleted r3', '+new r5'],
    );

    await radio('+1 new').click();
    await rows().getByRole('button', { name: 'r1' }).waitFor({ state: 'detached' });
    await eventually(() => keysShown(rows()), ['r5']);
    await page.waitForURL('**?type=new');
    await page.reload();
    await eventually(() => keysShown(rows()), ['r5']);
    await radio('All 4').click();
    await choose(page, 'Only rows that changed in', 'name');
    await eventually(() => keysShown(rows()), ['r2']);
    await page.reload();
    await eventually(() => keysShown(rows()), ['r2']);
    await page.getByLabel('Search these rows').fill('no such text');
    await page.getByText('No rows match.').waitFor();
    await open('records/odd/changes/latest?search=CLEO');
    await eventually(() => keysShown(rows()), ['r3']);
    await open('records/odd/changes/latest?search=BEA&columns=changed');
    await eventually(() => keysShown(rows()), ['r2']);
    await eventually(() => rows().getByRole('columnheader').allTextContents(), ['Row key', 'name', 'a[b]']);
  });

  it('are counted by column; a column shows its rows alone, or is ignored with a click', async () => {
    page = await dashboard.newOwner();
    await open('records/odd/changes/latest');
    const columns = page.getByRole('region', { name: 'Columns that changed' });
    await columns.waitFor();
    await eventually(() => columns.getByRole('button').allTextContents(), ['a[b] 1', 'name 1', 'price 1']);
    await button('name: 1 row').click();
    await eventually(() => keysShown(rows()), ['r2']);
    expect(search().get('column')).toBe('name');
    await button('name: 1 row').click();
    await eventually(() => keysShown(rows()), ['r1', 'r2', 'r3', 'r5']);

    await page.getByRole('link', { name: 'Ignore this column: price' }).click();
    const form = page.getByRole('form', { name: 'Key and ignored fields' });
    await form.getByText('price', { exact: true }).waitFor();
    await eventually(() => form.evaluate((node) => node.getBoundingClientRect().top < 700), true);
    expect(await form.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
    await form.getByRole('button', { name: 'Undo' }).click();
    await form.getByText('price', { exact: true }).waitFor({ state: 'detached' });
  });

  it('are found by their text among thousands', async () => {
    page = await dashboard.newOwner();
    await open('records/prices/changes/latest');
    await loaded('100 of 5,040').waitFor();
    const field = page.getByLabel('Search these rows');
    await field.fill('sku-05039');
    await loaded('1 of 1').waitFor();
    await eventually(() => keysShown(rows()), ['SKU-05039']);
    // These rows were deleted.
    await field.fill('sku-0001');
    await loaded('10 of 10').waitFor();
    await page.reload();
    await loaded('10 of 10').waitFor();
    expect(await field.inputValue()).toBe('sku-0001');
    await field.fill('');
    await loaded('100 of 5,040').waitFor();
    await choose(page, 'Only rows that changed in', 'price');
    await page.getByText('100, and there are more rows loaded').waitFor();
    await choose(page, 'Only rows that changed in', 'brand');
    await page.getByText('No rows match.').waitFor();
    await open('records/prices/data?view=compare&search=sku-05038');
    await eventually(() => keysShown(table('Rows that differ')), ['SKU-05038']);
  });

  it('are copied and downloaded with all digits', async () => {
    const { system } = dashboard;
    page = await dashboard.newOwner({ permissions: ['clipboard-read', 'clipboard-write'] });
    await open('records/odd/changes/latest');
    await rows().waitFor();
    const { value: key } = await createKey(system.database.db, system.accountId, 'read');
    const [asCsv, asSafeCsv, asLines] = await Promise.all(
      ['csv', 'csv&escape=spreadsheet', 'jsonl'].map(async (format) => {
        const file = new URL(`/v1/sources/odd/delta/latest/download?format=${format}`, dashboard.url);
        return (await fetch(file, { headers: { authorization: `Bearer ${key}` } })).text();
      }),
    );
    const text = await copied('Copy as CSV');
    expect(text).toBe(asCsv?.replaceAll('\r', ''));
    expect(text.split('\n')[1]).toContain(`changed,before,r1,r1,Anna,1.0,${BIG},bare r1,=cmd Anna,p r1,long`);
    const safe = await copied('Copy as CSV, safe to open in a spreadsheet');
    expect(safe).toBe(asSafeCsv?.replaceAll('\r', ''));
    expect(safe).toContain(",'=cmd Anna,");
    const json = await copied('Copy as JSON');
    expect(json).toContain('"price": 1.10');
    expect(json).toContain(`"big": ${BIG}`);
    expect((JSON.parse(json) as { key: string }[]).map(({ key }) => key)).toEqual(['r1', 'r2', 'r3', 'r5']);
    expect(await fileOf(page, 'Download', 'CSV')).toBe(asCsv);
    expect(await fileOf(page, 'Download', 'JSON Lines')).toBe(asLines);
    expect(asLines).toContain('1.10');
    await page.getByLabel('Search these rows').fill('emil');
    await loaded('1 of 1').waitFor();
    expect((await copied('Copy as CSV')).split('\n')).toHaveLength(3);
  });

  it('can be scrolled to the last of 5,040, and only visible ones are rendered', async () => {
    page = await dashboard.newOwner({ viewport: { width: 1440, height: 1800 } });
    await open('records/prices/changes/latest');
    await loaded('100 of 5,040').waitFor();
    await page.getByRole('region', { name: 'Rows of the event' }).focus();
    for (const count of ['1,100', '2,100', '3,100', '4,100', '5,040']) {
      // oxlint-disable-next-line no-await-in-loop
      await page.keyboard.press('End');
      // oxlint-disable-next-line no-await-in-loop
      await loaded(`${count} of 5,040`).waitFor();
    }
    // The last loaded rows make the table longer while it still scrolls.
    await eventually(async () => {
      await page.keyboard.press('End');
      return rows().getByRole('button', { name: 'SKU-05039' }).isVisible();
    }, true);
    await page.keyboard.press('Home');
    await rows().getByRole('button', { name: 'SKU-00000' }).waitFor();
    await page.keyboard.press('PageDown');
    await rows().getByRole('button', { name: 'SKU-00040' }).waitFor();

    const { keys, moved, most } = await walkThrough(page, 'Rows of the event');
    expect(moved).toEqual([]);
    expect(keys).toEqual(numbers(0, 5_040).map((at) => price(at, 0).sku));
    expect(most).toBeLessThanOrEqual(60);
  });
});

describe('the data of a record', () => {
  const rows = () => table('Rows');

  it('match the chosen snapshot, search and filters', async () => {
    page = await dashboard.newOwner();
    await open('records/prices/data');
    await rows().waitFor();
    await choose(page, 'Snapshot', /^Snapshot 1 ·/);
    await rows().getByRole('button', { name: 'SKU-00000' }).waitFor();
    expect(await (await cellOf(rows(), 'SKU-00007', 'price')).textContent()).toBe('7.10');
    await page.getByLabel('Search the rows').fill('GLOBEX');
    await loaded('100 of 1,000').waitFor();
    await addFilter(page, 'price', 'is more than', '50.1');
    await addFilter(page, 'stock', 'is one of', '7', '357', '392');
    await addFilter(page, 'sku', 'starts with', 'SKU-0');
    const found = BEFORE.filter(
      (row) => row.brand === 'Globex' && Number(row.price) > 50.1 && ['7', '357', '392'].includes(row.stock),
    ).map(({ sku }) => sku);
    expect(found.length).toBeGreaterThan(5);
    await loaded(`${found.length} of ${found.length}`).waitFor();
    await eventually(() => keysShown(rows()), found);

    const kept = page.url();
    await page.reload();
    await loaded(`${found.length} of ${found.length}`).waitFor();
    await tab('Checks').click();
    await page.getByRole('table', { name: 'Checks' }).waitFor();
    await page.goBack();
    await loaded(`${found.length} of ${found.length}`).waitFor();
    await eventually(() => page.url(), kept);
    expect(await page.getByLabel('Search the rows').inputValue()).toBe('GLOBEX');
    await button('Change the filter: price is more than 50.1').waitFor();
    await button('Remove the filter: stock is one of 7, 357, 392').click();
    await button('Clear the filters').click();
    await loaded('100 of 1,000').waitFor();
  });

  it('are filtered by columns of any name', async () => {
    page = await dashboard.newOwner();
    await open('records/odd/data');
    await loaded('4 of 4').waitFor();
    await addFilter(page, 'a[b]', 'contains', 'cmd');
    await addFilter(page, '__proto__', 'is not', 'p r4');
    await loaded('3 of 3').waitFor();
    await addFilter(page, '(no name)', 'is one of', 'bare r2', 'bare r5', 'bare r4');
    await loaded('2 of 2').waitFor();
    await addFilter(page, 'price', 'is at least', '2.750');
    await addFilter(page, 'name', 'is not empty');
    await eventually(() => keysShown(rows()), ['r2', 'r5']);
    await page.reload();
    await loaded('2 of 2').waitFor();
    await eventually(() => keysShown(rows()), ['r2', 'r5']);
    await button('Change the filter: (no name) is one of bare r2, bare r5, bare r4').waitFor();
    expect(await fileOf(page, 'Export', 'CSV')).toMatch(/^[^\n]*\nr2,[^\n]*\nr5,[^\n]*\n$/);
  });

  it('are exported unchanged, the found ones or all', async () => {
    page = await dashboard.newOwner();
    await open('records/prices/data?search=globex&filter%5Bprice%5D%5Blt%5D=2');
    await rows().waitFor();
    const found = AFTER.filter((row) => row.brand === 'Globex' && Number(row.price) < 2);
    const lf = (text: string) => text.replaceAll('\r\n', '\n');
    expect(lf(await fileOf(page, 'Export', 'CSV'))).toBe(csvOf(found));
    expect(lf(await fileOf(page, 'Export', 'CSV', 'last'))).toBe(csvOf(AFTER));
    const lines = (await fileOf(page, 'Export', 'JSON Lines')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Price)).toEqual(found);

    await open('records/odd/data');
    await rows().waitFor();
    const all = await fileOf(page, 'Export', 'CSV');
    expect(all.split(/\r?\n/)[1]).toContain(`r1,Anna,1.10,${BIG},bare r1,=cmd Anna,p r1,${LONG}`);
    expect(await fileOf(page, 'Export', 'CSV, safe to open in a spreadsheet')).toContain(`'=cmd Anna`);
    expect(await fileOf(page, 'Export', 'JSON Lines')).toContain(`"price":1.10,"big":${BIG}`);
  });

  it('show the history of a row and the whole of a shortened value', async () => {
    page = await dashboard.newOwner();
    await open('records/odd/data');
    await (await cellOf(rows(), 'r1', 'long')).getByRole('button').click();
    const whole = page.getByRole('dialog', { name: 'long' });
    await whole.getByText(LONG, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await whole.waitFor({ state: 'detached' });

    await rows().getByRole('button', { name: 'r2', exact: true }).click();
    const row = page.getByRole('dialog', { name: 'Row r2' });
    const entries = row.getByRole('listitem');
    await row.getByText('No older history is kept.').waitFor();
    await eventually(
      () => entries.locator('del').allTextContents(),
      ['before: Ben', 'before: =cmd Ben', 'before: 2.50'],
    );
    await eventually(
      () => entries.locator('ins').allTextContents(),
      ['after: Bea', 'after: =cmd Bea', 'after: 2.75'],
    );
    await entries.last().getByText('Values at that time').click();
    await entries.last().getByText('bare r2').waitFor();
    await page.reload();
    await row.getByText('No older history is kept.').waitFor();
    await entries.first().getByRole('link').click();
    await table('Rows of the event').waitFor();
    await page.goBack();
    await row.getByText('No older history is kept.').waitFor();
    await page.keyboard.press('Escape');
    await row.waitFor({ state: 'detached' });
    await eventually(() => [...search()], []);
  });

  it('are profiled by column, and a value leads to its rows', async () => {
    page = await dashboard.newOwner();
    await open('records/prices/data');
    await radio('Columns').click();
    await page.getByText('From all 5,020 rows.').waitFor();
    await page.getByRole('img', { name: /^Histogram of stock from 0 to 399/ }).waitFor();
    const brands = page.getByRole('list', { name: 'Most frequent values of brand' });
    await eventually(
      async () => (await brands.getByRole('listitem').allTextContents()).toSorted(),
      BRANDS.map((brand) => `${brand}1,004`).toSorted(),
    );
    await brands.getByRole('link', { name: 'Globex' }).click();
    await loaded('100 of 1,004').waitFor();
    await button('Change the filter: brand is Globex').waitFor();
    await page.goBack();
    await brands.waitFor();
  });

  it('are compared between any two snapshots, both ways', async () => {
    page = await dashboard.newOwner();
    await open('records/odd/data?view=compare');
    const differing = table('Rows that differ');
    await differing.waitFor();
    await choose(page, 'From', /^Snapshot 1 ·/);
    await differing.getByText('before: 2.50').waitFor({ state: 'attached' });
    await eventually(() => keysShown(differing), ['r1', 'r2', 'r3', 'r5']);
    for (const count of ['1 new', '2 changed', '1 deleted'])
      await page.getByLabel(count, { exact: true }).waitFor();
    await button('Swap the two snapshots').click();
    await differing.getByText('after: 2.50').waitFor({ state: 'attached' });
    const swapped = await cellOf(differing, 'r1', 'price');
    expect(await swapped.textContent()).toBe('before: 1.10after: 1.0');
    await choose(page, 'From', /^Snapshot 2 ·/);
    await differing.getByText('before: 2.75').waitFor({ state: 'attached' });
    await eventually(() => keysShown(differing), ['r2']);
    await page.reload();
    await differing.getByText('before: 2.75').waitFor({ state: 'attached' });
    await choose(page, 'To', /^Snapshot 2 ·/);
    await page.getByText('The two snapshots have the same rows.').waitFor();
  });
});

it('changes and data are shown to a session without an account', async () => {
  const { origin } = dashboard;
  origin.set('/session.csv', { body: csvOf(BEFORE.slice(0, 300)) });
  page = await dashboard.newPerson();
  await page.goto(dashboard.url);
  await page.getByLabel('URL of the data').fill(`${origin.url}/session.csv`);
  await button('Watch it').click();
  await page.waitForURL('**/dashboard/session');
  origin.set('/session.csv', { body: csvOf(AFTER.slice(0, 290)) });
  await button('Check now').click();
  await page.getByLabel('280 changed', { exact: true }).first().waitFor();
  await tab('Changes').click();
  await page.getByRole('list', { name: 'Delta events' }).getByRole('link').click();
  await loaded('100 of 310').waitFor();
  expect(await (await cellOf(table('Rows of the event'), 'SKU-00020', 'price')).textContent()).toBe(
    'before: 20.10after: 20.20',
  );
  expect((await fileOf(page, 'Download', 'CSV')).trimEnd().split('\n')).toHaveLength(1 + 10 + 2 * 280 + 20);

  await tab('Data').click();
  await addFilter(page, 'brand', 'is', 'Globex');
  await loaded('58 of 58').waitFor();
  expect((await fileOf(page, 'Export', 'CSV')).replaceAll('\r', '')).toBe(
    csvOf(AFTER.slice(0, 290).filter(({ brand }) => brand === 'Globex')),
  );
  await table('Rows').getByRole('button', { name: 'SKU-00021' }).click();
  await page
    .getByRole('dialog', { name: 'Row SKU-00021' })
    .getByText('before: 21.10')
    .waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await radio('Compare').click();
  await page.getByLabel('280 changed', { exact: true }).waitFor();
});
