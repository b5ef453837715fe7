// Bodies that are cut at each of their bytes: none changes a row at once, except after a line end, where it looks complete.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import type { BodyFile } from '../../../cli/compare/body-file.ts';
import { compareVersions } from '../../../cli/compare/compare-versions.ts';
import { BodyFault, openFirst, type Rule } from '../../../cli/compare/version.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'recordwatch-cuts-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, body: Buffer, contentType: string): BodyFile {
  const path = join(folder, name);
  writeFileSync(path, body);
  return { name, path, sizeBytes: body.length, contentType, isCloseDelimited: true };
}

const KEYED: Rule = { keyFields: ['id'], ignoreFields: [] };
const KEYLESS: Rule = { keyFields: [], ignoreFields: [] };

/** Whether the second body is recorded at once with a change. */
async function isTaken(
  before: Buffer,
  now: Buffer,
  rule: Rule,
  type: string,
  fromBytes: number,
): Promise<boolean> {
  try {
    const first = await openFirst(fileOf('before', before, type), rule);
    const { isSharpDrop, counts } = await compareVersions(first, fileOf('now', now, type), rule, fromBytes);
    return !isSharpDrop && counts.new + counts.changed + counts.deleted > 0;
  } catch (error) {
    if (error instanceof BodyFault) return false;
    throw error;
  }
}

const [FEW, MORE] = [5, 7];
const row = (at: number): string[] => [`k${at}`, `name, ${at}`, `é ${10 + at}`];
const csv = (count: number, lineEnd = '\n'): string =>
  `id,name,note${lineEnd}` +
  Array.from(
    { length: count },
    (_, at) =>
      row(at)
        .map((cell) => (/,/.test(cell) ? `"${cell}"` : cell))
        .join(',') + lineEnd,
  ).join('');
const tsv = (count: number): string =>
  `id\tname\tnote\n${Array.from({ length: count }, (_, at) => `${row(at).join('\t')}\n`).join('')}`;
const list = (count: number): string =>
  `id\n${Array.from({ length: count }, (_, at) => `${at + 100}\n`).join('')}`;
const jsonl = (count: number): string =>
  Array.from({ length: count }, (_, at) => `{"id":"k${at}","note":"é ${at}"}\n`).join('');
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

const FORMS = [
  ['CSV', (count: number) => Buffer.from(csv(count)), 'text/csv', KEYED],
  ['CSV without a key', (count: number) => Buffer.from(csv(count)), 'text/csv', KEYLESS],
  ['CSV with CRLF', (count: number) => Buffer.from(csv(count, '\r\n')), 'text/csv', KEYED],
  ['CSV in UTF-16', (count: number) => utf16(csv(count)), 'text/csv', KEYED],
  ['TSV', (count: number) => Buffer.from(tsv(count)), 'text/tab-separated-values', KEYED],
  ['one column', (count: number) => Buffer.from(list(count)), 'text/csv', KEYED],
  ['JSON Lines', (count: number) => Buffer.from(jsonl(count)), 'application/jsonl', KEYED],
] as const;

it.each(FORMS)(
  'regression: no cut within a row of %s changes a row at once',
  async (_what, write, type, rule) => {
    const before = write(FEW);
    expect(await isTaken(before, write(MORE), rule, type, 0)).toBe(true);
    for (const count of [FEW, MORE]) {
      const now = write(count);
      const taken: number[] = [];
      for (let at = 1; at < now.length; at++)
        for (const fromBytes of [0, Infinity])
          if (await isTaken(before, now.subarray(0, at), rule, type, fromBytes)) taken.push(at);
      expect(taken.filter((at) => !isAfterRow(now, at, type))).toEqual([]);
    }
  },
);

/** Whether a whole row ends there: after a line end, and in JSON Lines after an object. */
function isAfterRow(body: Buffer, at: number, type: string): boolean {
  const end =
    body
      .subarray(Math.max(0, at - 2), at)
      .toString('latin1')
      .replaceAll('\0', '')
      .at(-1) ?? '';
  return (type === 'application/jsonl' ? '\n}' : '\r\n').includes(end);
}

it('no cut of any table changes a row at once, except after a line end', PROPERTY_TIMEOUT, async () => {
  const cells = fc.constantFrom('', 'a', 'b c', '1', '12', 'é', '"x, y"', '"q""q"', '"two\nlines"');
  const tables = fc.array(fc.tuple(cells, cells), { minLength: 1, maxLength: 8 });
  const write = (table: (readonly string[])[]): Buffer =>
    Buffer.from(`id,a,b\n${table.map((of, at) => `${at + 9},${of.join(',')}\n`).join('')}`);
  const property = fc.asyncProperty(
    tables,
    tables,
    fc.nat(),
    fc.constantFrom(0, Infinity),
    async (one, other, place, fromBytes) => {
      const now = write(other);
      const at = 1 + (place % (now.length - 1));
      fc.pre(now[at - 1] !== 10);
      expect(await isTaken(write(one), now.subarray(0, at), KEYED, 'text/csv', fromBytes)).toBe(false);
    },
  );
  await fc.assert(property, propertyRuns(300));
});
