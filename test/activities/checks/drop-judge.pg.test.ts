// Bodies that look as if their export broke off and appended its error, or as if their transfer broke off: through the real activities,
// without a worker.
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, decide, get, lastCheck, latest, makeRecord, origin, patch, rowsOf, settle } =
  useWatchedRecords();

afterEach(() => {
  vi.restoreAllMocks();
});

const CSV = {
  type: 'text/csv',
  write: (count: number, last = '') =>
    `id,name,town\n${Array.from({ length: count }, (_, at) => `${at},row ${at},Rome\n`).join('')}${last}`,
};
const TSV = {
  type: 'text/tab-separated-values',
  write: (count: number, last = '') => CSV.write(count).replaceAll(',', '\t') + last,
};
const objects = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `{"id":${at},"name":"row ${at}"}`);
const JSONL = {
  type: 'application/jsonl',
  write: (count: number, last = '') => `${objects(count).join('\n')}\n${last}`,
};
const JSON_ARRAY = {
  type: 'application/json',
  write: (count: number, last = '') => `[${[...objects(count), last].filter(Boolean).join()}]`,
};

const MYSQL = 'ERROR 2013 (HY000): Lost connection\n';
const PHP =
  '<br />\n<b>Fatal error</b>:  Uncaught Error: gone\n  thrown in <b>/x.php</b> on line <b>12</b><br />\n';
const TIMEOUT = '{"error":"timeout"}';

const KINDS = [
  ['CSV', CSV, MYSQL],
  ['CSV with the error of PHP', CSV, '<b>Fatal error</b>: Maximum execution time exceeded in export.php\n'],
  ['CSV that ends within a row', CSV, '61,row'],
  ['TSV', TSV, MYSQL],
  ['JSONL', JSONL, `${TIMEOUT}\n`],
  ['JSON', JSON_ARRAY, TIMEOUT],
] as const;

describe.each(KINDS)('%s', (_name, { type, write }, error) => {
  const makeTable = (count: number, last = '') => makeRecord(write(count, last), { keyFields: ['id'] }, type);

  it('is held until a second body confirms it', async () => {
    const { id, serve } = await makeTable(10);
    serve(write(6, error));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({
      outcome: 'held',
      code: 'sharp_drop',
      detail:
        'Fewer rows than last time, and the last one is incomplete, as after an export that broke off: 6 whole rows after 10. Waiting for a second check to confirm.',
    });
    expect(await get(id)).toMatchObject({ totalRows: 10, heldRows: 7 });
    expect(Object.keys(await rowsOf(id))).toHaveLength(10);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ newCount: 1, deletedCount: 4, totalCount: 7 });
    expect(await get(id)).toMatchObject({ heldCheckId: null, heldRows: null });
  });

  it('is held when one row is missing, so that its place has the error', async () => {
    const { id, serve } = await makeTable(7);
    serve(write(6, error));
    await bench().check(id);
    expect((await lastCheck(id))?.detail).toContain('6 whole rows after 7.');
  });

  it('is forgotten when the rows are back', async () => {
    const { id, serve } = await makeTable(10);
    serve(write(6, error));
    await bench().check(id);
    serve(write(11));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ newCount: 1, deletedCount: 0, totalCount: 11 });
    expect(await get(id)).toMatchObject({ heldCheckId: null });
  });

  it('is recorded when accepted, and held again after a rejection', async () => {
    const { id, serve } = await makeTable(10);
    serve(write(6, error));
    await bench().check(id);
    expect(await decide(id, 'rejected')).toBe(true);
    await bench().check(id);
    await bench().check(id);
    const check = await lastCheck(id);
    expect(check).toMatchObject({ outcome: 'held', code: 'sharp_drop' });
    expect(check?.detail).toMatch(
      /: 6 whole rows after 10\. About as many were rejected; waiting for somebody/,
    );
    expect(await decide(id, 'accepted')).toBe(true);
    await settle(id);
    expect(await lastCheck(id)).toMatchObject({ trigger: 'accepted', outcome: 'changed' });
    expect(await latest(id)).toMatchObject({ newCount: 1, deletedCount: 4, totalCount: 7 });
  });

  it('is recorded at once when no row is missing', async () => {
    const { id, serve } = await makeTable(6);
    serve(write(6, error));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ newCount: 1, deletedCount: 0, totalCount: 7 });
  });
});

