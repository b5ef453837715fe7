// Calls that fail for a moment, and the back button. Shown and typed text stays, and no request is repeated without end.
import type { Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { checkAndWait, createRecord } from '../support/servers/system.ts';
import { startSink, type WebhookSink } from '../support/servers/webhook-sink.ts';

const dashboard = useDashboard();
/** From each version to the next, two rows are new, two changed and two deleted. */
const VERSIONS = [
  'id,price\na,1\nb,2\nc,3\nd,4\n',
  'id,price\na,9\nb,9\ne,5\nf,6\n',
  'id,price\ne,9\nf,9\ng,7\nh,8\n',
  'id,price\ng,9\nh,9\ni,7\nj,8\n',
];

let page: Page;
let recordId: string;
let sink: WebhookSink;

const serve = (version: number): void => {
  const body = VERSIONS[version] ?? '';
  dashboard.origin.set('/rows.csv', { body, headers: { 'content-type': 'text/csv' } });
};
const open = (path: string) => page.goto(dashboard.url + path);
const radio = (name: string) => page.getByRole('radio', { name, exact: true });
const pathOf = (request: Request): string => new URL(request.url()).pathname;

/** The next answer with the record, which its pages request every few seconds. */
const nextLook = (status: readonly number[] = [200, 304]) =>
  page.waitForResponse(
    (response) => pathOf(response.request()) === '/v1/sources/rows' && status.includes(response.status()),
  );

/** A refusal, as of the API or a proxy in front of it. */
function refuse(route: Route, status: number, code: string): Promise<void> {
  return route.fulfill({
    status,
    contentType: 'application/problem+json',
    body: JSON.stringify({ status, code, detail: 'Not now.' }),
  });
}

beforeAll(async () => {
  sink = await startSink();
  serve(0);
  const url = `${dashboard.origin.url}/rows.csv`;
  ({ id: recordId } = await createRecord(dashboard.system, { url, name: 'Rows' }));
  serve(1);
  await checkAndWait(dashboard.system, recordId);
});
afterAll(() => sink.close());
beforeEach(async () => {
  page = await dashboard.newOwner();
  // Requests of other pages do not count.
  await page.goto('about:blank');
});

describe('unsaved input', () => {
  const name = () => page.getByRole('textbox', { name: 'Name', exact: true });

  beforeEach(async () => {
    await open('records/rows/settings');
    await name().fill('Typed');
    dashboard.expectComplaint('401');
    await page.route('**/v1/sources/rows', (route) => refuse(route, 401, 'unauthenticated'), { times: 1 });
  });

  it('stays when a token that has just expired is refused', async () => {
    await nextLook([401]);
    await nextLook();
    expect(await name().inputValue()).toBe('Typed');
  });

  it('stays when the signed-in user cannot be requested for a moment', async () => {
    dashboard.expectComplaint('503');
    let refusals = 0;
    await page.route('**/auth/get-session', (route) => {
      refusals += 1;
      return refuse(route, 503, 'unavailable');
    });
    await expect.poll(() => refusals).toBe(2);
    await nextLook();
    expect(await name().inputValue()).toBe('Typed');
    expect(page.url()).toContain('/settings');
  });
});

it('events that cannot be refreshed are requested once, and again with the next change', async () => {
  await open('records/rows/changes');
  const events = page.getByRole('list', { name: 'Delta events' }).locator(':scope > li');
  await events.first().waitFor();
  const before = await events.count();
  let refusals = 0;
  dashboard.expectComplaint('422');
  const events422 = (route: Route) => {
    refusals += 1;
    return refuse(route, 422, 'unprocessable');
  };
  await page.route('**/v1/sources/rows/delta?*', events422);
  serve(2);
  await checkAndWait(dashboard.system, recordId);
  await page.getByText('Could not load the events').waitFor();
  await nextLook();
  await nextLook();
  expect(refusals).toBe(1);
  expect(await events.count()).toBe(before);
  await page.unroute('**/v1/sources/rows/delta?*', events422);
  serve(3);
  await checkAndWait(dashboard.system, recordId);
  await expect.poll(() => events.count()).toBe(before + 2);
});

it('a failed next page of records is requested once before the list is requested again', async () => {
  const asked: ('first' | 'next')[] = [];
  dashboard.expectComplaint('422');
  await page.route(/\/v1\/sources\?/, async (route) => {
    const isNext = new URL(route.request().url()).searchParams.has('cursor');
    asked.push(isNext ? 'next' : 'first');
    if (isNext) return refuse(route, 422, 'unprocessable');
    const response = await route.fetch();
    return route.fulfill({ response, json: { ...(await response.json()), nextCursor: 'more' } });
  });
  await open('records');
  await page.getByText('Could not load the records').waitFor();
  await expect.poll(() => asked.lastIndexOf('first')).toBeGreaterThan(0);
  expect(asked.slice(0, 3)).toEqual(['first', 'next', 'first']);
  // The real list has no second page.
  await page.goto('about:blank');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

it('rows of another kind have their own height, even when their number is equal', async () => {
  const { body } = await dashboard.system.call('GET', `/v1/sources/${recordId}/delta/latest`);
  await open(`records/rows/changes/${String(body['id'])}`);
  const heights: string[] = [];
  for (const [choice, kind] of [
    ['+2 new', 'new'],
    ['~2 changed', 'changed'],
    ['+2 new', 'new'],
    ['~2 changed', 'changed'],
  ] as const) {
    await radio(choice).click();
    const row = page.getByRole('row').filter({ has: page.getByTitle(kind, { exact: true }) });
    heights.push(await row.first().evaluate((element) => element.getAttribute('style') ?? ''));
  }
  expect(heights.slice(2)).toEqual(heights.slice(0, 2));
  expect(heights[0]).not.toBe(heights[1]);
});

it('a delivery that was closed does not open again on the way back', async () => {
  const { body } = await dashboard.system.call('POST', `/v1/sources/${recordId}/webhooks`, { url: sink.url });
  const webhook = `/v1/sources/${recordId}/webhooks/${String(body['id'])}`;
  await dashboard.system.call('POST', `${webhook}/test`, { eventType: 'delta' }, { prefer: 'wait=20' });
  await open(`records/rows/webhooks/${String(body['id'])}`);
  await page.getByRole('table', { name: 'Deliveries' }).getByRole('link').click();
  const drawer = page.getByRole('dialog', { name: 'Delivery' });
  await drawer.getByText('Delivered').first().waitFor();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await drawer.waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('table', { name: 'Deliveries' }).waitFor();
  expect(new URL(page.url()).searchParams.has('delivery')).toBe(false);
  expect(await drawer.count()).toBe(0);
});
