// `recordwatch diff --pair`: edited rows without a key, in every format, and where they cannot pair.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, it } from 'vitest';
import { PAIRING_LIMITS } from '../../../core/delta/pair-similar.ts';
import { runInProcess } from '../../support/servers/run-in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'recordwatch-similar-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const HEADER = 'name,city,team';
const old = file('old.csv', [HEADER, 'Ann,Oslo,red', 'Bob,Rome,blue', 'Cid,Lima,green']);
const now = file('new.csv', [HEADER, 'Ann,Bern,red', 'Bob,Rome,blue', 'Eve,Kyiv,grey']);

const KEYLESS = ['--key', ''];
const diff = (...args: string[]) => runInProcess(['diff', ...args], {});

interface Row {
  key: string;
  changeType: string;
  previousKey?: string;
}

async function rowsOf(...args: string[]): Promise<{ ann: Row; annMoved: Row }> {
  const { stdout } = await diff(old, now, ...KEYLESS, '--format', 'json', ...args);
  const { rows } = JSON.parse(stdout) as { rows: (Row & { before: object; after: object })[] };
  const isAnn = (data: object | null): boolean => data !== null && 'name' in data && data.name === 'Ann';
  const [ann] = rows.filter(({ before }) => isAnn(before));
  const [annMoved] = rows.filter(({ after }) => isAnn(after));
  if (ann === undefined || annMoved === undefined) throw new Error('Ann is not among the rows');
  return { ann, annMoved };
}

describe('pairs of similar rows', () => {
  it('are deleted and new rows unless they are asked for', async () => {
    const { stdout } = await diff(old, now, ...KEYLESS);
    expect(stdout).toContain('2 new, 0 changed, 2 deleted, 1 unchanged');
    expect(stdout).not.toContain('pair');
    const json = await diff(old, now, ...KEYLESS, '--format', 'json');
    expect(json.stdout).not.toContain('pair');
    const csv = await diff(old, now, ...KEYLESS, '--format', 'csv');
    expect(csv.stdout).toMatch(/^change_type,row,key,name,city,team\n/);
  });

  it('text: the values that are the same tell which row it is', async () => {
    const { stdout, stderr, code } = await diff(old, now, ...KEYLESS, '--pair');
    expect([code, stderr]).toEqual([1, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(1, 4)).toEqual([
      '1 new, 1 changed, 1 deleted, 1 unchanged (3 rows before, 3 now)',
      'Key: the whole row (given)',
      '1 row pairs with a similar one.',
    ]);
    expect(lines.slice(5).toSorted()).toEqual([
      '+  name “Eve”, city “Kyiv”, team “grey”',
      '-  name “Cid”, city “Lima”, team “green”',
      '~  name “Ann”, team “red”; city: “Oslo” → “Bern”',
    ]);
  });

  it('json: the members of the API', async () => {
    const { ann } = await rowsOf();
    const { annMoved } = await rowsOf('--pair');
    expect(annMoved).toEqual({
      key: (await rowsOf()).annMoved.key,
      changeType: 'changed',
      before: { name: 'Ann', city: 'Oslo', team: 'red' },
      after: { name: 'Ann', city: 'Bern', team: 'red' },
      changedFields: ['city'],
      pairedBy: 'similarity',
      previousKey: ann.key,
    });
    const { stdout } = await diff(old, now, ...KEYLESS, '--pair', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      counts: { new: 1, changed: 1, deleted: 1, unchanged: 1 },
      pairing: { pairs: 1, obstacle: null },
      warnings: { now: [] },
    });
  });

  it('csv: a column for the previous key', async () => {
    const { annMoved } = await rowsOf('--pair');
    const { stdout } = await diff(old, now, ...KEYLESS, '--pair', '--format', 'csv');
    const lines = parse(stdout, { columns: true }) as Record<string, string>[];
    const own = { change_type: 'changed', key: annMoved.key, previous_key: annMoved.previousKey };
    expect(lines.filter(({ change_type: type }) => type === 'changed')).toEqual([
      { ...own, row: 'before', name: 'Ann', city: 'Oslo', team: 'red' },
      { ...own, row: 'after', name: 'Ann', city: 'Bern', team: 'red' },
    ]);
    expect(lines.filter(({ change_type: type }) => type !== 'changed').map((row) => row['previous_key'])).toEqual(['', '']); // prettier-ignore
  });

  it('patch: both keys, and the values that are the same', async () => {
    const { annMoved } = await rowsOf('--pair');
    const { stdout } = await diff(old, now, ...KEYLESS, '--pair', '--format', 'patch');
    expect(stdout).toContain('# 1 row pairs with a similar one.\n');
    expect(stdout).toContain(
      [
        `@@ changed "${annMoved.key}", similar to "${annMoved.previousKey}" @@`,
        ' name: "Ann"',
        ' team: "red"',
        '-city: "Oslo"',
        '+city: "Bern"',
        '',
      ].join('\n'),
    );
  });

  it('html: a changed row with its mark', async () => {
    const { annMoved } = await rowsOf('--pair');
    const { stdout } = await diff(old, now, ...KEYLESS, '--pair', '--format', 'html');
    expect(stdout).toContain('<p>1 row pairs with a similar one.</p>');
    expect(stdout).toContain(
      `<tr class="changed"><td>changed<br><small title="${annMoved.previousKey}">paired with a similar row</small></td>` +
        '<td>Ann</td><td><del>Oslo</del><ins>Bern</ins></td><td>red</td></tr>',
    );
  });

  it('are the same with any limit of rows', async () => {
    const { stdout } = await diff(old, now, ...KEYLESS, '--pair', '--format', 'json', '--max-rows', '1');
    expect(JSON.parse(stdout)).toMatchObject({ counts: { changed: 1 }, rowsLeftOut: 2, rows: [{}] });
    expect((await diff(old, old, ...KEYLESS, '--pair', '--format', 'json')).stdout).toContain(
      '"pairing": {"pairs":0,"obstacle":null}',
    );
  });
});

