// `recordwatch diff` as a user runs it: a process, files, standard input, and an origin that is not ours.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAMS } from '../../support/servers/programs.ts';
import { type PythonOrigin, startPythonOrigin } from '../../support/servers/python-origin.ts';
import { runProgram } from '../../support/servers/run-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'recordwatch-diff-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OLD = 'id,name,price\nA1,Jam,3.20\nB2,Tea,4.00\nC3,Rye,2.50\n';
const NEW = 'id,name,price\nA1,Jam,3.50\nC3,Rye,2.50\nD4,Oil,9.00\n';

function file(name: string, body: string | Buffer): string {
  writeFileSync(join(folder, name), body);
  return name;
}

const rowsOf = (count: string, note: string, end: string): string =>
  `{"id":7,"count":${count},"note":${note},"long":"${'x'.repeat(100)}${end}"}\n`;

const old = file('old.csv', OLD);
const now = file('new.csv', NEW);

const diff = (args: readonly string[], options: Parameters<typeof runProgram>[1] = {}) =>
  runProgram(['diff', ...args], { cwd: folder, ...options });

describe('exit codes', () => {
  it('are those of diff(1): 0 the same, 1 different, 2 an error', async () => {
    expect(await diff([old, old])).toMatchObject({ code: 0, stderr: '' });
    expect(await diff([old, now])).toMatchObject({ code: 1, stderr: '' });
    expect(await diff([old, 'missing.csv'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'recordwatch: missing.csv: There is no such file.\n',
    });
  });

  it('tell everything with --quiet', async () => {
    expect(await diff([old, now, '--quiet'])).toEqual({ code: 1, stdout: '', stderr: '' });
    expect(await diff([old, old, '-q'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('regression: are 2 when the output cannot be written', async () => {
    const full = await runProgram([], { cwd: folder }, [
      '/bin/sh',
      '-c',
      '"$0" "$@" > /dev/full',
      process.execPath,
      PROGRAMS.cli.path,
      'diff',
      old,
      old,
    ]);
    expect(full).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^recordwatch: The output cannot be written: ENOSPC[^\n]*\n$/),
    });
  });

  it('regression: are 141 when nobody reads the help', async () => {
    const help = '"$0" "$1" --help | true; exit "${PIPESTATUS[0]}"';
    const broken = await runProgram([], {}, [
      '/bin/bash',
      '--norc',
      '-c',
      help,
      process.execPath,
      PROGRAMS.cli.path,
    ]);
    expect(broken).toMatchObject({ code: 141, stderr: '' });
  });

  it('are 0 for the same rows in another order', async () => {
    const [header, ...rows] = OLD.trimEnd().split('\n');
    file('turned.csv', `${[header, ...rows.toReversed()].join('\r\n')}\r\n`);
    expect(await diff([old, 'turned.csv'])).toMatchObject({ code: 0 });
  });

  it('are 2 for arguments that cannot be meant', async () => {
    for (const args of [
      [old],
      [old, now, '--since', old],
      ['-', '-'],
      [old, now, '--max-rows', 'x'],
      [old, now, '--format', 'pdf'],
    ]) {
      expect(await diff(args)).toMatchObject({ code: 2, stdout: '' });
    }
  });
});

describe('formats', () => {
  it('text: a summary, then a line for each row', async () => {
    const { stdout } = await diff([old, now]);
    expect(stdout.split('\n')).toEqual([
      'old.csv → new.csv',
      '1 new, 1 changed, 1 deleted, 1 unchanged (3 rows before, 3 now)',
      'Key: id. “id” is filled and different in all 3 rows, and named like a key.',
      '',
      '~ A1  price: “3.20” → “3.50”',
      '- B2  name “Tea”, price “4.00”',
      '+ D4  name “Oil”, price “9.00”',
      '',
    ]);
  });

  it('text: says whether the service would hold the check', async () => {
    const many = file(
      'many.csv',
      `id,name,price\n${Array.from({ length: 40 }, (_, at) => `${at},a,1\n`).join('')}`,
    );
    const few = await diff([many, file('few.csv', 'id,name,price\n1,a,1\n')]);
    expect(few.stdout).toContain('\nMost rows are gone. The service would hold this check');
    const broken = await diff([old, file('broken.csv', 'id,name,price\nA1,Jam,3.20\nERROR 2013\n')]);
    expect(broken.stdout).toContain(
      '\nFewer rows than last time, and the last one is incomplete, as after an export that broke off. The service would hold this check',
    );
    expect((await diff([old, now])).stdout).not.toContain('The service would');
  });

  it('text and HTML: values that would look the same are shown as they differ', async () => {
    const [one, other] = [
      file('one.jsonl', rowsOf('1', 'null', 'a')),
      file('other.jsonl', rowsOf('"1"', '""', 'b')),
    ];
    const text = await diff([one, other, '--key', 'id']);
    expect(text.stdout).toContain('count: 1 → "1", note: null → “”, long: …');
    expect(text.stdout).toMatch(/long: …x{20}a" → …x{20}b"\n/);
    const html = await diff([one, other, '--key', 'id', '--format', 'html']);
    expect(html.stdout).toContain('<td><del>1</del><ins>&quot;1&quot;</ins></td>');
    expect(html.stdout).toContain('<td><del><i>null</i></del><ins></ins></td>');
  });

  it('json: one document, with the rows of the API', async () => {
    const { stdout } = await diff([old, now, '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      differs: true,
      counts: { new: 1, changed: 1, deleted: 1, unchanged: 1 },
      totals: { before: 3, now: 3 },
      key: { fields: ['id'], evidence: { rule: 'name' } },
      rowsLeftOut: 0,
      rows: [
        {
          key: 'A1',
          changeType: 'changed',
          before: { price: '3.20' },
          after: { price: '3.50' },
          changedFields: ['price'],
        },
        { key: 'B2', changeType: 'deleted', before: { name: 'Tea' }, after: null },
        { key: 'D4', changeType: 'new', before: null, after: { id: 'D4', name: 'Oil', price: '9.00' } },
      ],
    });
  });

  it('csv: the values before and after, each on a line', async () => {
    const { stdout } = await diff([old, now, '--format', 'csv']);
    expect(parse(stdout, { columns: true })).toEqual([
      { change_type: 'changed', row: 'before', key: 'A1', id: 'A1', name: 'Jam', price: '3.20' },
      { change_type: 'changed', row: 'after', key: 'A1', id: 'A1', name: 'Jam', price: '3.50' },
      { change_type: 'deleted', row: 'before', key: 'B2', id: 'B2', name: 'Tea', price: '4.00' },
      { change_type: 'new', row: 'after', key: 'D4', id: 'D4', name: 'Oil', price: '9.00' },
    ]);
  });

  it('patch: a hunk for each row', async () => {
    const { stdout } = await diff([old, now, '--format', 'patch']);
    expect(stdout).toBe(
      [
        '--- old.csv',
        '+++ new.csv',
        '@@ changed "A1" @@',
        '-price: "3.20"',
        '+price: "3.50"',
        '@@ deleted "B2" @@',
        '-id: "B2"',
        '-name: "Tea"',
        '-price: "4.00"',
        '@@ new "D4" @@',
        '+id: "D4"',
        '+name: "Oil"',
        '+price: "9.00"',
        '',
      ].join('\n'),
    );
    expect((await diff([old, old, '--format', 'patch'])).stdout).toBe('');
  });

  it('limit the rows, and say how many are left out', async () => {
    const text = await diff([old, now, '--max-rows', '1']);
    expect(text.stdout).toMatch(/A1[^]*… and 2 more/);
    const json = await diff([old, now, '--format', 'json', '--max-rows', '2']);
    expect(JSON.parse(json.stdout)).toMatchObject({ rowsLeftOut: 1, rows: [{ key: 'A1' }, { key: 'B2' }] });
  });

  it('print 100,000 rows by default, and tell of the others', async () => {
    const many = Array.from({ length: 100_102 }, (_, at) => `${at},a\n`).join('');
    file('one.csv', 'id,v\n0,a\n');
    file('most.csv', `id,v\n${many}`);
    const some = await diff(['one.csv', 'most.csv', '--format', 'csv']);
    expect(some.stdout.trimEnd().split('\n')).toHaveLength(1 + 100_000);
    expect(some).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('101 more rows differ. --max-rows 0'),
    });
    const all = await diff(['one.csv', 'most.csv', '--format', 'csv', '--max-rows', '0']);
    expect(all.stdout.trimEnd().split('\n')).toHaveLength(1 + 100_101);
    expect(all).toMatchObject({ code: 1, stderr: '' });
  });

  it('use the key and leave out the fields that are named', async () => {
    const byName = await diff([old, now, '--key', 'name', '--format', 'json']);
    expect(JSON.parse(byName.stdout)).toMatchObject({ key: { fields: ['name'], evidence: null } });
    const both = await diff([old, now, '--key', 'id,name', '--format', 'json']);
    expect(JSON.parse(both.stdout).rows[0].key).toBe('["A1","Jam"]');
    const whole = await diff([old, now, '--key', '']);
    expect(whole.stdout).toContain('2 new, 0 changed, 2 deleted');
    const ignored = await diff([old, now, '--ignore', 'price']);
    expect(ignored.stdout).toContain('1 new, 0 changed, 1 deleted, 2 unchanged');
    expect(await diff([old, now, '--key', 'nonsense'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^recordwatch: old\.csv: .*nonsense.*\(missing_key_field\)\n$/),
    });
  });
});

describe('inputs', () => {
  it('may be standard input, compressed, or a pipe', async () => {
    expect(await diff(['-', now], { input: OLD })).toMatchObject({ code: 1 });
    file('old.csv.gz', gzipSync(OLD));
    file('old.zst', zstdCompressSync(OLD));
    file('old.csv.br', brotliCompressSync(OLD));
    for (const name of ['old.csv.gz', 'old.zst', 'old.csv.br']) {
      expect(await diff([old, name])).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await diff(['-', old], { input: gzipSync(OLD) })).toMatchObject({ code: 0, stderr: '' });
    const shell = `"${process.execPath}" "${PROGRAMS.cli.path}" diff <(cat old.csv) <(cat new.csv) -q; echo $?`;
    expect(execFileSync('bash', ['-c', shell], { cwd: folder, encoding: 'utf8' })).toBe('1\n');
  });

  it('may be in other formats and charsets, as the service reads them', async () => {
    file('old.tsv', OLD.replaceAll(',', '\t'));
    file('new.tsv', NEW.replaceAll(',', '\t'));
    expect((await diff(['old.tsv', 'new.tsv'])).stdout).toContain('1 new, 1 changed, 1 deleted, 1 unchanged');
    const jsonOf = (csv: string): unknown[] => parse(csv, { columns: true });
    file('old.json', JSON.stringify({ data: { items: jsonOf(OLD) } }));
    file('new.json', JSON.stringify({ data: { items: jsonOf(NEW) } }));
    expect((await diff(['old.json', 'new.json'])).stdout).toContain(
      '1 new, 1 changed, 1 deleted, 1 unchanged',
    );
    file('utf16.csv', Buffer.from(`\ufeff${NEW}`, 'utf16le'));
    expect((await diff([old, 'utf16.csv'])).stdout).toContain('1 new, 1 changed, 1 deleted, 1 unchanged');
  });

  it.each<[string, string | Buffer, string]>([
    ['empty.csv', '', 'It is empty. (empty_body)'],
    [
      'page.html',
      '<!doctype html><html><title>502 Bad Gateway</title></html>',
      'It is a web page, not data. (unexpected_content)',
    ],
    ['picture.png', Buffer.from('89504e470d0a1a0a0000000d49484452fffe', 'hex'), '(encoding_invalid)'],
    ['open.csv', `${OLD}D4,"open`, '(body_truncated)'],
    ['stray.csv', `${OLD}D4,"a\nE5,"b\n`, 'a quote opens a cell that goes on over the rows below'],
    ['cut.csv.gz', gzipSync(OLD).subarray(0, 40), '(body_truncated)'],
    ['table.xlsx', Buffer.from('504b030414000600', 'hex'), 'ZIP archive'],
    ['rows.json', '[{"id":"A1"}]', '(malformed_body)'],
  ])('%s is refused with what is wrong', async (name, body, words) => {
    file(name, body);
    const { code, stdout, stderr } = await diff([old, name]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`recordwatch: ${name}: `);
    expect(stderr).toContain(words);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('that cannot be read are refused', async () => {
    mkdirSync(join(folder, 'folder'), { recursive: true });
    expect(await diff([old, 'folder'])).toMatchObject({
      code: 2,
      stderr: 'recordwatch: folder: It is a folder. Name a file.\n',
    });
    expect(await diff([old, 'http://'])).toMatchObject({ code: 2 });
  });

  it('with repeated keys: the last row counts for a given key, and a detected key is refused', async () => {
    const twice = file('twice.csv', `${NEW}D4,Olive oil,9.50\n`);
    expect(await diff([old, twice])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('(key_repeated)'),
    });
    const given = await diff([old, twice, '--key', 'id']);
    expect(given.stdout).toContain('+ D4  name “Olive oil”, price “9.50”');
    expect(given.stdout).toContain('Warning about twice.csv: duplicate_key, 1 (D4)');
  });
});

describe('URLs', () => {
  let origin: PythonOrigin;
  beforeAll(async () => {
    origin = await startPythonOrigin(folder);
  });
  afterAll(() => origin.close());

  it('are fetched, and compared with --since', async () => {
    const { code, stdout } = await diff([`${origin.url}/new.csv`, '--since', old]);
    expect(code).toBe(1);
    expect(stdout).toContain(`old.csv → ${origin.url}/new.csv\n1 new, 1 changed, 1 deleted, 1 unchanged`);
  });

  it('never show credentials or a query', async () => {
    const host = origin.url.slice('http://'.length);
    const secret = 'hunter2secret';
    const url = (path: string): string => `http://user:${secret}@${host}/${path}?token=${secret}`;
    for (const args of [
      [old, url('new.csv')],
      [old, url('missing.csv')],
      [url('new.csv'), old, '--format', 'json'],
    ]) {
      const { stdout, stderr } = await diff(args);
      expect(stdout + stderr).toContain(`${origin.url}/`);
      expect(stdout + stderr).not.toContain(secret);
    }
    expect(origin.log.length).toBeGreaterThan(0);
  });

  it('that fail are told with code and reason', async () => {
    const missing = await diff([old, `${origin.url}/missing.csv`]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('Status 404. (http_error)') });
    const nobody = await diff([old, 'http://127.0.0.1:1/x.csv']);
    expect(nobody).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Nothing answers there. (origin_unreachable)'),
    });
    const unknown = await diff([old, 'http://no-such-host.invalid/x.csv']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Its name has no address.') });
    const plain = await diff([old, `${origin.url.replace('http:', 'https:')}/new.csv`]);
    expect(plain).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not with TLS. Its URL may begin with http://. (origin_unreachable)'),
    });
    const ftp = await diff([old, 'ftp://user:hunter2@example.com/x.csv']);
    expect(ftp).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^recordwatch: A URL with ftp:\/\/ cannot be read\. Name .* http:\/\//),
    });
    expect(ftp.stderr).not.toContain('hunter2');
  });

  it('leave no temporary file', async () => {
    const place = join(folder, 'tmp');
    mkdirSync(place);
    await diff([`${origin.url}/new.csv`, '--since', 'old.csv.gz'], { env: { TMPDIR: place } });
    expect(readdirSync(place)).toEqual([]);
  });
});

