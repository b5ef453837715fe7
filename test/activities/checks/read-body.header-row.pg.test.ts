// Titles above the header, cells beyond it, and records that an earlier version read in another way: through the real activities, without
// a worker.
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Dialect, PARSER_VERSION } from '../../../core/delta/model.ts';
import { listDeltaRows } from '../../../db/rows/delta-rows.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import { askPreview, takePreview } from '../../../db/records/rule-previews.ts';
import { newTestId } from '../../support/rows/factories.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, get, lastCheck, latest, makeRecord, origin, patch, plan, rowsOf, settle } =
  useWatchedRecords();

const TITLED = 'Price list of November 2026\n\nsku,name,price\nA-1,Nut,5\nA-2,Bolt,6\n';
const UNCLEAR = 'Team\nname,city,role\nAnn,Paris,chair\nBob,Rome,clerk\n';
const RAGGED = 'id,name\n1,Ann,x\n2,Bob\n3,Cid\n';

/** The rows of the latest event, with what they were. */
async function changesOf(id: string) {
  const { id: eventId } = await latest(id);
  const { recordNo } = await get(id);
  return listDeltaRows(
    bench().database.db,
    { id: eventId, recordId: id, recordNo },
    { after: null, limit: 10 },
  );
}

describe('regression: a change is found', () => {
  it('of a price below a title', async () => {
    const { id, serve } = await makeRecord(TITLED);
    expect(await get(id)).toMatchObject({
      columns: ['sku', 'name', 'price'],
      headKeyFields: ['sku'],
      totalRows: 2,
    });
    expect(await lastCheck(id)).toMatchObject({ warnings: [{ code: 'lines_above_header', count: 1 }] });
    serve(TITLED.replace('Bolt,6', 'Bolt,7'));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({
      isNoChange: false,
      changedKeys: ['A-2'],
      newCount: 0,
      deletedCount: 0,
    });
  });

  it('of a price below a line that names the delimiter', async () => {
    const body = 'sep=;\nsku;price\nA-1;1,50\nA-2;2,50\n';
    const { id, serve } = await makeRecord(body);
    serve(body.replace('2,50', '2,75'));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ changedKeys: ['A-2'], newCount: 0, deletedCount: 0 });
  });

  it('of a cell beyond the header', async () => {
    const { id, serve } = await makeRecord(RAGGED);
    expect(await lastCheck(id)).toMatchObject({
      warnings: [{ code: 'extra_cells', count: 1, samples: ['row 1'] }],
    });
    serve(RAGGED.replace('Ann,x', 'Ann,y'));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ isNoChange: false, changedKeys: ['1'] });
    expect(await changesOf(id)).toMatchObject([
      { before: '{"id":"1","name":"Ann","column_3":"x"}', after: '{"id":"1","name":"Ann","column_3":"y"}' },
    ]);
  });

  it('of the title alone is not a change of a row', async () => {
    const { id, serve } = await makeRecord(TITLED);
    serve(TITLED.replace('November', 'December'));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ isNoChange: true, totalCount: 2 });
  });
});

describe('an unclear header', () => {
  it('fails the first check, until its line is set', async () => {
    const { id } = await makeRecord(UNCLEAR);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'failed', code: 'header_unclear' });
    expect(await get(id)).toMatchObject({ snapshotId: null });
    await patch(id, { headerRow: 2 });
    expect(await plan(id)).not.toHaveProperty('settle');
    await bench().check(id);
    expect(await get(id)).toMatchObject({
      columns: ['name', 'city', 'role'],
      headHeaderRow: 2,
      totalRows: 2,
    });
  });
});

