// Records whose text has no quoting: through the real activities, without a worker.
import { describe, expect, it } from 'vitest';
import * as laterBodies from '../../db/migrations/0089-later-bodies.ts';
import { askPreview, takePreview } from '../../db/records/rule-previews.ts';
import { newTestId } from '../support/rows/factories.ts';
import { useWatchedRecords } from '../support/checks/watched-records.ts';

const { bench, get, lastCheck, latest, makeRecord, origin, patch, plan, rowsOf, settle } =
  useWatchedRecords();

const TITLES = 'id\tname\n1\t"Big" dog\n2\tb"\n3\t"c"\n';
const STRAY = 'id\tname\n1\t"Big\n2\tb\n3\t"c\n';

/** Beyond the sizes that are parsed at once, and compared in memory. */
const large = (name: (at: number) => string): string =>
  `id\tname\n${Array.from({ length: 120_000 }, (_, at) => `${at + 1}\t${name(at)}\n`).join('')}`;

describe('text without quoting', () => {
  it('is read so from the first check on, and changes are found', async () => {
    const { id, serve } = await makeRecord(STRAY, { quoting: 'none' });
    expect(Object.keys(await rowsOf(id))).toEqual(['1', '2', '3']);
    serve(STRAY.replace('2\tb', '2\t"B"'));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ changedKeys: ['2'], newCount: 0, deletedCount: 0 });
    expect(await get(id)).toMatchObject({ headQuoting: 'none', dialect: { quoting: 'none' }, generation: 1 });
  });

  it('is compared by its bytes when it is large', async () => {
    const { id, serve } = await makeRecord(
      large((at) => `"${at}, say`),
      { quoting: 'none' },
    );
    expect(await get(id)).toMatchObject({ totalRows: 120_000, headKeyFields: ['id'] });
    for (const text of ['"', '"99"']) {
      serve(large((at) => (at === 99 ? text : `"${at}, say`)));
      await bench().check(id);
      expect(await latest(id)).toMatchObject({ changedKeys: ['100'], newCount: 0, deletedCount: 0 });
    }
  });

  it('without quotes at its end, is neither cut nor malformed', async () => {
    const { id, serve } = await makeRecord(TITLES, { quoting: 'none' });
    serve(`${TITLES}4\t"open\n`);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ newKeys: ['4'], changedCount: 0, deletedCount: 0 });
  });
});

