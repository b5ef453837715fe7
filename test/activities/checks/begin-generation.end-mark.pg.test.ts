// Records of a version that read the end mark of DOS as a part of the last row: through the real activities, without a worker.
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Dialect, PARSER_VERSION } from '../../../core/delta/model.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, decide, get, lastCheck, latest, makeRecord, rowsOf, settle } = useWatchedRecords();

const MARK = '\u001A';
const LAST = '{"id":"last","name":"z"}';
const LAST_AS_BEFORE = String.raw`{"id":"last","name":"z\u001a"}`;

const table = (count: number): string =>
  `id,name\n${Array.from({ length: count }, (_, at) => `${at},row ${at}\n`).join('')}last,z${MARK}`;
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

/** Stores what that version stored. @param heldReading of the version that held a check */
async function makeOld(id: string, heldReading?: number): Promise<void> {
  const { recordNo, dialect } = await get(id);
  const { db } = bench().database;
  await rawRows(
    db,
    `update row_versions set data = ?, row_hash = ? where record_no = ? and row_key = 'last'`,
    [
      LAST_AS_BEFORE,
      hash('sha256', JSON.stringify({ id: 'last', name: `z${MARK}` }), 'buffer').subarray(0, 16),
      recordNo,
    ],
  );
  const old = JSON.stringify({ ...(dialect as Dialect), reading: 1 });
  await rawRows(db, 'update record_heads set dialect = ? where record_id = ?', [old, id]);
  if (heldReading === undefined) return;
  await rawRows(
    db,
    `update record_heads set held_body = jsonb_set(held_body::jsonb, '{dialect,reading}', ?::jsonb)::json where record_id = ?`,
    [String(heldReading), id],
  );
}

describe('regression: no change is reported of the end mark', () => {
  it('in UTF-16', async () => {
    const { id, serve } = await makeRecord(utf16(table(2)), { keyFields: ['id'] });
    await makeOld(id);
    serve(utf16(table(3)));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({
      newKeys: ['2'],
      changedKeys: [],
      deletedCount: 0,
      generation: 2,
    });
    expect(Object.values(await rowsOf(id))).toContain(LAST);
  });

  it.each([1, PARSER_VERSION])(
    'in a body that reading %s held, and a person accepts',
    async (heldReading) => {
      const { id, serve } = await makeRecord(table(40), { keyFields: ['id'] });
      serve(table(3));
      await bench().check(id);
      expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
      await makeOld(id, heldReading);
      await decide(id, 'accepted');
      await settle(id);
      expect(await latest(id)).toMatchObject({ newCount: 0, changedKeys: [], deletedCount: 37 });
      serve(table(4));
      await bench().check(id);
      expect(await latest(id)).toMatchObject({
        newKeys: ['3'],
        changedKeys: [],
        deletedCount: 0,
        generation: 2,
      });
      expect(Object.values(await rowsOf(id))).toContain(LAST);
    },
  );

  it('in a body that a worker of that version held after this one had read the rows', async () => {
    const { id, serve } = await makeRecord(table(40), { keyFields: ['id'] });
    serve(table(3));
    await bench().check(id);
    await rawRows(
      bench().database.db,
      `update record_heads set held_body = jsonb_set(held_body::jsonb, '{dialect,reading}', '1')::json where record_id = ?`,
      [id],
    );
    await decide(id, 'accepted');
    await settle(id);
    expect(await latest(id)).toMatchObject({ newCount: 0, changedKeys: [], deletedCount: 37 });
  });
});
