// The package for users, built and packed as for a release, installed in an empty folder without a network, and run under each
// version of Node that it supports.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installNode } from '../../support/servers/node-versions.ts';
import { useListeningApi } from '../../support/api/listening-api.ts';
import { commitRows, createTestRecord } from '../../support/rows/factories.ts';
import { runProgram } from '../../support/servers/run-program.ts';

const { api, baseUrl } = await useListeningApi();
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'recordwatch-package-'));
const home = join(folder, 'empty');
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  mkdirSync(home);
  const tool = fileURLToPath(new URL('../../../tools/client-package/build-package.ts', import.meta.url));
  await run(process.execPath, [tool, join(folder, 'package')]);
  const { stdout } = await run('npm', ['pack', '--json', join(folder, 'package')], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout);
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  // An empty cache and no network: nothing but the package may be needed.
  const offline = ['--offline', '--cache', join(folder, 'cache')];
  await run('npm', ['install', ...offline, join(folder, filename)], { cwd: home });
  const recordId = await createTestRecord(api.db, api.accountId, { slug: 'prices' });
  await commitRows(api.db, recordId, { A1: '{"id":"A1","price":12345678901234567890}' });
  writeFileSync(join(home, 'old.csv'), 'id,price\nA1,3.20\nB2,4.00\n');
  writeFileSync(join(home, 'new.csv'), 'id,price\nA1,3.50\nB2,4.00\n');
});

const program = (): string => join(home, 'node_modules/.bin/recordwatch');

it('is all that gets installed', () => {
  expect(readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'recordwatch',
  ]);
  const manifest = JSON.parse(readFileSync(join(home, 'node_modules/recordwatch/package.json'), 'utf8'));
  const root = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(manifest.version).toBe(root.version);
  expect(manifest.dependencies).toBeUndefined();
});

it('brings the licences of the libraries within it, and nothing of the server', () => {
  const folder = join(home, 'node_modules/recordwatch');
  const licences = readFileSync(join(folder, 'LICENCES.txt'), 'utf8');
  expect(licences.match(/^[@a-z/-]+(?:\.js)? \d+\.\d+\.\d+$/gm)?.map((line) => line.split(' ')[0])).toEqual([
    '@exodus/bytes',
    'commander',
    'entities',
    'env-paths',
    'ipaddr.js',
    'is-safe-filename',
    'undici',
  ]);
});

describe.each(['22', '24'])('under Node %s', (version) => {
  let command: [string, ...string[]];
  beforeAll(async () => {
    command = [version === '24' ? process.execPath : await installNode(version), program()];
  });

  it('runs', () => {
    const answer = execFileSync(command[0], ['--version'], { encoding: 'utf8' });
    expect(answer).toMatch(new RegExp(`^v${version}[.]`));
  });

  it('compares files, with the exit codes of diff(1)', async () => {
    const found = await runProgram(['diff', 'old.csv', 'new.csv'], { cwd: home }, command);
    expect(found).toMatchObject({ code: 1, stderr: '' });
    expect(found.stdout).toContain('~ A1  price: “3.20” → “3.50”');
    expect(await runProgram(['diff', 'old.csv', 'old.csv', '-q'], { cwd: home }, command)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(await runProgram(['diff', 'old.csv', 'none.csv'], { cwd: home }, command)).toMatchObject({
      code: 2,
    });
  });

  it('fetches a URL', async () => {
    const server = createServer((_request, response) => response.end('id,price\nA1,3.20\n')).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`;
    const found = await runProgram(['diff', url, '--since', 'old.csv'], { cwd: home }, command);
    server.close();
    expect(found).toMatchObject({ code: 1, stderr: '' });
    expect(found.stdout).toContain('- B2  price “4.00”');
  });

  it('logs in to a service, and lists its records and rows', async () => {
    const options = { cwd: home, env: { HOME: home, XDG_CONFIG_HOME: join(home, `config-${version}`) } };
    const login = ['login', '--url', baseUrl, '--with-token'];
    const done = await runProgram(login, { ...options, input: api.fullKey }, command);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const records = await runProgram(['records', '--json'], options, command);
    expect(records).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(records.stdout)).toMatchObject({ count: 1, sources: [{ slug: 'prices' }] });
    const rows = await runProgram(['rows', 'prices'], options, command);
    expect(rows).toEqual({ code: 0, stdout: 'A1\t12345678901234567890\n', stderr: '' });
  });

  it('tells its version and its commands, and has none for operators', async () => {
    const { version: own } = JSON.parse(
      readFileSync(join(home, 'node_modules/recordwatch/package.json'), 'utf8'),
    );
    expect(await runProgram(['--version'], { cwd: home }, command)).toEqual({
      code: 0,
      stdout: `${own}\n`,
      stderr: '',
    });
    const help = await runProgram(['--help'], { cwd: home }, command);
    expect(help.stdout).toMatch(/diff [^]*watch [^]*git-diff /);
    const operator = await runProgram(['operator', 'account', 'list'], { cwd: home }, command);
    expect(operator).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('installation of the server'),
    });
  });
});