describe('rows that cannot pair', () => {
  const KEYED = 'No rows pair: they have a key. --pair is for rows without one (--key "": the whole row).';

  it('because they have a key, as the output says', async () => {
    const args = [old, now, '--key', 'name', '--pair'];
    const text = await diff(...args);
    expect(text).toMatchObject({ code: 1, stderr: '' });
    expect(text.stdout).toContain(`${KEYED}\n`);
    for (const format of ['json', 'csv', 'patch', 'html']) {
      const { code, stderr } = await diff(...args, '--format', format);
      expect([format, code, stderr]).toEqual([format, 1, `recordwatch: ${KEYED}\n`]);
    }
    const json = await diff(...args, '--format', 'json');
    expect(JSON.parse(json.stdout).pairing).toEqual({ pairs: 0, obstacle: 'key' });
    expect(await diff(...args, '--quiet')).toMatchObject({ code: 1, stdout: '', stderr: '' });
  });

  const words = `No rows pair: too many are deleted and new.`;
  const count = PAIRING_LIMITS.rows + 1;
  const many = (city: string): string[] => [
    HEADER,
    ...Array.from({ length: count }, (_, at) => `n${at},${city},t${at}`),
  ];

  it('because there are too many, with the warning of the service', async () => {
    const files = [file('many-old.csv', many('Oslo')), file('many-new.csv', many('Bern'))];
    const text = await diff(...files, ...KEYLESS, '--pair');
    expect(text.stdout).toContain(`${words}\n`);
    expect(text.stdout).toContain(`unpaired_rows, ${2 * count} (${count} deleted, ${count} new)`);
    const json = await diff(...files, ...KEYLESS, '--pair', '--format', 'json', '--max-rows', '1');
    expect(json.stderr).toBe(`recordwatch: ${words}\n`);
    expect(JSON.parse(json.stdout)).toMatchObject({
      counts: { new: count, changed: 0, deleted: count, unchanged: 0 },
      pairing: { pairs: 0, obstacle: 'limit' },
      warnings: {
        now: [{ code: 'unpaired_rows', count: 2 * count, samples: [`${count} deleted`, `${count} new`] }],
      },
    });
  });

  it('because their data are too large', async () => {
    const large = (city: string): string[] => [
      HEADER,
      ...Array.from({ length: 9 }, (_, at) => `n${at},${city},${String(at).repeat(1_000_000)}`),
    ];
    const files = [file('large-old.csv', large('Oslo')), file('large-new.csv', large('Bern'))];
    const { stdout } = await diff(...files, ...KEYLESS, '--pair', '--format', 'json', '--max-rows', '1');
    expect(JSON.parse(stdout)).toMatchObject({ counts: { changed: 0 }, pairing: { obstacle: 'limit' } });
  });
});
