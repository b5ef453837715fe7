// What commands say when something is wrong: in the terms of the command line, with advice that leads on.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { useListeningApi } from '../../support/api/listening-api.ts';
import { commitRows, createKey, createTestRecord } from '../../support/rows/factories.ts';
import { type CliUser, newCliUser } from './cli-user.ts';

const { api, baseUrl } = await useListeningApi();

let user: CliUser;
beforeAll(async () => {
  const recordId = await createTestRecord(api.db, api.accountId, { slug: 'prices' });
  await commitRows(api.db, recordId, { A1: '{"id":"A1","price":1}' }, ['id', 'price']);
});
beforeEach(() => {
  user = newCliUser({ RECORDWATCH_URL: baseUrl, RECORDWATCH_API_KEY: api.fullKey });
  onTestFinished(() => user.leave());
});

/** Runs a command that fails. @returns the exit code and what it said */
async function failed(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<[number, string]> {
  const { code, stdout, stderr } = await user.run(args, { env });
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^recordwatch: /);
  return [code, stderr];
}

describe('regression: faults are in terms of the options that were given', () => {
  it.each([
    [['rows', 'prices', '--filter', 'nope>=1'], /^recordwatch: --filter nope>= is not a column of this snapshot; it has/], // prettier-ignore
    [['tail', '--condition', '{">":[{"var":"nope"},1]}'], /^recordwatch: --condition at \//],
    [['tail', '--label', 'x'], /^recordwatch: --label /],
    [['records', 'create', 'https://example.com/a.csv', '--every', '1s'], /^recordwatch: --every, in minutes, must be at least/], // prettier-ignore
    [['records', 'create', 'https://example.com/a.csv', '--slug', 'No Slug'], /^recordwatch: --slug must be/],
    [['keys', 'create', 'x', '--expires', 'soon'], /^recordwatch: --expires must be/],
  ])('%j', async (args, words) => {
    const [code, stderr] = await failed(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });

  it('and of the API where a file has them', async () => {
    const settings = JSON.stringify({ headerRow: -1 });
    const args = ['records', 'create', 'https://example.com/a.csv', '--settings', '-'];
    const { stderr } = await user.run(args, { input: settings });
    expect(stderr).toMatch(/^recordwatch: \/headerRow must be/);
    expect((await user.run([...args, '--slug', '-'], { input: settings })).stderr).toMatch(
      /\n {2}\/headerRow must be .*\n {2}--slug must be|\n {2}--slug must be .*\n {2}\/headerRow must be/,
    );
    expect(await failed(['records', 'create', 'https://example.com/a.csv', '--settings', 'missing.json'])).toEqual(
      [2, 'recordwatch: missing.json: There is no such file.\n'],
    ); // prettier-ignore
  });
});

describe('regression: advice on what is not found names that thing', () => {
  const id = '0'.repeat(32);
  it.each([
    [['show', 'nope'], 'lists the records that this key reaches.\n'],
    [['rows', 'prices', '--snapshot', `snap_${id}`], 'Without --snapshot you get the latest version.\n'],
    [['export', 'prices', '--event', `evt_${id}`], '--event latest is the latest.\n'],
    [['webhooks', 'delete', 'prices', `wh_${id}`, '--yes'], 'and “recordwatch webhooks RECORD” the webhooks of one.\n'], // prettier-ignore
    [['webhooks', 'delete', '--account', `wh_${id}`, '--yes'], '“recordwatch webhooks” lists the webhooks of the account.\n'], // prettier-ignore
    [['keys', 'revoke', `key_${id}`, '--yes'], '“recordwatch keys” lists the keys of the account.\n'],
  ])('%j', async (args, advice) => {
    const [code, stderr] = await failed(args);
    expect(code).toBe(3);
    expect(stderr).toContain(advice);
  });
});

describe('regression: the key', () => {
  it('of the environment is named when it is refused', async () => {
    const { value, id } = await createKey(api.db, api.accountId, 'read');
    await api.call('DELETE', `/v1/apikeys/${id}`);
    const [code, stderr] = await failed(['records'], { RECORDWATCH_API_KEY: value });
    expect(code).toBe(4);
    expect(stderr).toContain('The key in RECORDWATCH_API_KEY is wrong, revoked or expired.');
    const login = await user.run(['login', '--url', baseUrl, '--with-token'], { input: value });
    expect(login).toMatchObject({ code: 4, stderr: expect.stringContaining(`recordwatch: ${baseUrl}: `) });
    expect(login.stderr).not.toContain('RECORDWATCH_API_KEY');
  });

  it('of the environment is sent unencrypted to this machine only, unless that is allowed', async () => {
    const away = { RECORDWATCH_URL: 'http://recordwatch.invalid' };
    const [code, stderr] = await failed(['records'], away);
    expect(code).toBe(2);
    expect(stderr).toMatch(/anyone on the way can read the key\.\n.*RECORDWATCH_ALLOW_HTTP=1/);
    expect((await failed(['records'], { ...away, RECORDWATCH_ALLOW_HTTP: '0' }))[0]).toBe(2);
    const allowed = await failed(['records'], { ...away, RECORDWATCH_ALLOW_HTTP: '1' });
    expect(allowed).toEqual([1, expect.stringContaining('http://recordwatch.invalid does not answer')]);
    const login = ['login', '--url', away.RECORDWATCH_URL, '--with-token'];
    expect((await failed(login))[1]).toContain('RECORDWATCH_ALLOW_HTTP=1');
    const ofAllowed = await user.run(login, { input: api.fullKey, env: { RECORDWATCH_ALLOW_HTTP: 'true' } });
    expect(ofAllowed.stderr).toMatch(/^recordwatch: http:\/\/recordwatch\.invalid does not answer/);
  });

  it('goes where a login has allowed it', async () => {
    mkdirSync(dirname(user.credentialsFile), { recursive: true });
    writeFileSync(user.credentialsFile, JSON.stringify({ url: 'http://recordwatch.invalid', apiKey: 'x' }));
    const env = { RECORDWATCH_URL: 'http://recordwatch.invalid/' };
    expect(await failed(['records'], env)).toEqual([1, expect.stringContaining('does not answer')]);
  });

  it('in a damaged file is told, and that file is replaced or deleted', async () => {
    const env = { RECORDWATCH_URL: '', RECORDWATCH_API_KEY: '' };
    const damage = (): void => {
      mkdirSync(dirname(user.credentialsFile), { recursive: true });
      writeFileSync(user.credentialsFile, '{"url":');
    };
    damage();
    const [code, stderr] = await failed(['records'], env);
    expect(code).toBe(2);
    expect(stderr).toMatch(/credentials\.json cannot be read, or is damaged\.\n {2}Log in with/);
    expect(await user.run(['logout'], { env })).toMatchObject({
      stdout: expect.stringContaining('Logged out.'),
    });
    damage();
    await user.run(['login', '--url', baseUrl, '--with-token'], { env, input: api.fullKey });
    expect(await user.run(['records'], { env })).toMatchObject({ code: 0 });
  });
});

it.each([
  ['show', ''],
  ['rows', ''],
  ['webhooks', 'test', 'prices', ''],
])('regression: %s %j is misuse', async (...args) => {
  // prettier-ignore
  const [code, stderr] = await failed(args);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^recordwatch: <(record|webhook)> must not be empty\.\n$/);
});

it.each([[['show', '..']], [['rows', 'prices', '--snapshot', '']]])(
  'regression: %j is misuse',
  async (args) => {
    expect((await failed(args))[0]).toBe(2);
  },
);

describe('regression: another server', () => {
  let url = '';
  const server = createServer((_request, response) => response.end('{"ok":true}'));
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server that listens on TCP has an AddressInfo.
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each([
    [['records']],
    [['show', 'prices']],
    [['whoami']],
    [['tail']],
    [['records', 'delete', 'prices', '--yes']],
    [['keys', 'create', 'x']],
  ])('is named as such: %j', async (args) => {
    expect(await failed(args, { RECORDWATCH_URL: url })).toEqual([
      1,
      `recordwatch: The service at ${url} did not answer as Recordwatch does. Check that its address is right. (unreadable)\n`,
    ]);
  });
});

it('regression: a gateway’s JSON with a number for a code is told without a crash', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(404).end('{"code":404,"detail":[1]}'),
  );
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await failed(['show', 'prices'], { RECORDWATCH_URL: `http://127.0.0.1:${port}` })).toEqual([
    3,
    'recordwatch: The server answered 404. (unreadable)\n  This is not an answer of Recordwatch. Check the address.\n',
  ]);
});

it('regression: faults beyond those of the service have the same form, and the exit code of failure', async () => {
  expect(await failed(['export', 'prices', '-o', 'missing/prices.csv'])).toEqual([
    1,
    expect.stringMatching(/^recordwatch: ENOENT: .*\n$/),
  ]);
  const { code, stderr } = await user.run(['webhooks', 'create', 'prices']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^recordwatch: /) });
});
