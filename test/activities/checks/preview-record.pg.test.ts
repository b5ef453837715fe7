// Previews of records that do not exist: the real activity against a real origin, without a worker.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sealCredentials } from '../../../api/records/seal-credentials.ts';
import type { GivenAuth } from '../../../core/source-credentials.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import {
  askRecordPreview,
  type PreviewedSettings,
  type RecordPreviewResult,
  popRecordPreview,
} from '../../../db/records/record-previews.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { newTestId, testKeys } from '../../support/rows/factories.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';

let bench: ActivityBench;
let origin: Origin;
let owner: { id: string; wrappedDataKey: Buffer };

beforeAll(async () => {
  [bench, origin] = await Promise.all([openActivityBench(), startOrigin()]);
  [owner] = (await rawRows<typeof owner>(
    bench.deps.db,
    'select id, wrapped_data_key as "wrappedDataKey" from accounts',
  )) as [typeof owner];
});

afterAll(async () => {
  await origin.close();
  await bench.close();
});

const SECRET = 'a-secret-of-the-origin';
const DETECTED: Omit<PreviewedSettings, 'url'> = {
  tier: 'free',
  authType: 'none',
  format: null,
  delimiter: null,
  rowsPath: null,
  headerRow: null,
  quoting: 'double',
  keyFields: null,
  ignoreFields: [],
  rules: {},
  pairing: null,
};

async function ask(path: string, given: Partial<PreviewedSettings> & GivenAuth = {}): Promise<string> {
  const id = newTestId('recordPreview');
  const url = path.startsWith('http') ? path : origin.url + path;
  const { authToken, ...settings } = given;
  const auth = authToken === undefined ? {} : { authType: 'bearer' as const, authToken };
  const credentials = sealCredentials({ keyEncryptionKeys: testKeys }, owner, { id, url }, auth);
  const stored = { ...DETECTED, ...settings, ...(credentials && { authType: 'bearer' as const }), url };
  await askRecordPreview(bench.deps.db, id, owner.id, {
    settings: stored,
    sealed: credentials?.sealed ?? null,
  });
  return id;
}

const answer = async (...asked: Parameters<typeof ask>): Promise<RecordPreviewResult | undefined> => {
  const previewId = await ask(...asked);
  await bench.run(({ previewRecord }) => previewRecord({ previewId }));
  return popRecordPreview(bench.deps.db, previewId);
};

it('reads what a first check would read, and leaves nothing behind', async () => {
  origin.set('/prices.csv', { body: 'sku;price\nA-1;1.10\nA-2;2\nA-3;10000000000000000999\n' });
  expect(await answer('/prices.csv')).toEqual({
    kind: 'read',
    format: 'csv',
    quoting: 'double',
    delimiter: ';',
    rowsPath: null,
    headerRow: 1,
    keyFields: ['sku'],
    keyEvidence: expect.objectContaining({ rule: expect.any(String) }),
    columns: ['sku', 'price'],
    rowCount: 3,
    sizeBytes: 50,
    rows: [
      { key: 'A-1', data: '{"sku":"A-1","price":"1.10"}' },
      { key: 'A-2', data: '{"sku":"A-2","price":"2"}' },
      { key: 'A-3', data: '{"sku":"A-3","price":"10000000000000000999"}' },
    ],
    warnings: [],
  });
  expect(bench.spool()).toEqual([]);
  for (const table of [
    'records',
    'checks',
    'snapshots',
    'row_versions',
    'record_previews',
    'audit_entries',
  ]) {
    expect([table, await bench.deps.db(table).select()]).toEqual([table, []]);
  }
});

it('reads with the settings that were given', async () => {
  origin.set('/titled.csv', { body: 'Prices of today\nname,price,seen\nNut,1,x\nNut,2,y\nBolt,3,z\n' });
  expect(
    await answer('/titled.csv', { headerRow: 2, keyFields: ['name'], ignoreFields: ['seen'] }),
  ).toMatchObject({
    headerRow: 2,
    keyFields: ['name'],
    keyEvidence: null,
    columns: ['name', 'price'],
    rowCount: 3,
    rows: [{ key: 'Nut', data: '{"name":"Nut","price":"2"}' }, { key: 'Bolt' }],
    warnings: expect.arrayContaining([expect.objectContaining({ code: 'duplicate_key', count: 1 })]),
  });
  expect(await answer('/titled.csv', { keyFields: ['sku'] })).toMatchObject({
    kind: 'failed',
    code: 'missing_key_field',
  });
});

it('shows ten rows at most, and large ones only up to 256 KiB', async () => {
  const rows = (count: number, width: number) =>
    `id,text\n${Array.from({ length: count }, (_, at) => `${at},${'x'.repeat(width)}\n`).join('')}`;
  origin.set('/many.csv', { body: rows(500, 3) });
  const many = await answer('/many.csv');
  expect(many).toMatchObject({ kind: 'read', rowCount: 500 });
  expect(many?.kind === 'read' && many.rows.length).toBe(10);
  origin.set('/wide.csv', { body: rows(8, 100_000) });
  const wide = await answer('/wide.csv');
  expect(wide?.kind === 'read' && wide.rows.map(({ key }) => key)).toEqual(['0', '1']);
});

