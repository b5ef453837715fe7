// Deliveries with `include: "rows"`: the rows in the body and those behind its URL are all that the webhook wants, each once.
import { describe, expect, it } from 'vitest';
import { rawRows } from '../../../../db/driver/knex.ts';
import { pruneRecords } from '../../../../db/upkeep/retention.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../../support/rows/factories.ts';
import { createManyRows } from '../../../support/rows/many-rows.ts';

const api = useApi();
const url = 'https://hooks.example.com/in';

interface Settings {
  filters?: { changeTypes?: string[]; columns?: string[] };
  fields?: string[];
  maxBodyBytes?: number;
  include?: 'keys' | 'rows';
}

interface SentRow {
  key: string;
  changeType: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  changedFields: string[];
}

interface Body {
  deltaEventId: string;
  rows?: SentRow[];
  truncated: Record<string, boolean>;
  rowsUrl: string;
  newKeys: string[];
  changedColumns: { field: string; rows: number }[] | null;
  sourceName: string;
}

type Rows = Record<string, Record<string, unknown>>;
const texts = (rows: Rows) =>
  Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, JSON.stringify(row)]));

async function makeWebhook(recordId: string, settings: Settings): Promise<string> {
  const body = { url, include: 'rows', ...settings };
  const made = await api.call('POST', `/v1/sources/${recordId}/webhooks`, { body });
  expect(made.status).toBe(201);
  return `/v1/sources/${recordId}/webhooks/${made.body.id}`;
}

async function lastDelivery(webhook: string): Promise<{ path: string; payload: string; body: Body }> {
  const { body: list } = await api.call('GET', `${webhook}/deliveries?limit=1`);
  const path = `${webhook}/deliveries/${list.deliveries[0].id}`;
  const { body } = await api.call('GET', path);
  return { path, payload: body.payload, body: JSON.parse(body.payload) as Body };
}

/** The rows of the body and of all pages behind its URL. */
async function allRows({ rows = [], truncated, rowsUrl }: Body, limit = 7): Promise<SentRow[]> {
  const { pathname, search } = new URL(rowsUrl);
  const found = [...rows];
  let next = truncated['rows'] === true ? `${pathname}${search}&limit=${limit}` : null;
  while (next !== null) {
    const { status, body } = await api.call('GET', next);
    expect(status).toBe(200);
    found.push(...(body.rows as SentRow[]));
    const address = new URL(`http://x${next}`);
    address.searchParams.set('cursor', body.nextCursor);
    next = body.hasMore === true ? `${address.pathname}${address.search}` : null;
  }
  return found;
}

const CHANGES = { new: 40, changed: 80, deleted: 30 };
const key = (index: number): string => String(index).padStart(3, '0');

/** Rows of three kinds of change, in turns; of the changed ones each third has another price, the others another note. */
function versions(): { before: Rows; after: Rows } {
  const before: Rows = {};
  const after: Rows = {};
  const filler = 'f'.repeat(180);
  const count = CHANGES.new + CHANGES.changed + CHANGES.deleted;
  for (let index = 0; index < count; index += 1) {
    const id = key((index * 67) % count);
    const row = { id, price: 10, note: 'old', filler };
    if (index >= CHANGES.new) before[id] = row;
    if (index < CHANGES.new + CHANGES.changed)
      after[id] = index % 3 === 0 ? { ...row, price: 11 } : { ...row, note: 'new' };
  }
  // Unchanged rows, so that the drop is not sharp.
  for (let index = 0; index < 100; index += 1) {
    before[`same-${index}`] = { id: `same-${index}` };
    after[`same-${index}`] = { id: `same-${index}` };
  }
  return { before, after };
}

