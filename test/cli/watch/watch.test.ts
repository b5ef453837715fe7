// `recordwatch watch` as a user runs it: a process, a terminal's signals, Python's server, and an origin that counts.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { PROGRAMS } from '../../support/servers/programs.ts';
import { startPythonOrigin } from '../../support/servers/python-origin.ts';
import { runProgram } from '../../support/servers/run-program.ts';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'recordwatch-watch-'));
const temporary = join(folder, 'tmp');
mkdirSync(temporary);
afterAll(() => rmSync(folder, { recursive: true }));

interface Watching {
  stdout: string;
  stderr: string;
  child: ChildProcessByStdio<null, Readable, Readable>;
  ended: Promise<number | null>;
}

const running: Watching[] = [];
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});

function watch(...args: string[]): Watching {
  const child = spawn(process.execPath, [PROGRAMS.cli.path, 'watch', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], TMPDIR: temporary },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const watching: Watching = { stdout: '', stderr: '', child, ended };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (watching.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (watching.stderr += text));
  running.push(watching);
  return watching;
}

const said = (watching: Watching, words: string | RegExp): Promise<unknown> =>
  until(`it says ${words}; it said ${watching.stdout}${watching.stderr}`, () =>
    typeof words === 'string' ? watching.stdout.includes(words) : words.test(watching.stdout),
  );

const rows = (from: number, to: number): string =>
  `id,name\n${Array.from({ length: to - from }, (_, at) => `K${from + at},thing ${from + at}\n`).join('')}`;

it('prints the rows that change at a Python server, and ends with Ctrl-C', async () => {
  const served = join(folder, 'served');
  mkdirSync(served);
  const write = (body: string, secondsAgo: number): void => {
    const file = join(served, 'list.csv');
    writeFileSync(file, body);
    const at = Date.now() / 1_000 - secondsAgo;
    // An old date lets the server answer with 304.
    utimesSync(file, at, at);
  };
  const origin = await startPythonOrigin(served);
  try {
    write(rows(0, 30), 600);
    const watching = watch(`${origin.url}/list.csv`, '--every', '1s');
    await said(watching, /^\d\d:\d\d:\d\d {2}check 1: 30 rows of http:.*\/list\.csv, key: id\n/);
    await until('Python answers 304', () => origin.log.some((line) => line.includes('" 304 -')));
    write(rows(1, 31).replace('thing 7\n', 'seven\n'), 300);
    await said(watching, /check \d+: 1 new, 1 changed, 1 deleted, 28 unchanged\n/);
    await said(watching, `~ K7  name: “thing 7” → “seven”\n`);
    watching.child.kill('SIGINT');
    expect(await watching.ended).toBe(0);
    expect(watching.stdout).toMatch(/Ended\.\n$/);
    expect(watching.stderr).toBe('');
    expect(readdirSync(temporary)).toEqual([]);
  } finally {
    await origin.close();
  }
});

