// Which hosts a URL of the user's may reach, and what of it is shown.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type * as promises from 'node:dns/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fetchUrl, guardFor } from '../../../cli/input/fetch-url.ts';
import { createScratch } from '../../../cli/input/scratch.ts';
import { shownUrl } from '../../../cli/input/shown-url.ts';
import { BodyFault } from '../../../cli/compare/version.ts';
import { isAllowedAddress } from '../../../core/network/address-policy.ts';
import { checkUrl } from '../../../core/network/origin-url.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';

// The resolver of the machine, which `guardFor` asks.
const dns = vi.hoisted(() => ({ answers: new Map<string, string[]>() }));
vi.mock('node:dns/promises', async (importOriginal) => {
  const real = await importOriginal<typeof promises>();
  const lookup = async (host: string): Promise<{ address: string; family: number }[]> => {
    const answers = dns.answers.get(host);
    if (answers === undefined) return real.lookup(host, { all: true });
    return answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { ...real, lookup };
});

const reaches = async (url: string, address: string): Promise<boolean> =>
  isAllowedAddress(address, 80, (await guardFor(new URL(url))).allowed);

describe('the guard', () => {
  it.each([
    'http://localhost:8000/x',
    'http://127.0.0.1/x',
    'http://[::1]/x',
    'http://10.1.2.3:9200/x',
    'http://169.254.169.254/',
  ])('lets the user name %s, and nothing leads from there to another private host', async (url) => {
    const { hostname } = new URL(url);
    const { allowed } = await guardFor(new URL(url));
    expect(checkUrl(url, allowed)).toHaveProperty('url');
    expect(checkUrl(`http://${hostname}:9000/elsewhere`, allowed)).toHaveProperty('url');
    for (const address of ['192.168.1.1', '10.0.0.5', 'fd00::1']) {
      expect(await reaches(url, address)).toBe(false);
    }
  });

  it.each(['http://localhost:8000/x', 'http://127.0.0.1/x', 'http://[::1]/x'])(
    'takes the names and addresses of loopback for one host: %s',
    async (url) => {
      for (const address of ['127.0.0.1', '::1']) expect(await reaches(url, address)).toBe(true);
    },
  );

  it.each([
    ['an intranet', 'http://wiki.corp:8080/x', ['10.0.0.5'], ['10.0.0.5'], ['10.0.0.6', '127.0.0.1']],
    [
      'a private host with a public name',
      'http://a.example.com/x',
      ['10.0.0.5'],
      ['10.0.0.5'],
      ['127.0.0.1'],
    ],
    ['a name of both kinds', 'http://b.example.com/x', ['93.184.216.34', '10.0.0.5'], [], ['10.0.0.5']],
    ['a host of one interface', 'http://nas.local/', ['fe80::1%eth0', '192.168.1.5'], ['192.168.1.5'], ['192.168.1.1']], // prettier-ignore
  ])(
    'regression: allows the addresses of %s only, and resolves it once',
    async (_what, url, answers, reached, refused) => {
      const { hostname } = new URL(url);
      dns.answers.set(hostname, answers);
      const { allowed, resolve } = await guardFor(new URL(url));
      for (const address of reached) expect(isAllowedAddress(address, 80, allowed)).toBe(true);
      for (const address of refused) expect(isAllowedAddress(address, 80, allowed)).toBe(false);
      dns.answers.set(hostname, ['127.0.0.1']);
      expect(await resolve(hostname)).toEqual(answers.filter((address) => !address.includes('%')));
      dns.answers.clear();
    },
  );

  it.each([
    'http://93.184.216.34/x',
    'https://93.184.216.34:8443/x',
    'http://93.184.216.34:22/',
    'http://[2606:2800:220:1::1]/x',
  ])('lets nobody lead from %s into a private network', async (url) => {
    for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1']) {
      expect(await reaches(url, address)).toBe(false);
    }
    expect(await reaches(url, '93.184.216.34')).toBe(true);
  });
});

it('shows neither credentials nor a query', () => {
  expect(shownUrl(new URL('https://user:secret@example.com:8443/a/b.csv?token=secret#x'))).toBe('https://example.com:8443/a/b.csv?…'); // prettier-ignore
});

describe('fetching', () => {
  let origin: Origin;
  const folder = mkdtempSync(join(tmpdir(), 'recordwatch-fetch-'));
  const scratch = { folder: () => folder, hold: () => undefined, remove: () => undefined };
  const { signal } = new AbortController();
  beforeAll(async () => {
    origin = await startOrigin();
  });
  afterAll(async () => {
    await origin.close();
    rmSync(folder, { recursive: true });
  });

  it('sends user name and password to the origin only', async () => {
    const other = await startOrigin();
    origin.set('/here', { redirectTo: `${other.url}/there` });
    other.set('/there', { body: 'id\n1\n' });
    const url = origin.url.replace('//', '//us%20er:pass%3Aword@');
    await fetchUrl(`${url}/here`, { scratch, signal });
    await other.close();
    const wanted = `Basic ${Buffer.from('us er:pass:word').toString('base64')}`;
    expect(origin.requests.at(-1)?.headers.authorization).toBe(wanted);
    expect(other.requests.at(-1)?.headers.authorization).toBeUndefined();
  });

  it('follows a redirect to another port of this machine, and none from there into a private network', async () => {
    const other = await startOrigin();
    other.set('/there', { body: 'id\n1\n' });
    origin.set('/here', { redirectTo: `${other.url.replace('127.0.0.1', 'localhost')}/there` });
    expect((await fetchUrl(`${origin.url}/here`, { scratch, signal })).status).toBe('ok');
    origin.set('/inside', { redirectTo: 'http://10.255.255.1/' });
    await expect(fetchUrl(`${origin.url}/inside`, { scratch, signal })).rejects.toMatchObject({
      fault: { code: 'redirect_not_allowed' },
    });
    await other.close();
    for (const file of readdirSync(folder)) rmSync(join(folder, file));
  });

  it('leaves no file after a fault, whose words have no credentials', async () => {
    rmSync(folder, { recursive: true });
    origin.set('/cut', { body: 'id\n1\n2\n', cutAfterBytes: 4 });
    const url = `${origin.url.replace('//', '//user:hunter2@')}/cut?key=hunter2`;
    const fault = await fetchUrl(url, { scratch, signal }).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(BodyFault);
    expect(`${JSON.stringify(fault)}${String(fault)}`).not.toContain('hunter2');
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('a scratch folder is only for its user, and goes when it is told to or when the process ends', () => {
  const scratch = createScratch();
  const on = vi.spyOn(process, 'once');
  const folder = scratch.folder();
  expect(on).toHaveBeenCalledWith('exit', expect.any(Function));
  expect(scratch.folder()).toBe(folder);
  expect(readdirSync(folder)).toEqual([]);
  scratch.remove();
  expect(() => readdirSync(folder)).toThrow('ENOENT');
  on.mockRestore();
});
