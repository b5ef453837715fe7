// `recordwatch diff` says of two bodies what the service says: the same bodies go through the real activities, and through the
// program, and counts and rows must be equal.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deltaJsonLine } from '../../../core/export/delta-lines.ts';
import { demoVersions } from '../../../demo/versions.ts';
import { exportDeltaRows } from '../../../db/rows/delta-rows.ts';
import { type FeedPair, feedPairs } from '../../core/delta/raw/dirty-feeds.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';
import { propertyRuns } from '../../support/runner/property-runs.ts';
import { runInProcess } from '../../support/servers/run-in-process.ts';

const records = useWatchedRecords();
const RUNS = propertyRuns(60);

interface Settings {
  format?: FeedPair['format'];
  rowsPath?: string | null;
  keyFields?: string[] | null;
  ignoreFields?: string[];
  pairing?: 'similarity' | null;
}

interface Verdict {
  /** The code of the fault, or undefined. */
  fault?: string | undefined;
  counts?: { new: number; changed: number; deleted: number; unchanged: number };
  rows?: string[];
}

let paths = 0;

interface Served {
  before: string | Buffer;
  now: string | Buffer;
  contentType: string;
}

/** Two checks of a record. A drop in rows is confirmed by a third. */
async function askService({ before, now, contentType }: Served, settings: Settings): Promise<Verdict> {
  const [bench, origin] = [records.bench(), records.origin()];
  const path = `/service-${++paths}`;
  const headers = { 'content-type': contentType };
  origin.set(path, { body: before, headers });
  const id = await bench.makeRecord({ url: origin.url + path, ...settings });
  await bench.check(id);
  const first = await records.lastCheck(id);
  if (first?.outcome === 'failed') return { fault: `before: ${first.code}` };
  origin.set(path, { body: now, headers });
  await bench.check(id);
  let second = await records.lastCheck(id);
  if (second?.code === 'sharp_drop') {
    await bench.check(id);
    second = await records.lastCheck(id);
  }
  if (second?.outcome === 'failed' || second?.outcome === 'held') return { fault: `now: ${second.code}` };
  const event = await records.latest(id);
  const { recordNo } = await records.get(id);
  const { newCount, changedCount, deletedCount, unchangedCount } = event;
  const rows: string[] = [];
  const rowCount = newCount + changedCount + deletedCount;
  const exported = exportDeltaRows(bench.database.db, { ...event, recordId: id, recordNo, rowCount });
  for await (const page of exported) rows.push(...page.map((row) => deltaJsonLine(row).trimEnd()));
  return {
    counts: { new: newCount, changed: changedCount, deleted: deletedCount, unchanged: unchangedCount },
    rows,
  };
}

async function askProgram({ before, now, contentType }: Served, settings: Settings): Promise<Verdict> {
  const origin = records.origin();
  const headers = { 'content-type': contentType };
  origin.set('/before', { body: before, headers });
  origin.set('/now', { body: now, headers });
  const { keyFields = null, ignoreFields = [], format, rowsPath = null, pairing = null } = settings;
  const options = [
    ...(keyFields === null ? [] : ['--key', keyFields.join(',')]),
    ...ignoreFields.flatMap((field) => ['--ignore', field]),
    ...(format === undefined ? [] : ['--input', format]),
    ...(rowsPath === null ? [] : ['--rows-path', rowsPath]),
    ...(pairing === null ? [] : ['--pair']),
  ];
  const args = ['diff', `${origin.url}/before`, `${origin.url}/now`, '--format', 'json', ...options];
  const { code, stdout, stderr } = await runInProcess(args, {});
  if (code === 2) {
    const [, side = '', fault = ''] = /\/(before|now): [^]*\((\w+)\)\n$/.exec(stderr) ?? [];
    return { fault: `${side}: ${fault}` };
  }
  const { counts, differs } = JSON.parse(stdout);
  expect(code).toBe(differs ? 1 : 0);
  // As they are printed, so that the texts of numbers count.
  const rows = stdout.split('\n').filter((line) => line.startsWith('    {"key":'));
  return { counts, rows: rows.map((line) => line.trim().replace(/,$/, '')) };
}