describe('a change of the quoting', () => {
  it('begins a generation from the stored body, and invents no change', async () => {
    const { id, serve } = await makeRecord(TITLES);
    const requests = origin().requests.length;
    await patch(id, { quoting: 'none' });
    expect(await plan(id)).toMatchObject({ settle: 'settings' });
    await settle(id);
    expect(origin().requests.length).toBe(requests);
    expect(await latest(id)).toMatchObject({ rekeyed: true, isNoChange: true, generation: 2, totalCount: 3 });
    expect(await plan(id)).not.toHaveProperty('settle');
    serve(`${TITLES}4\td\n`);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ newKeys: ['4'], changedCount: 0, deletedCount: 0 });
    await patch(id, { quoting: 'double' });
    await settle(id);
    expect(await latest(id)).toMatchObject({ rekeyed: true, generation: 3 });
    const { dialect } = await get(id);
    expect(dialect).not.toHaveProperty('quoting');
  });

  it('is tried at once by a record that fails because of a stray quote', async () => {
    const { id } = await makeRecord(STRAY);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'failed', code: 'malformed_body' });
    const AT_ONCE = { plan: { kind: 'check', inMs: 0 } };
    expect(await plan(id)).not.toMatchObject(AT_ONCE);
    await patch(id, { quoting: 'none' });
    expect(await plan(id)).toMatchObject(AT_ONCE);
    await bench().check(id);
    expect(await get(id)).toMatchObject({ totalRows: 3 });
  });

  it('that the body cannot be read with fails the check and is reverted', async () => {
    const { id } = await makeRecord('"id"\t"name"\n"1"\t"a"\n', { keyFields: ['id'] });
    await patch(id, { quoting: 'none' });
    await settle(id);
    expect(await lastCheck(id)).toMatchObject({ trigger: 'settings', outcome: 'failed' });
    expect(await get(id)).toMatchObject({ generation: 1, quoting: 'double', totalRows: 1 });
    expect(await plan(id)).not.toHaveProperty('settle');
  });

  it('with a delimiter that the stored body lacks is for a later body', async () => {
    const { id, serve } = await makeRecord('id,name\n1,"a"\n2,b\n', { delimiter: ',' });
    await patch(id, { quoting: 'none', delimiter: '\t', dialectVersion: 1 });
    await settle(id);
    expect(await get(id)).toMatchObject({ headQuoting: 'none', dialect: { delimiter: ',' } });
    expect(await plan(id)).not.toHaveProperty('settle');
    serve('id\tname\n1\ta\n2\t"b\n');
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ changedKeys: ['2'], newCount: 0, deletedCount: 0 });
    expect(await get(id)).toMatchObject({ dialect: { delimiter: '\t', quoting: 'none' } });
  });

  describe('regression: that was put aside with a delimiter', () => {
    const QUOTED = 'id,name\n1,"a"\n2,"b"\n3,c\n';
    const putAside = async (keyFields: string[] | null = null, body = QUOTED) => {
      const { id } = await makeRecord(body, { keyFields });
      await patch(id, { quoting: 'none', delimiter: '\t', dialectVersion: 1 });
      await settle(id);
      expect(await get(id)).toMatchObject({ headQuoting: 'none', putAsideVersion: 1, generation: 2 });
      expect(await plan(id)).not.toHaveProperty('settle');
      return id;
    };

    it.each([
      ['before the next check', true],
      ['after it', false],
    ])('is applied to the stored body once the delimiter fits, %s', async (_when, isSettledFirst) => {
      const id = await putAside();
      await patch(id, { ignoreFields: ['nothing'] });
      await settle(id);
      expect(await get(id)).toMatchObject({ putAsideVersion: 1, generation: 3 });
      await patch(id, { delimiter: null, dialectVersion: 2 });
      expect(await plan(id)).toMatchObject({ settle: 'settings' });
      if (isSettledFirst) await settle(id);
      await bench().check(id);
      expect(await latest(id)).toMatchObject({ isNoChange: true, rekeyed: false });
      if (!isSettledFirst) await settle(id);
      await bench().check(id);
      expect(await latest(id)).toMatchObject({ isNoChange: true, generation: 4 });
      expect(await rowsOf(id)).toMatchObject({ '1': String.raw`{"id":"1","name":"\"a\""}` });
      expect(await get(id)).toMatchObject({ dialect: { quoting: 'none' }, putAsideVersion: null });
      expect(await plan(id)).not.toHaveProperty('settle');
    });

    it('by a version that did not note it, stays aside after the upgrade', async () => {
      const { db } = bench().database;
      const id = await putAside();
      const notYet = (await makeRecord(QUOTED)).id;
      await patch(notYet, { quoting: 'none', delimiter: '\t', dialectVersion: 1 });
      await db('record_heads').whereIn('recordId', [id, notYet]).update({ putAsideVersion: null });
      expect(await plan(id)).toMatchObject({ settle: 'settings' });
      await laterBodies.up(db);
      expect(await get(id)).toMatchObject({ putAsideVersion: 1 });
      expect(await plan(id)).not.toHaveProperty('settle');
      expect(await get(notYet)).toMatchObject({ putAsideVersion: null });
      expect(await plan(notYet)).toMatchObject({ settle: 'settings' });
    });

    it('is reverted if the body cannot be read with it then', async () => {
      const id = await putAside(['id'], '"id","name"\n"1","a"\n');
      await patch(id, { delimiter: null, dialectVersion: 2 });
      await settle(id);
      expect(await lastCheck(id)).toMatchObject({ trigger: 'settings', outcome: 'failed' });
      expect(await get(id)).toMatchObject({ quoting: 'double', generation: 2 });
      expect(await plan(id)).not.toHaveProperty('settle');
    });

    it('is previewed as the stored body would be read', async () => {
      const id = await putAside();
      await patch(id, { delimiter: null, dialectVersion: 2 });
      const previewId = newTestId('rulePreview');
      const rule = {
        keyFields: null,
        ignoreFields: [],
        rules: {},
        headerRow: null,
        quoting: 'none' as const,
      };
      await askPreview(bench().database.db, previewId, id, rule);
      await bench().run(({ previewRule }) => previewRule({ previewId }));
      expect(await takePreview(bench().database.db, previewId)).toMatchObject({ quoting: 'none' });
    });
  });

  it('has no effect on a JSON document', async () => {
    const { id } = await makeRecord('[{"id":1}]', {}, 'application/json');
    await patch(id, { quoting: 'none' });
    expect(await plan(id)).not.toHaveProperty('settle');
  });

  it('is previewed without a change', async () => {
    const { id } = await makeRecord(TITLES);
    const previewId = newTestId('rulePreview');
    const rule = { keyFields: null, ignoreFields: [], rules: {}, headerRow: null, quoting: 'none' as const };
    await askPreview(bench().database.db, previewId, id, rule);
    await bench().run(({ previewRule }) => previewRule({ previewId }));
    expect(await takePreview(bench().database.db, previewId)).toMatchObject({
      kind: 'read',
      quoting: 'none',
      rowCount: 3,
    });
    expect(await get(id)).toMatchObject({ generation: 1 });
  });
});

describe('a worker that does not know quoting', () => {
  const asOldWorker = (id: string, columns: string) =>
    bench().database.db.raw(
      `update record_heads set check_number = check_number + 1, ruled_check = check_number + 1, ${columns} where record_id = ?`,
      [id],
    );

  it('cannot commit a compared or a held body of a record without quotes', async () => {
    const { id } = await makeRecord(STRAY, { quoting: 'none' });
    await expect(asOldWorker(id, `body_sha256 = 'other'`)).rejects.toThrow('is read without quotes');
    await expect(asOldWorker(id, `held_body = '{}', held_check_id = 'chk_1'`)).rejects.toThrow(
      'is read without quotes',
    );
    await asOldWorker(id, `held_body = null, held_check_id = null`);
  });

  it('can commit everything of a record with quotes, also while another quoting is asked for', async () => {
    const { id } = await makeRecord(TITLES);
    await patch(id, { quoting: 'none' });
    await asOldWorker(id, `body_sha256 = body_sha256`);
    await settle(id);
    await expect(asOldWorker(id, `body_sha256 = body_sha256`)).rejects.toThrow('is read without quotes');
  });
});