it('regression: shows the last of the rows with the same key, as a record stores it', async () => {
  const many = Array.from({ length: 500 }, (_, at) => `${at},first\n`).join('');
  origin.set('/again.csv', { body: `id,text\n${many}400,last\n2,second\n2,last\n` });
  const again = await answer('/again.csv', { keyFields: ['id'] });
  expect(again?.kind === 'read' && again.rows.map(({ data }) => data)).toEqual(
    Array.from({ length: 10 }, (_, at) => `{"id":"${at}","text":"${at === 2 ? 'last' : 'first'}"}`),
  );
  const wide = 'x'.repeat(300_000);
  origin.set('/grown.csv', { body: `id,text\n1,a\n2,b\n3,c\n2,${wide}\n3,d\n2,e\n1,f\n4,g\n` });
  const grown = await answer('/grown.csv', { keyFields: ['id'] });
  expect(grown?.kind === 'read' && grown.rows).toEqual([{ key: '1', data: '{"id":"1","text":"f"}' }]);
});

it('says why a check would fail', async () => {
  origin.set('/gone.csv', { status: 404 });
  expect(await answer('/gone.csv')).toMatchObject({
    kind: 'failed',
    code: 'http_error',
    detail: expect.stringContaining('404'),
  });
  origin.set('/empty.csv', { body: '' });
  expect(await answer('/empty.csv')).toMatchObject({ kind: 'failed', code: 'empty_body' });
  origin.set('/bare.csv', { body: '\n\n' });
  expect(await answer('/bare.csv')).toMatchObject({ kind: 'failed' });
  expect(bench.spool()).toEqual([]);
});

it('goes where a check may go, also after redirects', async () => {
  expect(await answer('http://10.0.0.1/data.csv')).toMatchObject({ kind: 'failed', code: 'url_not_allowed' });
  origin.set('/inside.csv', { redirectTo: 'http://169.254.169.254/latest' });
  expect(await answer('/inside.csv')).toMatchObject({
    kind: 'failed',
    code: 'redirect_not_allowed',
  });
});

it('shows credentials to the origin alone, and no echo of them to anybody', async () => {
  const isRight = (headers: Record<string, unknown>) => headers['authorization'] === `Bearer ${SECRET}`;
  origin.set('/protected.csv', ({ headers }) =>
    isRight(headers) ? { body: `id,price\n${SECRET},1\n${SECRET},2\nb,3\n` } : { status: 401 },
  );
  expect(await answer('/protected.csv')).toMatchObject({ kind: 'failed', code: 'http_error' });
  const read = await answer('/protected.csv', { authToken: SECRET, keyFields: ['id'] });
  expect(read).toMatchObject({ kind: 'read', rowCount: 3 });
  expect(read?.kind === 'read' && read.warnings).toEqual([
    expect.objectContaining({ code: 'duplicate_key', samples: [] }),
  ]);
  const previewId = await ask('/protected.csv', { authToken: SECRET });
  // Sealed for another preview.
  await bench.deps
    .db('record_previews')
    .where({ id: previewId })
    .update({ id: newTestId('recordPreview') });
  const [{ id: moved }] = (await bench.deps.db('record_previews').select('id')) as [{ id: string }];
  await bench.run(({ previewRecord }) => previewRecord({ previewId: moved }));
  expect(await popRecordPreview(bench.deps.db, moved)).toMatchObject({
    kind: 'failed',
    code: 'credentials_unreadable',
  });
});

it('waits for its turn at the origin, and says so when that takes too long', async () => {
  origin.set('/polite.csv', { body: 'id\n1\n' });
  const host = new URL(origin.url).host;
  const seen: unknown[] = [];
  let held = 0;
  const turnsOf = (waits: number[]) => ({
    take: async (...[host, share, hasWaited]: [string, string, boolean, AbortSignal]) => {
      seen.push([host, share, hasWaited]);
      const waitMs = waits.shift();
      if (waitMs !== undefined) return { waitMs };
      held += 1;
      return { release: () => void (held -= 1) };
    },
  });
  const previewId = await ask('/polite.csv');
  await bench.run(() => bench.otherProcess({ turns: turnsOf([5]) }).previewRecord({ previewId }));
  expect(await popRecordPreview(bench.deps.db, previewId)).toMatchObject({ kind: 'read' });
  expect(seen).toEqual([
    [host, owner.id, false],
    [host, owner.id, true],
  ]);
  expect(held).toBe(0);
  const late = await ask('/polite.csv');
  const requests = origin.requests.length;
  await bench.run(() =>
    bench.otherProcess({ turns: turnsOf([3_600_000]) }).previewRecord({ previewId: late }),
  );
  expect(await popRecordPreview(bench.deps.db, late)).toEqual({ kind: 'too-slow' });
  expect(origin.requests).toHaveLength(requests);
});

it('does nothing for a question that nobody asks any more', async () => {
  const requests = origin.requests.length;
  await bench.run(({ previewRecord }) => previewRecord({ previewId: newTestId('recordPreview') }));
  expect(origin.requests).toHaveLength(requests);
});