async function expectSame(served: Served, settings: Settings = {}): Promise<Verdict> {
  const verdict = await askService(served, settings);
  const shown = verdict.rows?.map(escapeMarks);
  expect(await askProgram(served, settings)).toEqual({ ...verdict, ...(shown && { rows: shown }) });
  return verdict;
}

/** The program escapes marks that a terminal obeys, which is the same JSON. */
const escapeMarks = (line: string): string =>
  line.replaceAll(
    /[\p{Cc}\u2028\u2029\ufeff]/gu,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

it('for dirty feeds, with and without keys and ignored fields', { timeout: 3_600_000 }, async () => {
  let compared = 0;
  const keyFields = fc.constantFrom<(string[] | null)[]>(['id'], ['id'], [], ['id', 'name'], null);
  const ignoreFields = fc.constantFrom<string[][]>([], [], ['note']);
  const pairing = fc.constantFrom<('similarity' | null)[]>('similarity', null);
  const property = fc.asyncProperty(
    feedPairs,
    fc.record({ keyFields, ignoreFields, pairing }),
    async (pair, chosen) => {
      const { before, now, format, rowsPath, charset } = pair;
      const settings = { format, rowsPath: format === 'json' ? rowsPath : null, ...chosen };
      const verdict = await expectSame(
        { before, now, contentType: `text/plain; charset=${charset}` },
        settings,
      );
      compared += Number(verdict.fault === undefined);
    },
  );
  await fc.assert(property, RUNS);
  expect(compared).toBeGreaterThan(RUNS.numRuns / 3);
});

describe('for published tables', () => {
  const csv = 'text/csv';

  it('of SPDX licences', async () => {
    const versions = demoVersions();
    for (const [at, { csv: now }] of versions.entries()) {
      const before = versions[at - 1]?.csv;
      if (before === undefined) continue;
      const { rows } = await expectSame({ before, now, contentType: csv });
      expect(rows?.length).toBeGreaterThan(0);
    }
  });

  // Published data beside a checkout, if there is any. It is not part of the project.
  const shared = fileURLToPath(new URL('../../../../shared/data/sp500-constituents', import.meta.url));
  it.runIf(existsSync(shared))('of S&P 500 constituents, also where the columns change', async () => {
    const names = readdirSync(shared).filter((name) => name.endsWith('.csv')).toSorted(); // prettier-ignore
    const bodies = names.map((name) => readFileSync(join(shared, name)));
    let changed = 0;
    for (const [at, now] of bodies.entries()) {
      const before = bodies[at - 1];
      if (before === undefined) continue;
      const { rows = [] } = await expectSame({ before, now, contentType: csv });
      changed += Number(rows.length > 0);
    }
    expect(changed).toBeGreaterThan(30);
  });
});

describe('for large bodies, which are compared by their bytes', () => {
  const line = (id: number, price: string): string => `P${id},"thing ${id}, ${'x'.repeat(60)}",${price}\n`;
  const table = (from: number, to: number, price: (id: number) => string): string =>
    `id,name,price\n${Array.from({ length: to - from }, (_, at) => line(from + at, price(from + at))).join('')}`;

  const PAIRED: Settings = { keyFields: [], pairing: 'similarity' };

  it('with a few changes, with another order, and with a repeated key', async () => {
    const before = table(0, 15_000, () => '1.00');
    const now = table(20, 15_020, (id) => (id % 1_000 === 0 ? '2.00' : '1.00'));
    expect(before.length).toBeGreaterThan(1024 * 1024);
    const [header, ...lines] = now.trimEnd().split('\n');
    const turned = `${[header, ...lines.toReversed()].join('\n')}\n`;
    for (const next of [now, turned, now + line(500, '9.00')]) {
      for (const settings of [
        {},
        { keyFields: ['id'] },
        { keyFields: [] },
        { ignoreFields: ['price'] },
        PAIRED,
      ]) {
        await expectSame({ before, now: next, contentType: 'text/csv' }, settings);
      }
    }
  });
});
