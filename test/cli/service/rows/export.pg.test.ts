// `export` against the real API, and through a proxy that breaks off.
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { useListeningApi } from '../../../support/api/listening-api.ts';
import { commitRows, createKey, createTestRecord } from '../../../support/rows/factories.ts';
import { until } from '../../../support/until.ts';
import { type CliUser, newCliUser, type Running } from '../cli-user.ts';

const { api, baseUrl } = await useListeningApi();

let user: CliUser;
let server: Server;
/** How many downloads break off in the middle. */
let breaks = 0;
let downloads = 0;
/** What a proxy answers in place of the service. */
let page: string | undefined;
/** How the service answers what is no download. */
let fault: number | undefined;
/** How many requests a proxy answers with a 404 of its own after a break, as while the service restarts. */
let away = 0;
/** A connection just ends where it breaks off, as through a proxy of HTTP/1.0. */
let isSilent = false;
/** A proxy strips the entity tags. */
let isBare = false;
/** What happens when one breaks off. */
let onBreak = async (): Promise<unknown> => undefined;
const rows = (price: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`K${at}`, `{"id":"K${at}","price":${price}}`]));
let recordId: string;
beforeAll(async () => {
  server = createServer((request, response) => void pass(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  recordId = await createTestRecord(api.db, api.accountId, { slug: 'prices' });
  await commitRows(api.db, recordId, rows(1));
  await commitRows(api.db, recordId, { ...rows(1), K7: '{"id":"K7","price":2}' });
  user = newCliUser({
    RECORDWATCH_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    RECORDWATCH_API_KEY: (await createKey(api.db, api.accountId, 'download', recordId)).value,
  });
});
async function pass({ url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (page !== undefined) return void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  if (downloads > 0 && away > 0) {
    away -= 1;
    return void response.writeHead(404).end('404 page not found');
  }
  const isDownload = url.includes('/download');
  if (fault !== undefined && !isDownload) return void response.writeHead(fault).end(`{"code":"c${fault}"}`);
  const { authorization = '' } = headers;
  const answer = await fetch(`${baseUrl}${url}`, {
    headers: { authorization, 'accept-encoding': 'identity' },
  });
  const body = Buffer.from(await answer.arrayBuffer());
  if (isDownload) downloads += 1;
  const sent = [...answer.headers].filter(([name]) => !isBare || name !== 'etag');
  response.writeHead(answer.status, sent.flat());
  if (!isDownload || downloads > breaks) return void response.end(body);
  // Each ends at another offset, within a row too.
  const partBytes = Math.min(body.length - 1, Math.floor(body.length / 2) + 7 * downloads);
  response.flushHeaders();
  await onBreak();
  if (isSilent) response.end(body.subarray(0, partBytes));
  else response.write(body.subarray(0, partBytes), () => response.destroy());
}

afterEach(() => {
  [breaks, downloads, away, isSilent, isBare, page, fault] = [0, 0, 0, false, false, undefined, undefined];
  onBreak = async () => undefined;
});
afterAll(async () => {
  server.close();
  await user.leave();
});

const fileText = (name: string): string => readFileSync(join(user.folder, name), 'utf8');
async function download(query = ''): Promise<string> {
  const headers = { authorization: `Bearer ${api.fullKey}` };
  return (await fetch(`${baseUrl}/v1/sources/prices/snapshots/latest/download${query}`, { headers })).text();
}

it('writes the file of the service, which a key for downloads may have', async () => {
  expect(await user.run(['export', 'self', '-o', 'list.csv'])).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(/^list\.csv: \d/) }); // prettier-ignore
  expect(fileText('list.csv')).toBe(await download());
  const named = await user.run(['export', 'self', '--format', 'jsonl', '--json']);
  const { file, bytes } = JSON.parse(named.stdout);
  expect(file).toMatch(/^prices-2-.*\.jsonl$/);
  expect(fileText(file)).toBe(await download('?format=jsonl'));
  expect(bytes).toBe(fileText(file).length);
  const filtered = await user.run(['export', 'self', '-o', '-', '--filter', 'price=2']);
  expect(filtered).toEqual({ code: 0, stdout: 'id,price\nK7,2\n', stderr: '' });
});

it('writes the rows of a change', async () => {
  const env = { RECORDWATCH_API_KEY: api.fullKey, RECORDWATCH_URL: baseUrl };
  const { stdout } = await user.run(['export', 'prices', '--event', 'latest', '-o', '-'], { env });
  expect((await user.run(['export', 'prices', '--event', 'latest', '--filter', 'id=1'])).code).toBe(2);
  expect(stdout).toBe('change_type,row,key,id,price\nchanged,before,K7,K7,1\nchanged,after,K7,K7,2\n');
});

it.each(['csv', 'jsonl'])(
  'continues when the connection breaks off, with each row once: %s',
  async (format) => {
    const whole = await download(`?format=${format}`);
    breaks = 9;
    const target = ['--format', format, '-o'];
    expect(await user.run(['export', 'self', ...target, `on.${format}`])).toMatchObject({ code: 0 });
    expect(downloads).toBe(10);
    expect(fileText(`on.${format}`)).toBe(whole);
    downloads = 0;
    expect(await user.run(['export', 'self', ...target, '-'])).toEqual({
      code: 0,
      stdout: whole,
      stderr: '',
    });
    expect(downloads).toBe(10);
  },
);

it('regression: waits while the service restarts', async () => {
  const whole = await download();
  [breaks, away] = [2, 3];
  expect(await user.run(['export', 'self', '-o', 'restart.csv'])).toMatchObject({ code: 0 });
  expect([downloads, away]).toEqual([3, 0]);
  expect(fileText('restart.csv')).toBe(whole);
});

it.each(['csv', 'jsonl'])(
  'regression: a %s file whose connection just ends is not complete',
  async (format) => {
    [breaks, isSilent] = [2, true];
    const env = { RECORDWATCH_API_KEY: api.fullKey };
    const name = `silent.${format}`;
    expect(await user.run(['export', 'prices', '--format', format, '-o', name], { env })).toMatchObject({
      code: 0,
    });
    expect(downloads).toBe(3);
    expect(fileText(name)).toBe(await download(`?format=${format}`));
  },
);

it('regression: ends when a proxy strips what tells files apart', async () => {
  isBare = true;
  const env = { RECORDWATCH_API_KEY: api.fullKey };
  for (const output of ['bare.csv', '-']) {
    [breaks, downloads] = [Infinity, 0];
    const failed = await user.run(['export', 'prices', '-o', output], { env });
    const stderr = expect.stringContaining('The connection broke off before the file was complete.');
    expect(failed).toMatchObject({ code: 1, stderr });
    expect(downloads).toBe(2);
  }
  expect(readdirSync(user.folder).filter((name) => name.includes('bare'))).toEqual([]);
});

it('regression: leaves no file when its terminal is closed', async () => {
  let exporting: Running | undefined;
  breaks = 1;
  // It ends while the file is half written.
  onBreak = async () => {
    await until('there is a part', () =>
      readdirSync(user.folder).some((name) => /^hung\.csv\.[\da-f-]{36}\.part$/.test(name)),
    );
    exporting?.child.kill('SIGHUP');
    await exporting?.ended;
  };
  exporting = user.start('export', 'self', '-o', 'hung.csv');
  expect(await exporting.ended).toBe(130);
  expect(readdirSync(user.folder).filter((name) => name.includes('hung'))).toEqual([]);
});

it('never leaves half a file when the service refuses to continue', async () => {
  const { id, value } = await createKey(api.db, api.accountId, 'download', recordId);
  const env = { RECORDWATCH_API_KEY: value };
  onBreak = () => api.call('DELETE', `/v1/sources/prices/apikeys/${id}`);
  for (const output of ['half.csv', '-']) {
    [breaks, downloads] = [1, 0];
    const failed = await user.run(['export', 'self', '-o', output], { env });
    expect(failed).toMatchObject({ code: 4, stderr: expect.stringContaining('(unauthenticated)') });
  }
  expect(readdirSync(user.folder).filter((name) => name.includes('half'))).toEqual([]);
});

let price = 2;
async function record(): Promise<void> {
  price += 1;
  await commitRows(api.db, recordId, { ...rows(1), K7: `{"id":"K7","price":${price}}`, K299: `{"id":"K299","price":${price}}` }); // prettier-ignore
}

it('never joins two versions when one is recorded while the connection is broken', async () => {
  const before = await download();
  breaks = 1;
  onBreak = record;
  // A key that reads finds the version’s id, and gets that version.
  const env = { RECORDWATCH_API_KEY: api.fullKey };
  expect(await user.run(['export', 'prices', '-o', '-'], { env })).toMatchObject({ code: 0, stdout: before });
  // A key for downloads alone does not find it. The file is the newer version, as a whole.
  downloads = 0;
  expect(await user.run(['export', 'self', '-o', 'newer.csv'])).toMatchObject({ code: 0 });
  expect(fileText('newer.csv')).toBe(await download());
  // What was sent to standard output is not taken back.
  downloads = 0;
  const piped = await user.run(['export', 'self', '-o', '-']);
  expect(piped).toMatchObject({ code: 1, stderr: expect.stringContaining('there is a newer version') });
  expect(fileText('newer.csv')).toContain(piped.stdout);
});

it('regression: begins three times again at most', async () => {
  [breaks, onBreak] = [Infinity, record];
  const failed = await user.run(['export', 'self', '-o', 'restless.csv']);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('there is a newer version') });
  // Each time one that breaks off, and one that is of another version.
  expect(downloads).toBe(8);
  expect(existsSync(join(user.folder, 'restless.csv'))).toBe(false);
});