describe('checks', () => {
  let origin: Origin;
  beforeAll(async () => {
    origin = await startOrigin();
  });
  afterAll(() => origin.close());

  const serve = (body: string, more: object = {}): void =>
    origin.set('/list', { body, headers: { 'content-type': 'text/csv' }, ...more });

  it('ask with the entity tag of the accepted body', async () => {
    serve(rows(0, 30), { etag: '"one"' });
    const watching = watch(`${origin.url}/list`, '--every', '1');
    await said(watching, 'check 1');
    const [first, second] = await until('it has asked twice', () => {
      const visits = origin.requests.filter(({ path }) => path === '/list');
      return visits.length > 1 && visits;
    });
    expect(first?.headers['if-none-match']).toBeUndefined();
    expect(second?.headers['if-none-match']).toBe('"one"');
    expect(second?.headers['user-agent']).toMatch(/^recordwatch\//);
  });

  it('pair edited rows without a key', async () => {
    serve('name,team,city\nAnn,red,Oslo\nBob,blue,Rome\nCid,red,Rome\n');
    const args = [`${origin.url}/list`, '--every', '1', '--key', '', '--pair'];
    const [text, json] = [watch(...args), watch(...args, '--format', 'json')];
    await said(text, 'check 1');
    await said(json, '"outcome":"begun"');
    serve('name,team,city\nAnn,red,Bern\nBob,blue,Rome\nCid,red,Rome\n');
    await said(text, '0 new, 1 changed, 0 deleted, 2 unchanged\n');
    await said(text, '1 row pairs with a similar one.\n');
    await said(text, 'city: “Oslo” → “Bern”\n');
    await said(json, '"pairing":{"pairs":1,"obstacle":null}');
    await said(json, '"pairedBy":"similarity"');
    expect(json.stdout.match(/"pairedBy"/g)).toHaveLength(1);
  });

  it('tell a failure once, and continue with the version before it', async () => {
    serve(rows(0, 30));
    const watching = watch(`${origin.url}/list`, '--every', '1', '--format', 'json');
    await said(watching, '"outcome":"begun"');
    serve('oops', { status: 503 });
    await said(watching, '"outcome":"failed"');
    const visits = origin.requests.length;
    await until('it has failed again', () => origin.requests.length > visits + 1);
    serve(rows(0, 31));
    await said(watching, '"outcome":"changed"');
    const findings = watching.stdout.trimEnd().split('\n').map((line) => JSON.parse(line)); // prettier-ignore
    expect(findings.map(({ outcome }) => outcome)).toEqual(['begun', 'failed', 'recovered', 'changed']);
    expect(findings[1].words).toContain('(http_error)');
    expect(findings[3]).toMatchObject({
      counts: { new: 1, changed: 0, deleted: 0, unchanged: 30 },
      rows: [{ key: 'K30', changeType: 'new', before: null, after: { id: 'K30', name: 'thing 30' } }],
    });
  });

  it('tell a field to ignore that no row has, once', async () => {
    serve(rows(0, 3));
    const watching = watch(
      `${origin.url}/list`,
      '--every',
      '1',
      '--ignore',
      'nam',
      '--ignore',
      'id',
      '--key',
      'name',
    );
    await said(watching, 'check 1');
    serve(rows(0, 4));
    await said(watching, '1 new');
    expect(watching.stderr).toBe('recordwatch: --ignore nam: no row has such a field.\n');
  });

  it('hold a drop until a second one confirms it', async () => {
    serve(rows(0, 60));
    const watching = watch(`${origin.url}/list`, '--every', '1');
    await said(watching, 'check 1');
    serve(rows(0, 10));
    await said(
      watching,
      'held: Far fewer rows than last time; waiting for a second check to confirm. 10 rows after 60.',
    );
    await said(watching, '0 new, 0 changed, 50 deleted, 10 unchanged');
    expect(watching.stdout).toContain('… and 40 more\n');
  });

  it('hold a body that looks as if its export broke off, until a second one confirms it', async () => {
    serve(rows(0, 60));
    const watching = watch(`${origin.url}/list`, '--every', '1');
    await said(watching, 'check 1');
    serve(`${rows(0, 50)}ERROR 2013\n`);
    await said(
      watching,
      /held: Fewer rows than last time, .*: 50 whole rows after 60\. Waiting for a second check/,
    );
    await said(watching, '1 new, 0 changed, 10 deleted, 50 unchanged');
    expect(watching.stdout.match(/held:/g)).toHaveLength(1);
  });

  it('regression: hold a table that has lost its last line end, until a second one confirms it', async () => {
    serve(rows(0, 60));
    const watching = watch(`${origin.url}/list`, '--every', '1');
    await said(watching, 'check 1');
    serve(rows(0, 50).trimEnd().slice(0, -1));
    await said(
      watching,
      /held: The last row has no line end, .*: 50 rows after 60\. Waiting for a second check/,
    );
    await said(watching, '0 new, 1 changed, 10 deleted, 49 unchanged');
    expect(watching.stdout.match(/held:/g)).toHaveLength(1);
  });

  it('begin with the version of --since', async () => {
    const since = join(folder, 'since.csv');
    writeFileSync(since, rows(0, 30));
    serve(rows(1, 30));
    const watching = watch(`${origin.url}/list`, '--since', since);
    await said(watching, /check 1: 0 new, 0 changed, 1 deleted, 29 unchanged\n *- K0/);
    watching.child.kill('SIGTERM');
    expect(await watching.ended).toBe(0);
    expect(readdirSync(folder)).toContain('since.csv');
  });

  it('end with exit code 2 when the first one fails, and for what is no URL', async () => {
    serve('', { status: 404 });
    const failed = await runProgram(['watch', `${origin.url}/list`]);
    expect(failed).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('(http_error)') });
    for (const args of [
      ['list.csv'],
      [`${origin.url}/list`, '--every', '0s'],
      [`${origin.url}/list`, '--every', 'soon'],
      [`${origin.url}/list`, '--every', '25d'],
    ]) {
      expect(await runProgram(['watch', ...args])).toMatchObject({ code: 2, stdout: '' });
    }
  });
});
