// Options of `recordwatch diff` that say how to read the versions and how to print.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../support/servers/run-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'recordwatch-options-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, body: string | Buffer): string {
  writeFileSync(join(folder, name), body);
  return name;
}

const old = file('old.csv', 'id,name,price\nA1,Jam,3.20\nB2,Tea,4.00\n');
const now = file('new.csv', 'id,name,price\nA1,Jam,3.50\nB2,Tea,4.00\n');

const diff = (...args: string[]) => runProgram(['diff', ...args], { cwd: folder });

describe('--ignore', () => {
  it('regression: tells a field that neither version has, unless the exit code alone is wanted', async () => {
    const words = 'recordwatch: --ignore pric: neither version has such a field.\n';
    expect(await diff(old, now, '--ignore', 'pric')).toMatchObject({ code: 1, stderr: words });
    expect(await diff(old, now, '--ignore', 'pric', '--json')).toMatchObject({ stderr: words });
    expect(await diff(old, now, '--ignore', 'pric', '--quiet')).toMatchObject({ code: 1, stderr: '' });
    expect(await diff(old, now, '--ignore', 'price')).toMatchObject({ code: 0, stderr: '' });
  });

  it('takes a field of one version alone, in any row, and the members of an object', async () => {
    const wide = file('wide.csv', 'id,name,price,stock\nA1,Jam,3.20,1\nB2,Tea,4.00,2\n');
    expect(await diff(old, wide, '--ignore', 'stock')).toMatchObject({ code: 0, stderr: '' });
    const rows = file('rows.jsonl', '{"id":1}\n{"id":2,"size":{"x":1}}\n');
    expect(await diff(rows, rows, '--ignore', 'size', '--ignore', 'size.x')).toMatchObject({ stderr: '' });
    expect((await diff(rows, rows, '--ignore', 'siz')).stderr).toContain('--ignore siz: neither');
  });

  it('is compared with fields of a version beyond a megabyte', async () => {
    const body = Array.from({ length: 60_000 }, (_, at) => `k${at},some text,1\n`).join('');
    const large = file('large.csv', `id,text,seen\n${body}`);
    const later = file('later.csv', `id,text,seen\n${body.replaceAll(',1\n', ',2\n')}`);
    expect(await diff(large, later, '--ignore', 'seen', '--ignore', 'sen')).toMatchObject({
      code: 0,
      stderr: 'recordwatch: --ignore sen: neither version has such a field.\n',
    });
  });
});

it('--key tells a field that is not there', async () => {
  expect(await diff(old, now, '--key', 'nope')).toMatchObject({
    code: 2,
    stderr: 'recordwatch: old.csv: A key field is missing. Not there: “nope”. (missing_key_field)\n',
  });
});

it('--charset reads files that nothing names a charset for', async () => {
  const latin = file('latin.csv', Buffer.from('id,name\nA1,Käse\n', 'latin1'));
  const utf8 = file('utf8.csv', 'id,name\nA1,Käse\n');
  expect(await diff(latin, latin)).toMatchObject({ code: 2, stderr: expect.stringContaining('encoding_invalid') }); // prettier-ignore
  expect(await diff(latin, latin, '--charset', 'latin1')).toMatchObject({ code: 0, stderr: '' });
  const tea = file('tea.csv', Buffer.from('id,name\nA1,Tée\n', 'latin1'));
  expect((await diff(latin, tea, '--charset', 'windows-1252')).stdout).toContain('name: “Käse” → “Tée”');
  // A byte order mark says it better.
  const marked = file('marked.csv', '\ufeffid,name\nA1,Käse\n');
  expect(await diff(utf8, marked, '--charset', 'utf-8')).toMatchObject({ code: 0 });
  expect(await diff(marked, latin, '--charset', 'latin1')).toMatchObject({ code: 0 });
  expect(await diff(latin, latin, '--charset', 'nonsense')).toMatchObject({ code: 2, stderr: expect.stringContaining('name of a charset') }); // prettier-ignore
});

it('--json is --format json, and excludes another format', async () => {
  const [short, long] = [await diff(old, now, '--json'), await diff(old, now, '--format', 'json')];
  expect(short).toEqual(long);
  expect(JSON.parse(short.stdout)).toMatchObject({ differs: true });
  expect(await diff(old, now, '--json', '--format', 'csv')).toMatchObject({ code: 2, stdout: '' });
});

it('--quoting none reads quotes as ordinary characters, and a stray quote says so', async () => {
  const [titles, more] = ['1\t"Big\n2\tb\n3\t"c\n', '1\t"Big\n2\tB\n3\t"c\n'].map((rows, at) =>
    file(`titles-${at}.tsv`, `id\tname\n${rows}`),
  ) as [string, string];
  const { code, stderr } = await diff(titles, more);
  expect([code, stderr]).toEqual([2, expect.stringContaining('set --quoting to none')]);
  const { code: differs, stdout } = await diff(titles, more, '--quoting', 'none', '--json');
  expect(differs).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ counts: { changed: 1, new: 0, deleted: 0 } });
});

it('regression: the advice on an unclear header names the option', async () => {
  const unclear = file('unclear.csv', 'Prices of today\nA1,Jam,3.20\nB2,Tea,4.00\nC3,Rye,5.00\n');
  const { code, stderr } = await diff(unclear, unclear);
  expect(code).toBe(2);
  expect(stderr).toMatch(/Set --header-row to the line of the header.*\(header_unclear\)/);
  expect(stderr).not.toContain('headerRow');
});
