// The contents of a run's folder: secrets that are created once, settings of its processes, and ports.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { childSettings, settingsHelp } from '../../../cli/start/child-settings.ts';
import { writeDevFile, type DevFile } from '../../../cli/process/dev-file.ts';
import { openHome } from '../../../cli/start/home.ts';
import { claimPorts } from '../../../cli/start/ports.ts';
import { openRun } from '../../../cli/start/run.ts';
import { parseConfig, SETTINGS } from '../../../core/config.ts';
import { close, listen } from '../../../demo/http-server.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';

const ADDRESSES = {
  apiPort: 8123,
  databaseUrl: 'postgres://db',
  temporalAddress: '127.0.0.1:7233',
  temporalUiUrl: 'http://127.0.0.1:8233',
  originUrl: 'http://127.0.0.1:8090/licences.csv',
};

beforeEach(() => {
  // Port claims are in the user's cache folder.
  vi.stubEnv('XDG_CACHE_HOME', temporaryFolder());
  return () => vi.unstubAllEnvs();
});

test('a secret is created once, and readable by its owner only', () => {
  const home = openHome(join(temporaryFolder(), 'home'));
  const secret = home.keep('secret', () => randomBytes(8).toString('hex'));
  expect(home.keep('secret', () => 'another')).toBe(secret);
  expect(statSync(home.file('secret')).mode & 0o777).toBe(0o600);
});

test('the processes get consistent settings, and the same keys at every start', () => {
  const home = openHome(temporaryFolder());
  const settings = childSettings({}, home, ADDRESSES);
  const config = parseConfig(settings);
  expect(config.port).toBe(8123);
  expect(config.baseUrl).toBe('http://127.0.0.1:8123');
  expect(config.temporalUiUrl).toBe('http://127.0.0.1:8233');
  expect(config.operatorEmails).toEqual(['demo@recordwatch.local']);
  expect(childSettings({}, home, { ...ADDRESSES, temporalUiUrl: null })).not.toHaveProperty(
    'TEMPORAL_UI_URL',
  );
  expect(config.allowAddresses).toEqual(['127.0.0.0/8', '::1/128']);
  expect(config.anonymousAddresses).toEqual(['127.0.0.1:8090']);
  expect(config.keyEncryptionKeys.size).toBe(1);
  expect(childSettings({}, home, ADDRESSES)).toEqual(settings);
});

test('settings of the shape that is started replace those of one machine, and the user’s replace both', () => {
  const home = openHome(temporaryFolder());
  const delayOf = (env: Record<string, string>, defaults?: Record<string, string>) =>
    parseConfig(childSettings(env, home, ADDRESSES, defaults)).shutdownDelaySeconds;
  const shape = { SHUTDOWN_DELAY_SECONDS: '3' };
  expect([delayOf({}), delayOf({}, shape), delayOf({ SHUTDOWN_DELAY_SECONDS: '7' }, shape)]).toEqual([
    0, 3, 7,
  ]);
});

test('the user’s settings take precedence, and an empty value counts as unset', () => {
  const home = openHome(temporaryFolder());
  const keys = `mine:${randomBytes(32).toString('base64')}`;
  const given = {
    KEY_ENCRYPTION_KEYS: keys,
    MIN_CHECK_SECONDS: '60',
    ALLOW_ADDRESSES: '',
    BASE_URL: 'https://x.test',
  };
  const settings = childSettings(given, home, ADDRESSES);
  expect(settings).toMatchObject({ ...given, ALLOW_ADDRESSES: '127.0.0.0/8,::1/128' });
  expect(existsSync(home.file('key-encryption-keys'))).toBe(false);
});

test('ports are remembered, and a taken one is replaced', async () => {
  const file = join(temporaryFolder(), 'ports.json');
  const server = createServer();
  onTestFinished(() => close(server));
  const taken = await listen(server, 0);
  writeFileSync(file, JSON.stringify({ postgres: taken }));
  const claims = new DisposableStack();
  const ports = await claimPorts(file, undefined, claims);
  expect(ports.postgres).toBeGreaterThan(taken);
  expect(new Set(Object.values(ports)).size).toBe(7);
  claims.dispose();
  using again = new DisposableStack();
  expect(await claimPorts(file, undefined, again)).toEqual(ports);
});

test('a taken port that the user requested is an error that names it', async () => {
  const server = createServer();
  onTestFinished(() => close(server));
  const taken = await listen(server, 0);
  using claims = new DisposableStack();
  await expect(claimPorts(join(temporaryFolder(), 'ports.json'), taken, claims)).rejects.toThrow(
    `Port ${taken}, which PORT asks for, is taken`,
  );
});

test('a folder has one run at a time, and is free when the run ends', async () => {
  const folder = temporaryFolder();
  const first = await openRun(folder, new AbortController());
  const second = openRun(folder, new AbortController(), { patienceMs: 0 });
  await expect(second).rejects.toThrow(`Recordwatch runs already in ${folder}`);
  await first.stack.disposeAsync();
  const third = await openRun(folder, new AbortController());
  expect(third.pids()).toEqual({ runner: process.pid });
  await third.stack.disposeAsync();
});

test('dev.json is readable by its owner only and removed with the run', () => {
  const path = join(temporaryFolder(), 'dev.json');
  const content: DevFile = {
    baseUrl: 'http://127.0.0.1:8080',
    dashboardUrl: null,
    apiKey: 'cat_live_x',
    accountId: 'acc_1',
    databaseUrl: 'postgres://db',
    temporalAddress: '127.0.0.1:7233',
    temporalNamespace: 'default',
    temporalUiUrl: 'http://127.0.0.1:8233',
    temporalDatabaseUrl: null,
    blobStore: '',
    demo: { originUrl: 'http://127.0.0.1:8090/licences.csv', sourceId: 'src_1' },
    pids: { runner: 1 },
  };
  const file = writeDevFile(path, content);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(content);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  file[Symbol.dispose]();
  expect(existsSync(path)).toBe(false);
});

test('the help names every setting', () => {
  const help = settingsHelp();
  for (const { name } of Object.values(SETTINGS)) expect(help).toContain(`  ${name} `);
});