describe('another header', () => {
  it('begins a generation from the stored body, with a newly detected key', async () => {
    const { id, serve } = await makeRecord(UNCLEAR, { headerRow: 1 });
    expect(await get(id)).toMatchObject({ columns: ['Team', 'column_2', 'column_3'], totalRows: 3 });
    const requests = origin().requests.length;
    await patch(id, { headerRow: 2 });
    expect(await plan(id)).toMatchObject({ settle: 'settings' });
    await settle(id);
    expect(origin().requests.length).toBe(requests);
    expect(await latest(id)).toMatchObject({ rekeyed: true, isNoChange: true, generation: 2, totalCount: 2 });
    expect(await get(id)).toMatchObject({
      headKeyFields: ['name'],
      columns: ['name', 'city', 'role'],
      headHeaderRow: 2,
    });
    expect(await plan(id)).not.toHaveProperty('settle');
    serve(UNCLEAR.replace('Rome', 'Oslo'));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ changedKeys: ['Bob'], generation: 2 });
  });

  it('begins none when it equals the detected one, but does when it is detected again', async () => {
    const { id } = await makeRecord(TITLED);
    await patch(id, { headerRow: 3 });
    expect(await plan(id)).not.toHaveProperty('settle');
    await patch(id, { headerRow: 1, keyFields: null });
    await settle(id);
    expect(await get(id)).toMatchObject({ generation: 2, totalRows: 3 });
    await patch(id, { headerRow: null });
    await settle(id);
    expect(await get(id)).toMatchObject({ generation: 3, totalRows: 2, headHeaderRow: null });
  });

  it('that the body lacks fails the check and is reverted', async () => {
    const { id } = await makeRecord(TITLED);
    await patch(id, { headerRow: 40 });
    await settle(id);
    expect(await lastCheck(id)).toMatchObject({ trigger: 'settings', outcome: 'failed', code: 'empty_body' });
    expect(await get(id)).toMatchObject({ generation: 1, headerRow: null, totalRows: 2 });
    expect(await plan(id)).not.toHaveProperty('settle');
  });

  it('is read together with a delimiter that is set at the same time', async () => {
    const { id } = await makeRecord(UNCLEAR.replaceAll(',', ';'), { headerRow: 1, delimiter: ',' });
    expect(await get(id)).toMatchObject({ columns: ['Team'] });
    await patch(id, { headerRow: 2, delimiter: ';', keyFields: ['name'], dialectVersion: 1 });
    await settle(id);
    expect(await get(id)).toMatchObject({
      columns: ['name', 'city', 'role'],
      headDialectVersion: 1,
      generation: 2,
    });
  });

  it('has no effect on a JSON document', async () => {
    const { id } = await makeRecord('[{"id":1}]', {}, 'application/json');
    await patch(id, { headerRow: 2 });
    expect(await plan(id)).not.toHaveProperty('settle');
  });

  it('is previewed without a change', async () => {
    const { id } = await makeRecord(TITLED);
    const previewId = newTestId('rulePreview');
    const rule = { keyFields: null, ignoreFields: [], rules: {}, headerRow: 1, quoting: 'double' as const };
    await askPreview(bench().database.db, previewId, id, rule);
    await bench().run(({ previewRule }) => previewRule({ previewId }));
    expect(await takePreview(bench().database.db, previewId)).toMatchObject({
      kind: 'read',
      headerRow: 1,
      rowCount: 3,
      columns: ['Price list of November 2026', 'column_2', 'column_3'],
    });
    expect(await get(id)).toMatchObject({ generation: 1, totalRows: 2 });
  });
});

describe('regression: a record of a version that left out cells beyond the header', () => {
  /** Read as that version did, which a dialect without a header row asks for. */
  async function makeOld(body: string) {
    const { id, serve } = await makeRecord('', { format: 'csv', keyFields: ['id'] });
    const dialect = { format: 'csv', delimiter: ',', charset: 'utf-8', rowsPath: '' };
    await rawRows(bench().database.db, 'update record_heads set dialect = ? where record_id = ?', [
      JSON.stringify(dialect),
      id,
    ]);
    serve(body);
    await bench().check(id);
    expect((await get(id)).dialect).toEqual(dialect);
    return { id, serve };
  }

  it('gets them in a generation first, and then every change of them', async () => {
    const { id, serve } = await makeOld(RAGGED);
    expect(Object.values(await rowsOf(id))[0]).toBe('{"id":"1","name":"Ann"}');
    serve(RAGGED.replace('Ann,x', 'Ann,y').replace('Bob', 'Rob'));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({
      changedKeys: ['1', '2'],
      newCount: 0,
      deletedCount: 0,
      generation: 2,
    });
    expect(await changesOf(id)).toMatchObject([
      { before: '{"id":"1","name":"Ann","column_3":"x"}', after: '{"id":"1","name":"Ann","column_3":"y"}' },
      { before: '{"id":"2","name":"Bob"}', after: '{"id":"2","name":"Rob"}' },
    ]);
    const events = await rawRows<{ rekeyed: boolean; trigger: string }>(
      bench().database.db,
      `select rekeyed, trigger from delta_events join checks on checks.id = check_id
       where delta_events.record_id = ? order by delta_events.number`,
      [id],
    );
    expect(events.slice(-2)).toEqual([
      { rekeyed: true, trigger: 'settings' },
      { rekeyed: false, trigger: 'schedule' },
    ]);
  });

  it('reports no change without one', async () => {
    const { id, serve } = await makeOld(RAGGED);
    serve(`${RAGGED}\n`);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({
      isNoChange: true,
      rekeyed: false,
      generation: 2,
      totalCount: 3,
    });
    expect(Object.values(await rowsOf(id))[0]).toBe('{"id":"1","name":"Ann","column_3":"x"}');
  });

  it('continues without a generation if no row has such cells, and finds later ones', async () => {
    const { id, serve } = await makeOld('id,name\n1,Ann\n2,Bob\n');
    serve('id,name\n1,Ann\n2,Bob,x\n');
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ changedKeys: ['2'], rekeyed: false, generation: 1 });
    expect(await get(id)).toMatchObject({ dialect: { headerRow: 1 } });
  });

  it('is compared as it was read while its body is missing', async () => {
    const { id, serve } = await makeOld(RAGGED);
    await bench().deps.blobs.remove(id, (await get(id)).bodySha256 ?? '');
    serve(RAGGED.replace('Bob', 'Rob'));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ changedKeys: ['2'], generation: 1 });
    expect(await lastCheck(id)).toMatchObject({ warnings: [{ code: 'extra_cells' }] });
    serve(RAGGED);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ changedKeys: ['2'], generation: 2 });
  });

  it('keeps its request for other ignored fields', async () => {
    const { id, serve } = await makeOld(RAGGED);
    await patch(id, { ignoreFields: ['name'] });
    serve(RAGGED.replace('Ann,x', 'Ann,y'));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ changedKeys: ['1'], generation: 2 });
    expect(await plan(id)).toMatchObject({ settle: 'settings' });
    await settle(id);
    expect(await get(id)).toMatchObject({ generation: 3, columns: ['id', 'column_3'] });
  });
});

