// Reading all rows of a snapshot, whatever their sizes and keys.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportDeltaRows } from '../../../db/rows/delta-rows.ts';
import { exportRows } from '../../../db/rows/export-rows.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import { findSnapshot, type SnapshotRow } from '../../../db/rows/snapshots.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { commitTable, getRecord, makeRecord, table } from '../factories.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Read {
  texts: string[];
  /** How many rows each page had, and how many bytes they had. */
  pages: { rows: number; bytes: number }[];
}

async function readAll(snapshot: Parameters<typeof exportRows>[1]): Promise<Read> {
  const texts: string[] = [];
  const pages: Read['pages'] = [];
  for await (const { bytes, spans } of exportRows(database.db, snapshot)) {
    const before = texts.length;
    for (let index = 0; index < spans.length; index += 2) {
      texts.push(Buffer.from(bytes).toString('utf8', spans[index], spans[index + 1]));
    }
    const size = texts.slice(before).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    pages.push({ rows: texts.length - before, bytes: size });
  }
  return { texts, pages };
}

/** Puts rows where snapshots have theirs. @returns the snapshot that they are of */
async function putRows(rows: readonly (readonly [key: string, data: string])[]) {
  const { recordNo } = await getRecord(database.db, await makeRecord(database.db));
  await rawRows(
    database.db,
    `insert into row_versions (record_no, generation, row_key, first_seq, row_hash, data)
     select ?, 1, key, 1, '\\x00', data::json from unnest(?::text[], ?::text[]) as given (key, data)`,
    [recordNo, rows.map(([key]) => key), rows.map(([, data]) => data)],
  );
  return { recordNo, generation: 1, sequence: 1, totalRows: rows.length };
}

const keyAt = (index: number): string => String(index).padStart(6, '0');
/** Text that no compression makes smaller. */
const noise = (length: number): string => randomBytes(length).toString('base64url').slice(0, length);
const row = (index: number, text: string) => [keyAt(index), JSON.stringify({ text })] as const;

const MiB = 1024 * 1024;

describe('a snapshot', () => {
  it('is complete for every number of rows at the edges of pages', async () => {
    for (const count of [0, 1, 2, 999, 1_000, 1_001, 2_000, 2_500]) {
      const rows = Array.from({ length: count }, (_, index) => row(index, `row ${index}`));
      const { texts } = await readAll(await putRows(rows));
      expect(texts).toEqual(rows.map(([, data]) => data));
    }
  });

  it('is in the byte order of its keys, whatever they are', async () => {
    const awkward = [
      '',
      ' ',
      "'",
      '"',
      '\\',
      '\\x00',
      '$1',
      '?',
      ':key',
      '\n',
      'é',
      '\u{ff01}',
      '\u{1f600}',
      '-- ;',
    ];
    const key = fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: 'grapheme' }));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          key.filter((text) => !text.includes('\0')),
          { maxLength: 20 },
        ),
        async (keys) => {
          const sorted = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
          // Each a page of its own, so that every key is one that a page begins after.
          const large = `"${noise(5_000)}"`;
          const rows = keys.map((name) => [name, `{"key":${JSON.stringify(name)},"text":${large}}`] as const);
          const { texts } = await readAll(await putRows(rows));
          expect(texts.map((text) => JSON.parse(text).key)).toEqual(sorted);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is read in pages of bounded size, with large and small rows mixed, compressed by the database or not', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => {
      if (index % 97 === 50) return row(index, noise(3 * MiB));
      if (index % 31 === 7) return row(index, 'x'.repeat(2 * MiB));
      return row(index, index % 5 === 0 ? noise(20_000) : 'small');
    });
    const { texts, pages } = await readAll(await putRows(rows));
    expect(texts).toEqual(rows.map(([, data]) => data));
    for (const page of pages) expect(page.rows === 1 || page.bytes <= 4 * MiB).toBe(true);
    expect(pages.length).toBeLessThan(250);
  });

  it('is read as it was, with later versions in the table', async () => {
    const recordId = await makeRecord(database.db);
    const versions = [
      { a: '1', b: '1', c: '1' },
      { a: '2', b: '1' },
      { b: '1', c: '3', d: '3' },
    ];
    for (const version of versions) await commitTable(database.db, recordId, table(version));
    const { recordNo } = await getRecord(database.db, recordId);
    const snapshots = await database.db<SnapshotRow>('snapshots').where({ recordId }).orderBy('sequence');
    for (const [index, { id }] of snapshots.entries()) {
      const snapshot = await findSnapshot(database.db, recordId, id);
      if (snapshot === undefined) throw new Error('No snapshot');
      const { texts } = await readAll({ ...snapshot, recordNo });
      const found = texts.map((text) => JSON.parse(text)).map(({ id: key, value }) => [key, value]);
      expect(Object.fromEntries(found)).toEqual(versions[index]);
    }
    expect(snapshots).toHaveLength(3);
  });

  it('fails when rows are missing', async () => {
    const snapshot = await putRows([row(1, 'a'), row(2, 'b')]);
    await expect(readAll({ ...snapshot, totalRows: 3 })).rejects.toMatchObject({ code: 'gone' });
  });

  it('releases its connection when a statement fails', async () => {
    const snapshot = await putRows([row(1, 'a')]);
    await expect(readAll({ ...snapshot, recordNo: NaN })).rejects.toThrow('nan');
    expect((await readAll(snapshot)).texts).toHaveLength(1);
    expect(database.db.client.pool.numUsed()).toBe(0);
  });
});

describe('a delta event', () => {
  it('is complete, page after page', async () => {
    const recordId = await makeRecord(database.db);
    const before = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [keyAt(index), 'old']));
    const after = Object.fromEntries(
      Array.from({ length: 1_500 }, (_, index) => [keyAt(index + 500), 'new']),
    );
    await commitTable(database.db, recordId, table(before));
    await commitTable(database.db, recordId, table(after));
    const { recordNo } = await getRecord(database.db, recordId);
    const event = await database.db('delta_events').where({ recordId }).orderBy('number', 'desc').first();
    const ref = { id: event.id, recordId, recordNo, rowCount: 2_000 };
    const types: Record<string, number> = {};
    const keys: string[] = [];
    for await (const rows of exportDeltaRows(database.db, ref)) {
      for (const { key, changeType } of rows) {
        keys.push(key);
        types[changeType] = (types[changeType] ?? 0) + 1;
      }
    }
    expect(keys).toEqual(Array.from({ length: 2_000 }, (_, index) => keyAt(index)));
    expect(types).toEqual({ new: 500, changed: 1_000, deleted: 500 });
    const short = exportDeltaRows(database.db, { ...ref, rowCount: 2_001 });
    const readShort = async () => {
      for await (const rows of short) expect(rows.length).toBeGreaterThan(0);
    };
    await expect(readShort()).rejects.toMatchObject({ code: 'gone' });
  });
});