it('regression: takes no page of a login for a file', async () => {
  page = '<h1>Sign in</h1>';
  for (const output of ['page.csv', '-']) {
    expect(await user.run(['export', 'self', '-o', output, '--event', 'latest'])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('did not answer as Recordwatch does.'),
    });
    expect(await user.run(['export', 'self', '-o', output])).toMatchObject({ code: 1, stdout: '' });
  }
  expect(existsSync(join(user.folder, 'page.csv'))).toBe(false);
});

it.each([500, 404])(
  'regression: writes no file of a version that it could not look up: %i',
  async (status) => {
    fault = status;
    const failed = await user.run(['export', 'self', '-o', 'blind.csv']);
    expect(failed).toMatchObject({ stderr: expect.stringContaining(`(c${status})`) });
    expect([downloads, failed.code]).toEqual([0, status === 404 ? 3 : 1]);
  },
);

it('replaces no file unless told to', async () => {
  writeFileSync(join(user.folder, 'mine.csv'), 'mine');
  expect(await user.run(['export', 'self', '-o', 'mine.csv'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') }); // prettier-ignore
  expect(fileText('mine.csv')).toBe('mine');
  expect((await user.run(['export', 'self', '-o', 'mine.csv', '--force'])).code).toBe(0);
  expect(fileText('mine.csv')).toBe(await download());
});

it('regression: replaces no file that is made during the download', async () => {
  breaks = 1;
  onBreak = async () => writeFileSync(join(user.folder, 'meanwhile.csv'), 'mine');
  const refused = await user.run(['export', 'self', '-o', 'meanwhile.csv']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('There is a file meanwhile.csv.') }); // prettier-ignore
  expect(readdirSync(user.folder).filter((name) => name.includes('meanwhile'))).toEqual(['meanwhile.csv']);
  expect(fileText('meanwhile.csv')).toBe('mine');
});

it('regression: replaces no pipe and no device, and leaves a link in its place', async () => {
  const path = (name: string): string => join(user.folder, name);
  execFileSync('mkfifo', [path('pipe')]);
  for (const force of [[], ['--force']]) {
    const refused = await user.run(['export', 'self', '-o', 'pipe', ...force]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('pipe is there, and is not a file.') }); // prettier-ignore
  }
  expect(lstatSync(path('pipe')).isFIFO()).toBe(true);
  writeFileSync(path('target.csv'), 'old');
  symlinkSync('target.csv', path('link.csv'));
  expect((await user.run(['export', 'self', '-o', 'link.csv', '--force'])).code).toBe(0);
  expect(lstatSync(path('link.csv')).isSymbolicLink()).toBe(true);
  expect(fileText('target.csv')).toBe(await download());
});

it('regression: leaves a link in its place that leads to no file', async () => {
  const path = (name: string): string => join(user.folder, name);
  symlinkSync('absent.csv', path('next.csv'));
  symlinkSync('next.csv', path('dangling.csv'));
  const refused = await user.run(['export', 'self', '-o', 'dangling.csv']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('There is a file dangling.csv.') }); // prettier-ignore
  [breaks, downloads] = [1, 0];
  onBreak = async () => symlinkSync('absent.csv', path('late.csv'));
  expect((await user.run(['export', 'self', '-o', 'late.csv'])).code).toBe(2);
  expect(existsSync(path('absent.csv'))).toBe(false);
  expect((await user.run(['export', 'self', '-o', 'dangling.csv', '--force'])).code).toBe(0);
  for (const link of ['dangling.csv', 'next.csv', 'late.csv'])
    expect(lstatSync(path(link)).isSymbolicLink()).toBe(true);
  expect(fileText('absent.csv')).toBe(await download());
});

it('shows a progress bar on a terminal, and only there', async () => {
  const env = { RECORDWATCH_API_KEY: api.fullKey };
  const shown = await user.runInTerminal(['export', 'prices', '-o', 'bar.csv'], { env });
  expect(shown.stdout).toMatch(/\[#{30}\] 100 % {2}[\d.]+ kB, [\d.]+ .?B\/s/);
  expect(existsSync(join(user.folder, 'bar.csv'))).toBe(true);
});
