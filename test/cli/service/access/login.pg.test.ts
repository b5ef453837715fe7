// `recordwatch login` through the browser: the command as a process against the real API, and a person who answers.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineName } from '../../../../cli/service/access/ask-in-browser.ts';
import { useListeningApi } from '../../../support/api/listening-api.ts';
import { createTestRecord } from '../../../support/rows/factories.ts';
import { newDashboardToken } from '../../../support/rows/new-dashboard-token.ts';
import { until } from '../../../support/until.ts';
import { type CliUser, newCliUser, type Running, untilSaid } from '../cli-user.ts';

const { api, baseUrl } = await useListeningApi();

let user: CliUser;
beforeEach(async () => {
  user = newCliUser();
  await createTestRecord(api.db, api.accountId);
});
afterEach(() => user.leave());

/** Starts the command, and waits until it shows its code. */
async function startLogin(...args: string[]): Promise<Running & { link: string; userCode: string }> {
  const running = user.start('login', '--url', baseUrl, ...args);
  await untilSaid(running, 'Waiting for your answer');
  const [link = ''] = /http\S+/.exec(running.stderr) ?? [];
  const [userCode = ''] = /^ {2}\w{4}-\w{4}$/m.exec(running.stderr) ?? [];
  return Object.assign(running, { link, userCode: userCode.trim() });
}

async function answer(body: object): Promise<void> {
  const { token } = await newDashboardToken(api.db, api.accountId);
  const { status } = await api.call('POST', '/v1/key-requests/answer', { key: token, body });
  expect(status).toBe(204);
}

const storedKey = (): string => JSON.parse(readFileSync(user.credentialsFile, 'utf8')).apiKey;

describe('login', () => {
  it('shows a code and a link, and stores the key when the person has allowed it', async () => {
    const running = await startLogin('--no-browser');
    const { link, userCode } = running;
    expect(link).toBe(`${baseUrl}/dashboard/allow-login?code=${userCode}`);
    await answer({ userCode, answer: 'allow', scope: 'full' });
    expect(await running.ended).toBe(0);
    expect(running.stdout).toMatch(/^Logged in\.\n.*\nKey +cat_live_….*, of an account, scope full\n/);
    const key = storedKey();
    expect(`${running.stdout}${running.stderr}`).not.toContain(key);
    expect(statSync(user.credentialsFile).mode & 0o777).toBe(0o600);
    const { stdout } = await user.run(['keys', '--json']);
    const { apiKeys } = JSON.parse(stdout);
    expect(apiKeys[0]).toMatchObject({
      name: expect.stringMatching(/^recordwatch on \w/),
      last4: key.slice(-4),
    });
  });

  it('gets a key that only reads, and prints one document with --json', async () => {
    const running = await startLogin('--no-browser', '--json');
    await answer({ userCode: running.userCode, answer: 'allow' });
    expect(await running.ended).toBe(0);
    expect(JSON.parse(running.stdout)).toMatchObject({ url: baseUrl, kind: 'account', scope: 'read' });
  });

  it('says that it was refused, and stores nothing', async () => {
    const running = await startLogin('--no-browser');
    await answer({ userCode: running.userCode, answer: 'refuse' });
    expect(await running.ended).toBe(1);
    expect(running.stderr).toContain('recordwatch: The login was refused in the dashboard.');
    expect(existsSync(user.credentialsFile)).toBe(false);
  });

  it('says that its time is over, and stores nothing', async () => {
    const running = await startLogin('--no-browser');
    const { userCode } = running;
    await api
      .db('key_requests')
      .where({ userCode })
      .update({ expiresAt: new Date(0) });
    expect(await running.ended).toBe(1);
    expect(running.stderr).toMatch(/Nobody allowed the login in time.*\n {2}Run “recordwatch login” again/);
    expect(existsSync(user.credentialsFile)).toBe(false);
  });

  it('tells a service that does not answer, and sends nothing unencrypted to another machine', async () => {
    const offline = await user.run(['login', '--url', 'http://127.0.0.1:9']);
    expect(offline).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^recordwatch: http:\/\/127\.0\.0\.1:9 does not answer: .* \(unreachable\)/) }); // prettier-ignore
    const open = await user.run(['login', '--url', 'http://recordwatch.example']);
    expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow-http') });
    const both = await user.run(['login', '--url', baseUrl, '--paste', '--with-token']);
    expect(both.code).toBe(2);
  });
});

describe('the browser', () => {
  /** A user whose system notes which address it is to open. */
  async function withDesktop(env: NodeJS.ProcessEnv): Promise<string> {
    await user.leave();
    user = newCliUser({ DISPLAY: ':0', ...env });
    const programs = join(user.folder, 'bin');
    const opened = join(user.folder, 'opened');
    mkdirSync(programs);
    writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`); // prettier-ignore
    chmodSync(join(programs, 'xdg-open'), 0o755);
    Object.assign(user.env, { PATH: [programs, process.env['PATH']].join(delimiter) });
    return opened;
  }

  it.runIf(process.platform === 'linux')('is opened at the link where there is a desktop', async () => {
    const opened = await withDesktop({});
    const { link } = await startLogin();
    await until('the link is opened', () => existsSync(opened));
    expect(readFileSync(opened, 'utf8')).toBe(link);
  });

  it.each([
    ['with --no-browser', ['--no-browser'], {}],
    ['over SSH', [], { SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' }],
  ])('stays closed %s', async (_when, args, env) => {
    const opened = await withDesktop(env);
    const running = await startLogin(...args);
    await answer({ userCode: running.userCode, answer: 'refuse' });
    await running.ended;
    expect(existsSync(opened)).toBe(false);
  });
});

it.each([
  ['ada-laptop.local', 'ada-laptop.local'],
  ['Ada’s Mac', 'Ada-s-Mac'],
  ['–_x', 'x'],
  ['ü', 'unnamed'],
  ['a'.repeat(80), 'a'.repeat(63)],
])('the machine %j is called %s', (name, said) => {
  expect(machineName(name)).toBe(said);
});