const FOOTERS = [
  ['CSV', CSV, (count: number) => `Total ${count}\n`],
  ['CSV, always the same', CSV, () => 'The end\n'],
  ['TSV', TSV, (count: number) => `Total ${count}\n`],
  ['JSONL', JSONL, (count: number) => `{"total":${count}}\n`],
  ['JSON, always the same', JSON_ARRAY, () => '{"end":true}'],
] as const;

describe.each(FOOTERS)('a footer of %s', (_name, { type, write }, footer) => {
  const withFooter = (count: number) => write(count, footer(count));
  const makeTable = (body: string) => makeRecord(body, { keyFields: ['id'] }, type);

  it('holds no check', async () => {
    const { id, serve } = await makeTable(withFooter(10));
    for (const count of [8, 7, 9, 5]) {
      serve(withFooter(count));
      await bench().check(id);
      expect(await lastCheck(id)).toMatchObject({ outcome: 'changed' });
      expect(await get(id)).toMatchObject({ totalRows: count + 1 });
    }
  });

  it('holds no check after checks of the same bytes', async () => {
    const { id, serve } = await makeTable(withFooter(10));
    await bench().check(id);
    await bench().check(id);
    serve(withFooter(8));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'changed' });
  });

  it('holds no check after a failure, and a check of the same bytes that ends it', async () => {
    const { id, serve } = await makeTable(withFooter(10));
    const { url } = await get(id);
    origin().set(new URL(url).pathname, { status: 503 });
    await bench().check(id);
    serve(withFooter(10));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'unchanged', warnings: [] });
    serve(withFooter(8));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'changed' });
  });

  it('is held once when it appears together with a lost row', async () => {
    const { id, serve } = await makeTable(write(10));
    serve(withFooter(9));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'changed' });
    serve(withFooter(8));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'changed' });
  });

  it('holds no check either when the check that read it is no longer kept', async () => {
    const { id, serve } = await makeTable(withFooter(10));
    await bench().check(id);
    await bench().database.db('checks').where({ recordId: id }).delete();
    serve(withFooter(8));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'changed' });
    expect(await get(id)).toMatchObject({ totalRows: 9 });
  });
});

describe('an export that broke off', () => {
  it('is held too when the check that read the body before is no longer kept', async () => {
    const { id, serve } = await makeRecord(CSV.write(10));
    await bench().check(id);
    await bench().database.db('checks').where({ recordId: id }).delete();
    serve(CSV.write(8, MYSQL));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
  });

  it('is held with an error of several lines, none of which counts as a row', async () => {
    const { id, serve } = await makeRecord(CSV.write(10));
    serve(CSV.write(8, PHP));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({
      outcome: 'held',
      code: 'sharp_drop',
      detail:
        'Fewer rows than last time, and the last 3 look like lines of an error, as after an export that broke off: 8 whole rows after 10. Waiting for a second check to confirm.',
    });
  });

  it('regression: is held with true words when the last row has the key of an earlier row', async () => {
    const { id, serve } = await makeRecord(CSV.write(10), { keyFields: ['id'] });
    serve(CSV.write(10, '1\n'));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({
      outcome: 'held',
      detail:
        'The last row is incomplete, and it has the key of an earlier row, as after an export that broke off: 10 whole rows after 10. Waiting for a second check to confirm.',
    });
    serve(CSV.write(11));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ newCount: 1, changedCount: 0, deletedCount: 0 });
    const trace = '\tat a.b.C(D.java:12)\n'.repeat(20);
    serve(CSV.write(11, `java.lang.Error: gone\n${trace}`));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ newCount: 2, changedCount: 0, deletedCount: 0 });
  });

  it('is held in a table that is too large to be compared in memory', async () => {
    const { id, serve } = await makeRecord(CSV.write(12_000));
    serve(CSV.write(11_999, MYSQL));
    await bench().check(id);
    expect((await lastCheck(id))?.detail).toContain('11999 whole rows after 12000.');
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ newCount: 1, deletedCount: 1 });
  });

  it('is not seen when another row is short too, or when the last one is not the short one', async () => {
    const { id, serve } = await makeRecord(CSV.write(10));
    serve(CSV.write(8, `8\n${MYSQL}`));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'changed' });
    serve(CSV.write(10));
    await bench().check(id);
    serve(CSV.write(6, `${MYSQL}7,row 7,Rome\n`));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'changed' });
  });

  it('lacks all key fields of several', async () => {
    const write = (count: number, last = '') =>
      `${Array.from({ length: count }, (_, at) => `{"a":${at},"b":1}\n`).join('')}${last}`;
    const { id, serve } = await makeRecord(write(10), { keyFields: ['a', 'b'] }, JSONL.type);
    serve(write(8, '{"a":8}\n'));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'changed', warnings: [{ code: 'empty_key' }] });
    serve(write(10));
    await bench().check(id);
    serve(write(8, `${TIMEOUT}\n`));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held', warnings: [{ code: 'empty_key' }] });
  });

  it('is held as far fewer rows when it is both', async () => {
    const { id, serve } = await makeRecord(CSV.write(40));
    serve(CSV.write(4, MYSQL));
    await bench().check(id);
    expect((await lastCheck(id))?.detail).toMatch(/^Far fewer rows than last time.* 5 rows after 40\.$/);
  });

  it('is held, and described in general words, when the credentials of the fetch are not at hand', async () => {
    const { id, serve } = await makeRecord(CSV.write(10));
    serve(CSV.write(8, MYSQL));
    const input = bench().newCheck(id);
    const fetched = await bench().run(({ fetchSource }) => fetchSource(input));
    if (fetched.kind !== 'fetched') throw new Error('The body was not fetched');
    await bench().database.db('records').where({ id }).update({ authVersion: 1 });
    await bench().run(({ recordDelta }) => recordDelta({ ...input, ...fetched }));
    expect(await lastCheck(id)).toMatchObject({
      outcome: 'held',
      detail: 'Fewer rows than last time, and the last one is incomplete, as after an export that broke off.',
      warnings: [{ code: 'ragged_rows', samples: [] }],
    });
  });
});

