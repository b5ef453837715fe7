// Sends every consecutive pair of real published versions through origin, workflow and API, and compares each delta with a
// naive comparison. All deltas applied to the first version must give the last one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoVersions } from '../../../demo/versions.ts';
import { naiveCompare, naiveTable, type NaiveTable } from '../../support/checks/naive-compare.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import {
  checkAndWait,
  createRecord,
  readAll,
  startSystem,
  type System,
} from '../../support/servers/system.ts';

interface DeltaRowView {
  key: string;
  changeType: string;
  before: { [column: string]: string } | null;
  after: { [column: string]: string } | null;
  changedFields: string[];
}

let system: System;
let origin: Origin;

beforeAll(async () => {
  system = await startSystem();
  origin = await startOrigin();
});

afterAll(async () => {
  await origin.close();
  await system.stop();
});

/** Serves one version after the other, checks each, and compares every event and row with the naive comparison. */
async function playVersions(name: string, versions: string[], keyField: string): Promise<void> {
  const path = `/${name}.csv`;
  const serve = (csv: string): void =>
    origin.set(path, { body: csv, headers: { 'content-type': 'text/csv' } });
  serve(versions[0] ?? '');
  const { id } = await createRecord(system, { url: `${origin.url}${path}`, name, keyFields: [keyField] });
  let before = naiveTable(versions[0] ?? '', keyField);
  const rebuilt: NaiveTable = new Map(before);
  for (const [index, csv] of versions.entries()) {
    if (index === 0) continue;
    serve(csv);
    const after = naiveTable(csv, keyField);
    await compareOnce(id, before, after, rebuilt);
    before = after;
  }
  expect(Object.fromEntries(rebuilt)).toEqual(Object.fromEntries(before));
  await expectSnapshotRows(id, before);
}

async function compareOnce(
  id: string,
  before: NaiveTable,
  after: NaiveTable,
  rebuilt: NaiveTable,
): Promise<void> {
  const check = await checkAndWait(system, id);
  const expected = naiveCompare(before, after);
  const isSame = expected.newKeys.length + expected.changedKeys.length + expected.deletedKeys.length === 0;
  expect(check).toMatchObject({ outcome: isSame ? 'unchanged' : 'changed', error: null, rows: after.size });
  const { body: event } = await system.call('GET', `/v1/sources/${id}/delta/latest`);
  expect(event).toMatchObject({
    isNoChange: isSame,
    newCount: expected.newKeys.length,
    changedCount: expected.changedKeys.length,
    deletedCount: expected.deletedKeys.length,
    unchangedCount: expected.unchanged,
    totalCount: after.size,
  });
  expect(event['detectedAt']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const rows = await readAll<DeltaRowView>(
    system,
    `/v1/sources/${id}/delta/${String(event['id'])}/rows?limit=37`,
    'rows',
  );
  const keysOf = (type: string): string[] =>
    rows
      .filter((row) => row.changeType === type)
      .map(({ key }) => key)
      .sort();
  expect(keysOf('new')).toEqual(expected.newKeys);
  expect(keysOf('changed')).toEqual(expected.changedKeys);
  expect(keysOf('deleted')).toEqual(expected.deletedKeys);
  for (const { key, changeType, before: old, after: now, changedFields } of rows) {
    expect(old ?? undefined).toEqual(before.get(key));
    expect(now ?? undefined).toEqual(after.get(key));
    const columns =
      changeType === 'changed' ? [...new Set([...Object.keys(now ?? {}), ...Object.keys(old ?? {})])] : [];
    expect(changedFields.toSorted()).toEqual(
      columns.filter((column) => old?.[column] !== now?.[column]).toSorted(),
    );
    if (now === null) rebuilt.delete(key);
    else rebuilt.set(key, now);
  }
}

async function expectSnapshotRows(id: string, table: NaiveTable): Promise<void> {
  const rows = await readAll<{ key: string; data: { [column: string]: string } }>(
    system,
    `/v1/sources/${id}/snapshot-rows?limit=100`,
    'rows',
  );
  expect(Object.fromEntries(rows.map(({ key, data }) => [key, data]))).toEqual(Object.fromEntries(table));
}

describe('published versions', () => {
  it('of the SPDX licence list have the deltas of a naive comparison', async () => {
    await playVersions(
      'licences',
      demoVersions().map(({ csv }) => csv),
      'id',
    );
  });

  // Published data beside a checkout, if there is any. It is not part of the project.
  const folder = fileURLToPath(new URL('../../../../shared/data/sp500-constituents', import.meta.url));
  it.runIf(existsSync(folder))(
    'of the S&P 500 constituents have the deltas of a naive comparison',
    async () => {
      const names = readdirSync(folder)
        .filter((name) => name.endsWith('.csv'))
        .toSorted();
      expect(names).toHaveLength(70);
      await playVersions(
        'constituents',
        names.map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
        'Symbol',
      );
    },
  );
});
