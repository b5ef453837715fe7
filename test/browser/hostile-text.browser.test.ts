// Data, names, keys and responses are shown as text: nothing in them is executed, or requests another host.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createKey, newTestId } from '../support/rows/factories.ts';
import { useDashboard } from '../support/pages/dashboard.ts';
import { LONG, NAUGHTY, PAYLOAD, PAYLOADS } from '../support/pages/markup.ts';
import { fileOf, walkThrough } from '../support/pages/row-tables.ts';
import { checkAndWait, createRecord, readAll } from '../support/servers/system.ts';
import { until } from '../support/until.ts';
import { startSink, type WebhookSink } from '../support/servers/webhook-sink.ts';

const dashboard = useDashboard({ HELD_RECHECK_SECONDS: '86400', DELIVERY_SCHEDULE: '50ms' });
/** A new column, a renamed one and a constant one. */
const COLUMNS = {
  came: '<script>window.__xss=2</script>',
  before: '<i>before</i>',
  after: '<i>after</i>',
  stays: PAYLOAD,
};

let page: Page;
let sink: WebhookSink;
const at = { record: '', event: '', held: '', check: '', webhook: '', delivery: '' };
/** Hosts that received a request, and dialogs that were opened. */
const sideEffects: string[] = [];

const csv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`).join('');
const texts = [...new Set([...PAYLOADS, ...NAUGHTY])];
/** The order of rows: by the bytes of their keys. */
const keys = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
/** The part of a text that a cell shows. Half of a surrogate pair arrives as the replacement character. */
const cut = (text: string): string => text.slice(0, 160).toWellFormed();
/** The changed columns, as in the second version. */
const after = (text: string): string[] =>
  text === PAYLOADS[0] ? ['again', 'again', 'again'] : [`${text} changed`, text, LONG];

beforeAll(async () => {
  const { system, origin } = dashboard;
  const { db } = system.database;
  sink = await startSink();
  const path = '/<img src=x onerror=window.__xss=3>.csv';
  const url = `${origin.url}${encodeURI(path)}`;
  const serve = (body: string): void => origin.set(new URL(url).pathname, { body });
  const body = (suffix: string, header: string[]): string =>
    csv([header, ...texts.map((text) => [text, `${text}${suffix}`, text, LONG].slice(0, header.length))]);
  serve(body('', ['id', COLUMNS.stays, COLUMNS.before]));
  const { id } = await createRecord(system, { url, name: PAYLOAD, keyFields: ['id'], slug: 'hostile' });
  const { body: webhook } = await system.call('POST', `/v1/sources/${id}/webhooks`, {
    url: sink.url,
    description: PAYLOAD,
  });
  sink.respondWith({ status: 500, body: PAYLOAD, headers: { 'content-type': 'text/html' } });
  const repeated = csv([[PAYLOADS[0], ...after(PAYLOADS[0])]]);
  serve(body(' changed', ['id', COLUMNS.stays, COLUMNS.after, COLUMNS.came]) + repeated);
  at.check = (await checkAndWait(system, id)).id;
  serve(body('', ['id', COLUMNS.stays]).split('\n').slice(0, 3).join('\n'));
  at.held = (await checkAndWait(system, id)).id;
  at.webhook = String(webhook['id']);
  const deliveries = `/v1/sources/${id}/webhooks/${at.webhook}/deliveries`;
  at.delivery = await until(
    'the delivery has failed',
    async () =>
      (await readAll<{ id: string; status: string }>(system, deliveries, 'deliveries')).find(
        ({ status }) => status === 'failed',
      )?.id,
  );
  at.event =
    (await readAll<{ id: string }>(system, `/v1/sources/${id}/delta?changesOnly=true`, 'events'))[0]?.id ??
    '';
  at.record = id;
  const made = [
    await createKey(db, system.accountId, 'read'),
    await createKey(db, system.accountId, 'read', id),
  ];
  await db('api_keys')
    .whereIn(
      'id',
      made.map((key) => key.id),
    )
    .update({ name: PAYLOAD });
  const client = {
    id: newTestId('record'),
    accountId: system.accountId,
    clientId: 'x',
    name: PAYLOAD,
    grantId: 'x',
    scope: 'read',
  };
  await db('connected_clients').insert(client);
});
afterAll(() => sink.close());

beforeEach(async () => {
  sideEffects.length = 0;
  page = await dashboard.newOwner({
    userAgent: PAYLOAD,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const own = new URL(dashboard.url).host;
  page.on('dialog', (dialog) => {
    sideEffects.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol !== 'blob:' && host !== own) sideEffects.push(request.url());
  });
});

const open = (path: string) => page.goto(dashboard.url + path);
const ofRecord = (path: string) => open(`records/hostile${path}`);

/** Waits until the page shows exactly this text somewhere. */
const shows = (text: string) => page.getByText(text).filter({ visible: true }).first().waitFor();

/** Executed code, elements that no page of the dashboard has, and links that would run code. */
const TRACES = `() => {
  const htmlOf = (selector, isOne = () => true) =>
    [...document.querySelectorAll(selector)].filter(isOne).map((element) => element.outerHTML);
  const runs = /(?:href|src|action)="\\s*(?:javascript|data|vbscript):/i;
  return [
    ...htmlOf('img:not([src="/dashboard/icon.svg"]), iframe, object, embed, script:not([src]), [onerror], [onload]'),
    ...htmlOf('b, i', ({ textContent }) => ['bold', 'before', 'after'].includes(textContent)),
    ...htmlOf('[href], [src], [action]').filter((html) => runs.test(html)),
    ...(window.__xss === undefined ? [] : ['window.__xss is ' + JSON.stringify(window.__xss)]),
  ];
}`;

async function expectNothingDone(): Promise<void> {
  expect(await page.evaluate(`(${TRACES})()`)).toEqual([]);
  expect(sideEffects).toEqual([]);
}

/** Loads all rows of a long table and scrolls through them. @returns the texts of each row, the key first */
async function readThrough(label: string): Promise<string[][]> {
  const count = texts.length.toLocaleString('en');
  const all = page.getByText(`${count} of ${count} rows loaded`, { exact: true });
  await page.getByRole('region', { name: label, exact: true }).focus();
  await until(`all rows in ${label}`, async () => {
    await page.keyboard.press('End');
    return (await all.count()) === 1;
  });
  const walk = await walkThrough(page, label, TRACES);
  expect(walk.looked).toEqual([]);
  expect(walk.keys).toEqual(keys);
  return walk.cells.map((cells) => cells.map((text) => text.toWellFormed()));
}

/** The text of a changed column. */
const differs = (before: string, now: string): string => `before: ${cut(before)}after: ${cut(now)}`;

it('markup is text in rows and changes', async () => {
  await ofRecord('');
  await page.getByRole('heading', { level: 1, name: PAYLOAD, exact: true }).waitFor();
  await shows(COLUMNS.before);
  await shows(COLUMNS.after);
  await expectNothingDone();

  await ofRecord(`/changes/${at.event}`);
  await shows(COLUMNS.came);
  const rows = await readThrough('Rows of the event');
  for (const [index, text] of keys.entries())
    expect(rows[index]).toContain(differs(text, after(text)[0] ?? ''));

  await ofRecord('/data');
  await page.getByRole('columnheader', { name: COLUMNS.stays, exact: true }).waitFor();
  expect(await readThrough('Rows')).toEqual(keys.map((text) => [text, ...[text, ...after(text)].map(cut)]));

  await ofRecord(`/data?row=${encodeURIComponent(PAYLOADS[1])}`);
  await page
    .getByRole('dialog', { name: `Row ${PAYLOADS[1]}` })
    .getByText(LONG.trim())
    .first()
    .waitFor();
  await expectNothingDone();

  await ofRecord('/data?view=profile');
  await page.getByRole('heading', { level: 3, name: COLUMNS.came, exact: true }).waitFor();
  await page.getByRole('list', { name: `Most frequent values of ${COLUMNS.came}` }).waitFor();
  await expectNothingDone();

  await ofRecord('/data?view=compare');
  const differing = await readThrough('Rows that differ');
  for (const [index, text] of keys.entries())
    expect(differing[index]).toContain(differs(text, after(text)[0] ?? ''));
  await expectNothingDone();
}, 240_000);

it('markup is text in checks, settings, webhooks and their answers', async () => {
  await ofRecord('/checks');
  await page.getByRole('table', { name: 'Checks' }).waitFor();
  await ofRecord(`/checks/${at.check}`);
  await page.getByRole('list', { name: 'Warnings' }).getByText(PAYLOADS[0]).waitFor();
  await expectNothingDone();
  await ofRecord(`/checks/${at.held}`);
  await page.getByText('rows. Compared with the last snapshot').waitFor();
  await page.getByRole('heading', { name: 'Held changes' }).waitFor();
  await expectNothingDone();
  await ofRecord('/settings');
  await page.getByRole('heading', { name: 'Schedule' }).waitFor();
  await expectNothingDone();
  // A slug cannot be markup: the typed one is refused and shown as text.
  dashboard.expectComplaint('status of 422');
  const name = page.getByRole('form', { name: 'Name', exact: true });
  await name.getByLabel('Slug').fill(PAYLOAD);
  await name.getByRole('button', { name: 'Save', exact: true }).click();
  await name.locator('[aria-invalid=true]').waitFor();
  expect(await name.getByLabel('Slug').inputValue()).toBe(PAYLOAD);
  await expectNothingDone();
  await ofRecord('/webhooks');
  await shows(PAYLOAD);
  await expectNothingDone();
  await ofRecord(`/webhooks/${at.webhook}?delivery=${at.delivery}`);
  await page.getByLabel('What the endpoint answered').getByText(PAYLOAD).first().waitFor();
  await expectNothingDone();
  await ofRecord('/connect');
  await page.getByRole('table', { name: 'API keys' }).getByText(PAYLOAD).waitFor();
  await expectNothingDone();
});

it('markup is text in lists, names of programs and parts of the address', async () => {
  dashboard.expectComplaint('the server responded with a status of 4');
  await open('records');
  await page.getByRole('link', { name: PAYLOAD, exact: true }).waitFor();
  await open(`records?search=${encodeURIComponent(PAYLOADS[0])}`);
  await shows(PAYLOADS[0]);
  await expectNothingDone();
  await open('developer');
  await page.getByRole('table', { name: 'API keys' }).getByText(PAYLOAD).first().waitFor();
  await page.getByRole('table', { name: 'Connected MCP clients' }).getByText(PAYLOAD).waitFor();
  await expectNothingDone();
  await open('account');
  await page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').first().waitFor();
  await expectNothingDone();
  const hostile = encodeURIComponent(PAYLOAD);
  for (const path of [
    `records/${hostile}`,
    `records/hostile/changes/${hostile}`,
    `records/hostile/checks/${hostile}`,
  ]) {
    // One page after the other.
    /* oxlint-disable no-await-in-loop */
    await open(path);
    await page.getByRole('alert').first().waitFor();
    await expectNothingDone();
    /* oxlint-enable no-await-in-loop */
  }
  await open('sign-in?next=javascript:window.__xss=1');
  await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
  await expectNothingDone();
});

it('a formula is text in files for spreadsheets', async () => {
  const formula = PAYLOADS.find((text) => text.startsWith('=')) ?? '';
  const SAFE = 'CSV, safe to open in a spreadsheet';
  const quoted = formula.replaceAll('"', '""');
  await ofRecord('/data');
  expect(await fileOf(page, 'Export', SAFE)).toContain(`"'${quoted}"`);
  await ofRecord(`/changes/${at.event}`);
  expect(await fileOf(page, 'Download', SAFE)).toContain(`"'${quoted}"`);
});

it('a column without a name is shown with a label', async () => {
  const { system, origin } = dashboard;
  const serve = (rows: string): void =>
    origin.set('/nameless', { body: rows, headers: { 'content-type': 'application/json' } });
  serve('[{"id":1,"":"x"},{"id":2,"":"y"}]');
  const { id } = await createRecord(system, { url: `${origin.url}/nameless`, keyFields: ['id'] });
  serve('[{"id":1,"name":"x"},{"id":2,"name":"y"}]');
  await checkAndWait(system, id);
  serve('[{"id":1,"name":"x","":3},{"id":2,"name":"y"}]');
  await checkAndWait(system, id);
  await open(`records/${id}/changes`);
  await page.getByText('Column added: (no name)', { exact: true }).waitFor();
  expect(await page.getByText('Column renamed: (no name) → name', { exact: true }).count()).toBe(1);
});