describe('hostile values', () => {
  const ESC = '\u001b';
  const hostile = `${ESC}]0;pwned\u0007${ESC}[2J\u009b31m\u202egnp.exe`;
  const before = 'id,name\n1,a\n2,b\n3,c\n';

  it('give a terminal no commands, in any format', async () => {
    file('calm.csv', before);
    file('hostile.csv', `id,${hostile}\n1,"${hostile}"\n2,b\n${hostile},=1+1\n`);
    file('hostile-key.csv', before.replace('3,c', `${hostile},"=HYPERLINK(""x"")"`).replace('a', hostile));
    for (const format of ['text', 'json', 'patch']) {
      const { stdout } = await diff(['calm.csv', 'hostile-key.csv', '--format', format, '--key', 'id']);
      expect(stdout).toContain('\\u001b');
      // oxlint-disable-next-line no-control-regex -- exactly what must not be there
      expect(stdout).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
    }
    const json = await diff(['calm.csv', 'hostile-key.csv', '--format', 'json', '--key', 'id']);
    expect(JSON.parse(json.stdout).rows.map(({ key }: { key: string }) => key)).toContain(hostile);
  });

  it('are escaped in a name of a file', async () => {
    const name = file(`x${ESC}[31m.csv`, before);
    const { stdout, stderr } = await diff([name, `missing${ESC}[31m`]);
    expect(stdout + stderr).not.toContain(ESC);
  });

  it('are no formulas with --csv-escape spreadsheet, and are left as they are without', async () => {
    const formula = file('formula.csv', before.replace('b', '=1+1'));
    file('calm.csv', before);
    const plain = await diff(['calm.csv', formula, '--format', 'csv']);
    expect(plain.stdout).toContain('changed,after,2,2,=1+1\n');
    const safe = await diff(['calm.csv', formula, '--format', 'csv', '--csv-escape', 'spreadsheet']);
    expect(safe.stdout).toContain("changed,after,2,2,'=1+1\n");
  });

  it('are text in HTML', async () => {
    const script = file(
      'script.csv',
      before.replace('b', '<img src=x onerror=alert(1)>').replace('name', '<b>name'),
    );
    file('calm.csv', before.replace('name', '<b>name'));
    const { stdout } = await diff(['calm.csv', script, '--format', 'html']);
    expect(stdout).toContain('<ins>&lt;img src=x onerror=alert(1)&gt;</ins>');
    expect(stdout).toContain('<th>&lt;b&gt;name</th>');
    expect(stdout).not.toMatch(/<img|<b>|<script/);
    expect(stdout).toContain(`content="default-src 'none'`);
  });
});