it('reads earlier warnings only for a body that may have broken off', async () => {
  const { id, serve } = await makeRecord(CSV.write(10));
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  const isRead = ([query]: unknown[]) =>
    JSON.stringify(query).includes('"text":"select warnings from checks');
  const reads = () => sent.mock.calls.filter(isRead).length;
  for (const body of [CSV.write(8), CSV.write(9, '9\n'), CSV.write(8), CSV.write(9, '9,row 9,Oslo\n')]) {
    serve(body);
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'changed' });
  }
  expect(sent.mock.calls.length).toBeGreaterThan(0);
  expect(reads()).toBe(0);
  serve(CSV.write(8, MYSQL));
  await bench().check(id);
  expect(reads()).toBe(1);
});

const notes = (count: number, noteOf = (at: number) => `delivered on day ${at}`): string =>
  `id,note\n${Array.from({ length: count }, (_, at) => `${at},${noteOf(at)}\n`).join('')}`;
const open = (body: string): string => body.trimEnd();
/** The last note loses its end. */
const cut = (count: number): string => open(notes(count)).slice(0, -4);

const DETAIL =
  'The last row has no line end, and the table ended in one before, as after a transfer that broke off';

/** As an origin answers that could break off without a trace. */
const UNTIL_CLOSE = { closeDelimited: true } as const;

it('regression: a table that breaks off is held, and changes no row', async () => {
  const { id, serve } = await makeRecord(notes(30), { keyFields: ['id'] });
  serve(cut(20), UNTIL_CLOSE);
  await bench().check(id);
  expect(await lastCheck(id)).toMatchObject({
    outcome: 'held',
    code: 'sharp_drop',
    detail: `${DETAIL}: 20 rows after 30. Waiting for a second check to confirm.`,
    warnings: [],
  });
  expect((await rowsOf(id))['19']).toBe('{"id":"19","note":"delivered on day 19"}');
  serve(notes(31), UNTIL_CLOSE);
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ newCount: 1, changedCount: 0, deletedCount: 0 });
  expect(await get(id)).toMatchObject({ heldCheckId: null });
});