/** Compares by itself what the webhook has to get. */
function expectedRows({ before, after }: { before: Rows; after: Rows }, settings: Settings): SentRow[] {
  const { changeTypes = ['new', 'changed', 'deleted'], columns } = settings.filters ?? {};
  const cut = (row: Record<string, unknown> | undefined) =>
    row === undefined
      ? null
      : Object.fromEntries(Object.entries(row).filter(([name]) => settings.fields?.includes(name) ?? true));
  const rows: SentRow[] = [];
  for (const id of [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()) {
    const [old, now] = [before[id], after[id]];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    const changeType = old === undefined ? 'new' : now === undefined ? 'deleted' : 'changed';
    const differing = Object.keys({ ...old, ...now }).filter((name) => old?.[name] !== now?.[name]);
    if (!changeTypes.includes(changeType)) continue;
    if (changeType === 'changed' && columns?.some((name) => differing.includes(name)) === false) continue;
    const changedFields =
      changeType === 'changed' ? differing.filter((name) => settings.fields?.includes(name) ?? true) : [];
    rows.push({ key: id, changeType, before: cut(old), after: cut(now), changedFields });
  }
  return rows;
}

const COLUMNS = ['id', 'price', 'note', 'filler'];

describe('a delivery with rows', () => {
  const cases: [string, Settings][] = [
    ['all rows', {}],
    ['a small body', { maxBodyBytes: 16_384 }],
    ['two change types', { maxBodyBytes: 16_384, filters: { changeTypes: ['new', 'deleted'] } }],
    ['a column that differs', { maxBodyBytes: 16_384, filters: { columns: ['price'] } }],
    ['changed rows of a column', { filters: { changeTypes: ['changed'], columns: ['note'] } }],
    ['some columns', { maxBodyBytes: 16_384, fields: ['price', 'id', 'missing'] }],
    ['everything together', { maxBodyBytes: 16_384, filters: { columns: ['note'] }, fields: ['filler'] }],
  ];

  it('and the pages behind its URL have all rows that the webhook wants, each once, in order', async () => {
    const recordId = await createTestRecord(api.db, api.accountId);
    const both = versions();
    await commitRows(api.db, recordId, texts(both.before), COLUMNS);
    const webhooks: [string, string, Settings][] = [];
    for (const [name, settings] of cases)
      webhooks.push([name, await makeWebhook(recordId, settings), settings]);
    await commitRows(api.db, recordId, texts(both.after), COLUMNS);
    const { body: event } = await api.call('GET', `/v1/sources/${recordId}/delta/latest`);
    const changedColumns = event.changedColumns as { field: string; rows: number }[];
    expect(changedColumns.map(({ field }) => field)).toEqual(['note', 'price']);
    const cut: string[] = [];
    for (const [name, webhook, settings] of webhooks) {
      const { payload, body } = await lastDelivery(webhook);
      const isCut = body.truncated['rows'] === true;
      if (isCut) cut.push(name);
      expect({ name, rows: await allRows(body), goesOn: body.rowsUrl.includes('cursor=') }).toEqual({
        name,
        rows: expectedRows(both, settings),
        goesOn: isCut,
      });
      expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(settings.maxBodyBytes ?? 262_144);
      const changedIn = changedColumns.filter(({ field }) => settings.fields?.includes(field) ?? true);
      expect({ name, columns: body.changedColumns }).toEqual({ name, columns: changedIn });
    }
    expect(cut).toContain('a small body');
    expect(cut.length).toBeGreaterThan(2);
  });

  it('has the rows as the API lists them: the digits of the origin, and other columns than before', async () => {
    const recordId = await createTestRecord(api.db, api.accountId);
    const webhook = await makeWebhook(recordId, {});
    await commitRows(api.db, recordId, { a: '{"id":"a","n":10000000000000000999,"p":1.10}' }, [
      'id',
      'n',
      'p',
    ]);
    await commitRows(api.db, recordId, { a: '{"id":"a","n":10000000000000000998,"q":null}' }, [
      'id',
      'n',
      'q',
    ]);
    const { payload, body } = await lastDelivery(webhook);
    const listed = await api.call('GET', `/v1/sources/${recordId}/delta/${body.deltaEventId}/rows`);
    const rowsText = (text: string) => /"rows":(\[.*\])/.exec(text)?.[1];
    expect(rowsText(payload)).toBe(rowsText(listed.text));
    expect(payload).toContain('"before":{"id":"a","n":10000000000000000999,"p":1.10}');
  });

  it('stays the same when record and webhook change, and when it is sent again', async () => {
    const recordId = await createTestRecord(api.db, api.accountId);
    const webhook = await makeWebhook(recordId, { fields: ['id'], filters: { changeTypes: ['new'] } });
    await commitRows(api.db, recordId, { a: '{"id":"a","price":1}' });
    await commitRows(api.db, recordId, { a: '{"id":"a","price":2}', b: '{"id":"b","price":1}' });
    const first = await lastDelivery(webhook);
    expect(first.body.rows).toHaveLength(1);
    const changes = { include: 'keys', maxBodyBytes: 16_384, fields: null, filters: null };
    expect((await api.call('PATCH', webhook, { body: changes })).status).toBe(200);
    await api.call('PATCH', `/v1/sources/${recordId}`, { body: { name: 'Renamed', slug: 'renamed' } });
    await commitRows(api.db, recordId, { a: '{"id":"a","price":3}', b: '{"id":"b","price":9}' });
    await api.call('POST', `${first.path}/redeliver`);
    expect((await api.call('GET', first.path)).body.payload).toBe(first.payload);
    expect((await lastDelivery(webhook)).body).toMatchObject({ sourceName: 'Renamed' });
    expect((await lastDelivery(webhook)).body.rows).toBeUndefined();
  });

  it('looks at a limited number of rows for those that a filter selects, and the URL continues after them', async () => {
    const many = await createManyRows(api.db, api.accountId, { rowCount: 25_000, textLength: 1 });
    const { recordId, recordNo } = many;
    const webhook = await makeWebhook(recordId, { filters: { columns: ['text'] }, fields: ['id'] });
    const path = await changeAll(recordId, recordNo);
    const { body } = await lastDelivery(webhook);
    expect(body).toMatchObject({ truncated: { rows: true } });
    expect(body.rows?.length).toBeLessThan(25_000);
    const rows = await allRows(body, 5_000);
    expect(rows.map((row) => row.key)).toEqual(path);
  });

  it('is gone with its event, and so are the rows behind its URL', async () => {
    const recordId = await createTestRecord(api.db, api.accountId);
    const webhook = await makeWebhook(recordId, {});
    for (const price of [1, 2, 3]) await commitRows(api.db, recordId, { a: `{"id":"a","price":${price}}` });
    const { body: list } = await api.call('GET', `${webhook}/deliveries?order=asc`);
    const path = `${webhook}/deliveries/${list.deliveries[0].id}`;
    const { rowsUrl } = JSON.parse((await api.call('GET', path)).body.payload) as Body;
    const { pathname, search } = new URL(rowsUrl);
    expect((await api.call('GET', pathname + search)).body.rows).toHaveLength(1);
    await rawRows(
      api.db,
      `update delta_events set detected_at = detected_at - interval '40 days' where record_id = ?`,
      [recordId],
    );
    while ((await pruneRecords(api.db, [recordId], 30, 100)) > 0) continue;
    expect((await api.call('GET', path)).status).toBe(404);
    expect((await api.call('GET', pathname + search)).status).toBe(404);
    expect((await api.call('POST', `${path}/redeliver`)).status).toBe(404);
    expect((await lastDelivery(webhook)).body.rows).toHaveLength(1);
  });
});

/** Gives every row but each hundredth another text, and commits it as the checks do. @returns the keys of the changed rows */
async function changeAll(recordId: string, recordNo: number): Promise<string[]> {
  const rows = await rawRows<{ key: string }>(
    api.db,
    'select row_key as key from row_versions where record_no = ? and last_seq is null order by row_key',
    [recordNo],
  );
  const after = Object.fromEntries(
    rows.map(({ key: id }, index) => [
      id,
      `{"id":"${id}","text":"${index % 100 === 0 ? 'changed' : 'x'}","other":"${index}"}`,
    ]),
  );
  await commitRows(api.db, recordId, after, ['id', 'text', 'other']);
  return rows.flatMap(({ key: id }, index) => (index % 100 === 0 || id === '0000000' ? [id] : []));
}

const UNKNOWN = `dlv_${'0'.repeat(32)}`;

describe('the rows of a delivery', () => {
  it('are those of a delivery of this event, and of no other record', async () => {
    const [one = '', other = ''] = await Promise.all(
      ['one', 'other'].map(async () => {
        const recordId = await createTestRecord(api.db, api.accountId);
        const webhook = await makeWebhook(recordId, {});
        for (const price of [1, 2]) await commitRows(api.db, recordId, { a: `{"id":"a","price":${price}}` });
        return (await lastDelivery(webhook)).body.rowsUrl;
      }),
    );
    const foreign = new URL(one);
    foreign.search = new URL(other).search;
    expect((await api.call('GET', foreign.pathname + foreign.search)).status).toBe(404);
    const unknown = await api.call('GET', `${foreign.pathname}?delivery=${UNKNOWN}`);
    expect(unknown.status).toBe(404);
    const keysOnly = await createTestRecord(api.db, api.accountId);
    const webhook = await makeWebhook(keysOnly, { include: 'keys' });
    for (const price of [1, 2]) await commitRows(api.db, keysOnly, { a: `{"id":"a","price":${price}}` });
    const { path, body } = await lastDelivery(webhook);
    const id = path.split('/').at(-1);
    expect((await api.call('GET', `${new URL(body.rowsUrl).pathname}?delivery=${id}`)).status).toBe(404);
  });

  it.each(['changeType=new', 'search=a', 'changedField=price'])(
    'take no other selection: %s',
    async (other) => {
      const recordId = await createTestRecord(api.db, api.accountId);
      const { status, body } = await api.call(
        'GET',
        `/v1/sources/${recordId}/delta/latest/rows?delivery=${UNKNOWN}&${other}`,
      );
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ pointer: 'delivery' }] });
    },
  );

  it.each(['%00', 'dlv_1', 'latest'])('regression: have to be named by an id, not %s', async (delivery) => {
    const recordId = await createTestRecord(api.db, api.accountId);
    const eventId = `evt_${'0'.repeat(32)}`;
    const path = `/v1/sources/${recordId}/delta/${eventId}/rows?delivery=${delivery}`;
    const { status, body } = await api.call('GET', path);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ pointer: 'delivery' }] });
    expect(body.errors[0].detail).toMatch(/^must be the id of a delivery of this event, /);
  });
});