describe('a terminal', () => {
  /** Runs the program with a terminal as its output. */
  const onTerminal = (args: readonly string[], env: NodeJS.ProcessEnv = {}): string => {
    const command = ['diff', ...args].map((arg) => JSON.stringify(arg));
    const program = [process.execPath, PROGRAMS.cli.path].map((part) => JSON.stringify(part));
    const script = `import pty\npty.spawn([${[...program, ...command].join(', ')}])`;
    return execFileSync('python3', ['-c', script], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], TERM: 'xterm-256color', ...env },
    });
  };
  const GREEN = '\u001b[32m';

  it('gets colours, unless NO_COLOR is set', async () => {
    expect(onTerminal([old, now])).toContain(GREEN);
    expect(onTerminal([old, now], { NO_COLOR: '1' })).not.toContain('\u001b');
    expect(onTerminal([old, now], { NO_COLOR: '' })).toContain(GREEN);
    expect(onTerminal([old, now, '--color', 'never'])).not.toContain('\u001b');
    expect((await diff([old, now])).stdout).not.toContain('\u001b');
    expect((await diff([old, now, '--color', 'always'])).stdout).toContain(GREEN);
  });

  it('gets no commands from values in CSV either', () => {
    file('escape.csv', NEW.replace('Oil', '\u001b[2JOil'));
    expect(onTerminal([old, 'escape.csv', '--format', 'csv'])).not.toContain('\u001b');
  });
});

it('ends quietly when its reader has seen enough', async () => {
  const many = (count: number): string =>
    `id,v\n${Array.from({ length: count }, (_, at) => `${at},${'x'.repeat(50)}\n`).join('')}`;
  file('few.csv', many(1));
  file('many.csv', many(30_000));
  const shell = `"${process.execPath}" "${PROGRAMS.cli.path}" diff few.csv many.csv --format csv | head -n 1`;
  const text = execFileSync('bash', ['-c', shell], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(text).toBe('change_type,row,key,id,v\n');
});