describe('regression: a table without the line end of the one before', () => {
  it.each([
    ['as many rows', 10],
    ['fewer rows', 8],
    ['more rows', 15],
  ])('is held with %s, until a second body confirms it', async (_what, count) => {
    const { id, serve } = await makeRecord(notes(10), { keyFields: ['id'] });
    serve(cut(count), UNTIL_CLOSE);
    await bench().check(id);
    expect((await lastCheck(id))?.detail).toContain(`${DETAIL}: ${count} rows after 10.`);
    expect(await get(id)).toMatchObject({ totalRows: 10, heldRows: count });
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'changed' });
    expect(await get(id)).toMatchObject({ totalRows: count, heldCheckId: null });
  });

  it('is not confirmed by a body with its line end, and by one that lacks other rows', async () => {
    const { id, serve } = await makeRecord(notes(30), { keyFields: ['id'] });
    serve(notes(12));
    await bench().check(id);
    for (const rows of [12, 11]) {
      serve(cut(rows), UNTIL_CLOSE);
      await bench().check(id);
      expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
    }
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ deletedCount: 19, totalCount: 11 });
  });

  it('is held with a length only if rows are missing of a table that is not small', async () => {
    const outcomes: (string | undefined)[] = [];
    for (const [before, now] of [
      [30, 20],
      [30, 30],
      [30, 31],
      [12, 10],
    ] as const) {
      const { id, serve } = await makeRecord(notes(before), { keyFields: ['id'] });
      serve(cut(now));
      await bench().check(id);
      outcomes.push((await lastCheck(id))?.outcome);
    }
    expect(outcomes).toEqual(['held', 'changed', 'changed', 'changed']);
  });

  it('is held when it is large, and compared by bytes', async () => {
    const many = (at: number) => `${at} ${'x'.repeat(1_000)}`;
    const { id, serve } = await makeRecord(notes(1_200, many), { keyFields: ['id'] });
    for (const count of [1_201, 1_202]) {
      serve(notes(count, many));
      await bench().check(id);
    }
    serve(open(notes(1_202, many)).slice(0, -4), UNTIL_CLOSE);
    await bench().check(id);
    expect((await lastCheck(id))?.detail).toContain(`${DETAIL}: 1202 rows after 1202.`);
    serve(notes(1_202, many));
    await bench().check(id);
    expect(await get(id)).toMatchObject({ totalRows: 1_202, heldCheckId: null });
  });

  it('is recorded when a person accepts it, and held again after a rejection', async () => {
    const { id, serve } = await makeRecord(notes(10), { keyFields: ['id'] });
    serve(cut(9), UNTIL_CLOSE);
    await bench().check(id);
    expect(await decide(id, 'rejected')).toBe(true);
    await bench().check(id);
    await bench().check(id);
    expect((await lastCheck(id))?.detail).toMatch(/: 9 rows after 10\. About as many were rejected;/);
    expect(await decide(id, 'accepted')).toBe(true);
    await settle(id);
    expect(await latest(id)).toMatchObject({ newCount: 0, changedCount: 1, deletedCount: 1 });
  });

  it('is held when the accepted body is gone, because nothing is known of its end', async () => {
    const { id, serve } = await makeRecord(open(notes(10)), { keyFields: ['id'] });
    await bench().deps.blobs.removeAll(id);
    serve(cut(10), UNTIL_CLOSE);
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
  });
});

describe('holds no check', () => {
  it.each([
    [
      'of a table that never ends in a line end',
      open(notes(10)),
      [open(notes(9)), open(notes(12)), notes(11)],
    ],
    ['of a table that ends in one', notes(10), [notes(9), notes(12).replaceAll('\n', '\r\n')]],
    ['in which no row differs', notes(10), [open(notes(10)), notes(10)]],
    ['after a table without rows', 'id,note\n', [open(notes(3))]],
  ])('%s', async (_what, first, others) => {
    const { id, serve } = await makeRecord(first, { keyFields: ['id'] });
    for (const body of others) {
      serve(body);
      await bench().check(id);
      expect((await lastCheck(id))?.outcome).toMatch(/^(?:un)?changed$/);
    }
  });

  it('of another format', async () => {
    const { id, serve } = await makeRecord(notes(3), { keyFields: ['id'] });
    await patch(id, { format: 'json' });
    serve(JSON.stringify([{ id: '0', note: 'delivered on day 0' }]));
    await bench().check(id);
    expect((await lastCheck(id))?.code).not.toBe('sharp_drop');
    const lines = await makeRecord('{"id":1}\n{"id":2}\n', { keyFields: ['id'] }, 'application/jsonl');
    lines.serve('{"id":1}');
    await bench().check(lines.id);
    expect(await lastCheck(lines.id)).toMatchObject({ outcome: 'changed' });
  });
});