describe('regression: a record of a version that kept one of two quotes in literal cells', () => {
  const LITERAL = 'id,a,b\n1,"a""b"x,5\n2,c,6\n';

  /** Stores what that version stored. */
  async function makeOld(body: string, kept: { data: string; key: string }, reading?: number) {
    const made = await makeRecord(body, { keyFields: ['id'] });
    const { id, recordNo, dialect } = await get(made.id);
    const { db } = bench().database;
    // The members are sorted by name.
    const { a, b } = JSON.parse(kept.data) as Record<string, string>;
    const digest = hash('sha256', JSON.stringify({ a, b, id: kept.key }), 'buffer');
    await rawRows(db, 'update row_versions set data = ?, row_hash = ? where record_no = ? and row_key = ?', [
      kept.data,
      digest.subarray(0, 16),
      recordNo,
      kept.key,
    ]);
    const old = JSON.stringify({ ...(dialect as Dialect), reading });
    await rawRows(db, 'update record_heads set dialect = ? where record_id = ?', [old, id]);
    return made;
  }

  const KEPT = { key: '1', data: String.raw`{"id":"1","a":"\"a\"b\"x","b":"5"}` };
  const NOW = String.raw`{"id":"1","a":"\"a\"\"b\"x","b":"5"}`;

  it('reports no change without one', async () => {
    const { id, serve } = await makeOld(LITERAL, KEPT);
    serve(`${LITERAL}\n`);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ isNoChange: true, rekeyed: false, generation: 2 });
    expect(Object.values(await rowsOf(id))[0]).toBe(NOW);
    serve(LITERAL);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ isNoChange: true, generation: 2 });
  });

  it.each([undefined, 1])(
    'reports no change of rows that were read with the end mark of DOS, by %s',
    async (reading) => {
      const [body, mark] = ['id,a,b\n1,c,5\n2,d,6', '\u001A'];
      const kept = { key: '2', data: String.raw`{"id":"2","a":"d","b":"6\u001a"}` };
      const { id, serve } = await makeOld(body + mark, kept, reading);
      expect(Object.values(await rowsOf(id))).toContain(kept.data);
      serve(`${body}\n3,e,7${mark}`);
      await bench().check(id);
      expect(await latest(id)).toMatchObject({
        newKeys: ['3'],
        changedKeys: [],
        deletedCount: 0,
        generation: 2,
      });
      expect(Object.values(await rowsOf(id))).toContain('{"id":"2","a":"d","b":"6"}');
    },
  );

  it('reports a change of another cell as that alone', async () => {
    const { id, serve } = await makeOld(LITERAL, KEPT);
    serve(LITERAL.replace('x,5', 'x,7'));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ changedKeys: ['1'], newCount: 0, generation: 2 });
    expect(await changesOf(id)).toMatchObject([{ before: NOW, after: NOW.replace('"5"', '"7"') }]);
  });

  it.each([
    ['quotes as they should be', 'id,a,b\n1,"a""b",5\n2,"","""c"""\n'],
    ['a literal cell without doubled quotes', 'id,a,b\n1,"a" x,5\n2,""x,"y"\n'],
    ['doubled quotes after the closing one', 'id,a,b\n1,"a" ""x,5\n2,x"",6\n'],
  ])('begins no generation for %s', async (_what, body) => {
    const { id, serve } = await makeRecord(body, { keyFields: ['id'] });
    const { db } = bench().database;
    await rawRows(
      db,
      `update record_heads set dialect = (dialect::jsonb - 'reading')::json where record_id = ?`,
      [id],
    );
    serve(`${body}\n`);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ isNoChange: true, rekeyed: false, generation: 1 });
    expect((await get(id)).dialect).toMatchObject({ reading: PARSER_VERSION });
  });
});

it('regression: a header whose columns are all ignored is a table without rows', async () => {
  const { id, serve } = await makeRecord('id,name\n', { keyFields: [], ignoreFields: ['id', 'name'] });
  expect(await lastCheck(id)).toMatchObject({ outcome: 'unchanged', code: null });
  serve('id,name\n1,a\n');
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ newCount: 1, totalCount: 1 });
  serve('id,name\n\n');
  await bench().check(id);
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ deletedCount: 1, totalCount: 0 });
});
