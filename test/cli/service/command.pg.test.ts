// The commands that talk to a service, as processes against the real API.
import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useListeningApi } from '../../support/api/listening-api.ts';
import { commitRows, createKey, createTestRecord } from '../../support/rows/factories.ts';
import { type CliUser, newCliUser } from './cli-user.ts';

const { api, baseUrl } = await useListeningApi();

const URL_OF_PRICES = 'https://example.com/lists/of/a/shop/prices.csv';

let user: CliUser;
let recordId: string;
beforeAll(async () => {
  user = newCliUser();
  recordId = await createTestRecord(api.db, api.accountId, {
    slug: 'prices',
    name: 'Shop prices',
    url: URL_OF_PRICES,
  });
  const row = (id: string, price: string): string => `{"id":"${id}","price":${price}}`;
  await commitRows(api.db, recordId, { A1: row('A1', '"3.20"'), B2: row('B2', '4.10') });
  await commitRows(api.db, recordId, { A1: row('A1', '"3.50"'), C3: row('C3', '12345678901234567890') });
});
afterAll(async () => user.leave());

/** The parsed output of a command with --json. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await user.run([...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('login', () => {
  it('is asked for by the other commands', async () => {
    expect(await user.run(['records'])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^recordwatch: No service is named\.\n {2}Log in with “recordwatch login --url/,
      ),
    });
  });

  it('stores nothing that does not work', async () => {
    const login = (input: string, url = baseUrl) =>
      user.run(['login', '--url', url, '--with-token'], { input });
    expect(await login('secret\n')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/not an API key\.\n.*cat_live_/) }); // prettier-ignore
    const { value: revoked, id } = await createKey(api.db, api.accountId, 'full');
    await api.call('DELETE', `/v1/apikeys/${id}`);
    const refused = await login(revoked);
    expect(refused).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/\(unauthenticated\)\n.*recordwatch login/),
    });
    expect(await login(api.fullKey, 'http://recordwatch.example')).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow-http') }); // prettier-ignore
    expect(await user.run(['login'], { input: api.fullKey })).toMatchObject({ code: 2, stderr: expect.stringContaining('--url') }); // prettier-ignore
    expect(await user.run(['login', '--paste', '--url', baseUrl])).toMatchObject({ code: 2, stderr: expect.stringContaining('--with-token <') }); // prettier-ignore
    expect(() => statSync(user.credentialsFile)).toThrow('ENOENT');
  });

  it('takes a pasted key without showing it, and stores it for its owner alone', async () => {
    const done = await user.runInTerminal(['login', '--paste', '--url', `${baseUrl}/`], {
      prompt: 'Paste the key',
      typed: `${api.fullKey}\r`,
    });
    expect(done.stdout).toContain(`${baseUrl}/dashboard/developer`);
    expect(done.stdout).toContain(`cat_live_…${api.fullKey.slice(-4)}, of an account, scope full`);
    expect(done.stdout).not.toContain(api.fullKey);
    expect(done.code).toBe(0);
    expect(statSync(user.credentialsFile).mode & 0o777).toBe(0o600);
    const stored = JSON.parse(readFileSync(user.credentialsFile, 'utf8'));
    expect(stored).toEqual({ url: baseUrl, apiKey: api.fullKey });
  });

  it('says who a key is, whatever its scope', async () => {
    expect(await json('whoami')).toMatchObject({
      kind: 'account',
      scope: 'full',
      keyFrom: user.credentialsFile,
    });
    const who = async (key: string) => {
      const { stdout } = await user.run(['whoami', '--json'], { env: { RECORDWATCH_API_KEY: key } });
      expect(stdout).not.toContain(key);
      return JSON.parse(stdout);
    };
    const reader = await createKey(api.db, api.accountId, 'read');
    expect(await who(reader.value)).toMatchObject({ kind: 'account', scope: 'read', tier: 'watch' });
    const downloader = await createKey(api.db, api.accountId, 'download', recordId);
    expect(await who(downloader.value)).toMatchObject({ kind: 'record', scope: 'download', records: null });
    const ofRecord = await createKey(api.db, api.accountId, 'read', recordId);
    expect(await who(ofRecord.value)).toMatchObject({ kind: 'record', scope: 'read', sourceSlug: 'prices' });
  });

  it('keeps a stored key from another service', async () => {
    const env = { RECORDWATCH_URL: 'http://127.0.0.1:9' };
    expect(await user.run(['records'], { env })).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no key for http://127.0.0.1:9') }); // prettier-ignore
    const both = { ...env, RECORDWATCH_API_KEY: api.fullKey };
    expect(await user.run(['keys', 'revoke', 'key_1', '--yes'], { env: both })).toMatchObject({ code: 1, stderr: expect.stringMatching(/does not answer.*\(unreachable\)/) }); // prettier-ignore
  });
});

describe('records', () => {
  it('are listed with their state, in columns for programs and as JSON', async () => {
    const { stdout } = await user.run(['records']);
    expect(stdout.split('\t')).toEqual([
      'prices',
      'good',
      '2',
      expect.stringMatching(/Z$/),
      '',
      `${URL_OF_PRICES}\n`,
    ]);
    expect(await json('records', '--search', 'Shop')).toMatchObject({ count: 1, hasMore: false, sources: [{ slug: 'prices' }] }); // prettier-ignore
    expect(await json('records', '--label', 'team:data')).toMatchObject({ count: 0, sources: [] });
    expect(await user.run(['records', '--label', 'team:data'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await json('records', '--failing')).toMatchObject({ count: 0 });
  });

  it('are a table with headings that fits a terminal', async () => {
    const { stdout } = await user.runInTerminal(['records']);
    const lines = stdout.trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^RECORD {2}STATE {2}ROWS {2}LAST CHANGE {10}LABELS {2}URL/);
    expect(lines[1]).toMatch(/^prices {2}good {3}2 {5}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d .*…$/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('are created with settings, changed and deleted', async () => {
    const settings = JSON.stringify({ authType: 'bearer', authToken: 'hidden' });
    const args = ['records', 'create', 'https://example.com/new.csv', '--slug', 'offers', '--every', '2h'];
    const options = ['--key', 'id', '--label', 'team:data', '--settings', '-', '--wait', '0', '--json'];
    const { code, stdout, stderr } = await user.run([...args, ...options], { input: settings });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('hidden');
    expect(JSON.parse(stdout)).toMatchObject({
      slug: 'offers',
      checkIntervalMinutes: 120,
      keyFields: ['id'],
      labels: { team: 'data' },
      auth: { type: 'bearer', configured: true },
    });
    expect(await json('records', '--label', 'team:data')).toMatchObject({ count: 1 });
    expect(await user.run(['records', 'pause', 'offers'])).toMatchObject({
      code: 0,
      stdout: 'offers: paused\n',
    });
    expect(await json('records', 'resume', 'offers')).toMatchObject({ status: 'active' });
    expect(await user.run(['records', 'delete', 'offers'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') }); // prettier-ignore
    const kept = await user.runInTerminal(['records', 'delete', 'offers'], {
      prompt: '(yes/no)',
      typed: 'no\r',
    });
    expect(kept).toMatchObject({ code: 1, stdout: expect.stringContaining('Nothing was deleted.') });
    expect(await json('records', 'delete', 'offers', '--yes')).toMatchObject({
      slug: 'offers',
      deleted: true,
    });
    expect(await user.run(['show', 'offers'])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^recordwatch: .* \(not_found\)\n {2}“recordwatch records” lists/),
    });
  });

  it('that cannot be created are explained, fault by fault', async () => {
    const { code, stderr } = await user.run(['records', 'create', 'nonsense', '--every', '1s']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/\(url_not_allowed\)\n {2}\/url .*\n {2}--every, in minutes, must be at least/);
  });

  it('are refused to a key of a smaller scope with exit code 4', async () => {
    const { value } = await createKey(api.db, api.accountId, 'read');
    const env = { RECORDWATCH_API_KEY: value };
    expect(await user.run(['records', 'pause', 'prices'], { env })).toMatchObject({ code: 4, stderr: expect.stringMatching(/\(insufficient_scope\)\n.*larger scope/) }); // prettier-ignore
  });
});

describe('rows', () => {
  it('regression: tell null, a missing value, an empty text and a hyphen apart', async () => {
    const id = await createTestRecord(api.db, api.accountId, { slug: 'gaps' });
    const values = {
      A: ',"v":null',
      B: '',
      C: ',"v":""',
      D: ',"v":"-"',
      E: ',"v":"null"',
      F: ',"v":"(none)"',
    };
    const rows = Object.entries(values).map(([key, value]) => [key, `{"id":"${key}"${value}}`]);
    await commitRows(api.db, id, Object.fromEntries(rows), ['id', 'v']);
    expect((await user.run(['rows', 'gaps'])).stdout).toBe(
      'A\tnull\nB\t(none)\nC\t\nD\t-\nE\t"null"\nF\t"(none)"\n',
    );
    await api.call('DELETE', `/v1/sources/${id}`);
  });

  it('tell a number and a text of the same characters apart, where a column has both', async () => {
    const id = await createTestRecord(api.db, api.accountId, { slug: 'mixed' });
    const values = { A: '1,"w":"1"', B: '"1","w":"2.5"', C: '"x","w":"true"', D: '12345678901234567890' };
    const rows = Object.entries(values).map(([key, value]) => [key, `{"id":"${key}","v":${value}}`]);
    await commitRows(api.db, id, Object.fromEntries(rows), ['id', 'v', 'w']);
    expect((await user.run(['rows', 'mixed'])).stdout).toBe(
      'A\t1\t1\nB\t"1"\t2.5\nC\tx\ttrue\nD\t12345678901234567890\t(none)\n',
    );
    // Also where JavaScript would write each number in another way.
    const unusual = { A: '{"id":"A","v":1.50}', B: '{"id":"B","v":"1.50"}', C: '{"id":"C","v":-0}' };
    await commitRows(api.db, id, unusual, ['id', 'v']);
    expect((await user.run(['rows', 'mixed'])).stdout).toBe('A\t1.50\nB\t"1.50"\nC\t-0\n');
    await api.call('DELETE', `/v1/sources/${id}`);
  });

  it('are printed as the origin wrote them', async () => {
    expect((await user.run(['rows', 'prices'])).stdout).toBe('A1\t"3.50"\nC3\t12345678901234567890\n');
    const { stdout } = await user.run(['rows', 'prices', '--json']);
    expect(stdout).toContain('"price": 12345678901234567890');
    expect(await json('rows', 'prices', '--filter', 'price>=4')).toMatchObject({ count: 1, rows: [{ key: 'C3' }] }); // prettier-ignore
    expect(await json('rows', 'prices', '--search', 'a1')).toMatchObject({ rows: [{ key: 'A1' }] });
    expect(await json('rows', 'prices', '--limit', '1')).toMatchObject({ count: 1, hasMore: true });
    expect(await user.run(['rows', 'prices', '--filter', 'price'])).toMatchObject({ code: 2, stderr: expect.stringContaining("'price>=10'") }); // prettier-ignore
  });
});

it('tail tells how to begin again when its cursor is of another feed', async () => {
  expect(await user.run(['tail', '--since', 'nonsense'])).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringMatching(/cannot continue .*\(gone\)\n {2}Begin with --since start/),
  });
});

it('tail and listen take a condition, and tell what the service says of a faulty one', async () => {
  const condition = '{">":[{"var":"nonsense"},1]}';
  const listen = ['listen', '--forward-to', 'localhost:1/hook'];
  for (const command of [['tail'], listen]) {
    const failed = await user.run([...command, '--condition', condition]);
    expect(failed).toMatchObject({ code: 2, stdout: '' });
    expect(failed.stderr).toMatch(/^recordwatch: --condition at \/.*\(invalid_parameter\)/);
  }
});

describe('webhooks and keys', () => {
  it('are created, listed, switched and deleted', async () => {
    const created = await json('webhooks', 'create', 'prices', 'https://example.com/hook', '--type', 'check.failed'); // prettier-ignore
    expect(created).toMatchObject({ eventTypes: ['check.failed'], secret: expect.stringMatching(/^whsec_/) });
    expect((await user.run(['webhooks', 'prices'])).stdout).toBe(`${created.id}\tenabled\tcheck.failed\thttps://example.com/hook\n`); // prettier-ignore
    expect(await json('webhooks', 'disable', 'prices', created.id)).toMatchObject({ enabled: false });
    expect(await json('webhooks', 'enable', 'prices', created.id)).toMatchObject({ enabled: true });
    expect(await json('webhooks', 'delete', 'prices', created.id, '--yes')).toMatchObject({ deleted: true });
    expect(await json('webhooks', 'prices')).toMatchObject({ count: 0, webhooks: [] });
    expect(await user.run(['webhooks', 'create', 'prices', 'https://example.com', '--type', 'x'])).toMatchObject({ code: 2 }); // prettier-ignore
  });

  it('of the account are named with --account, never by leaving out the record', async () => {
    const url = 'https://example.com/all';
    for (const forgotten of [
      ['create', url],
      ['delete', 'wh_1'],
      ['create', '--account', 'prices', url],
    ]) {
      expect(await user.run(['webhooks', ...forgotten])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--account') }); // prettier-ignore
    }
    const settings = JSON.stringify({ sources: { ids: [recordId] } });
    const made = await user.run(['webhooks', 'create', '--account', url, '--settings', '-'], { input: settings }); // prettier-ignore
    expect(made.stdout).toMatch(new RegExp(`Records +${recordId}\n[^]*Secret, shown only now: whsec_`));
    const listed = await json('webhooks');
    const [{ id }] = listed.webhooks;
    expect(listed).toMatchObject({ count: 1, webhooks: [{ url, enabled: true }] });
    expect((await user.run(['webhooks', 'list'])).stdout).toBe(`${id}\tenabled\tdelta\t${url}\n`);
    expect(await json('webhooks', 'prices')).toMatchObject({ count: 0 });
    expect(await json('webhooks', 'disable', '--account', id)).toMatchObject({ enabled: false });
    expect(await json('webhooks', 'enable', id, '--account')).toMatchObject({ enabled: true });
    expect(await json('webhooks', 'test', '--account', id, '--wait', '0')).toMatchObject({ eventType: 'delta', webhookId: id }); // prettier-ignore
    expect(await user.run(['webhooks', 'delete', 'prices', id, '--yes'])).toMatchObject({ code: 3 });
    expect(await json('webhooks', 'delete', '--account', id, '--yes')).toMatchObject({ id, deleted: true });
    expect(await json('webhooks')).toMatchObject({ count: 0 });
  });

  it('of the account and of a record are made and revoked', async () => {
    const made = await json('keys', 'create', 'Price board', '--record', 'prices');
    expect(made).toMatchObject({ scope: 'read', kind: 'record', key: expect.stringMatching(/^cat_src_/) });
    const listed = await user.run(['keys', '--record', 'prices']);
    expect(listed.stdout).toContain(`${made.id}\tPrice board\tcat_src_…${made.key.slice(-4)}\tread\tvalid\t`);
    expect(listed.stdout).not.toContain(made.key);
    expect(await json('keys', 'revoke', made.id, '--record', 'prices', '--yes')).toMatchObject({ revoked: true }); // prettier-ignore
    expect((await user.run(['keys', '--record', 'prices'])).stdout).toContain('\trevoked\t');
    expect(await json('keys')).toMatchObject({ apiKeys: expect.any(Array) });
  });

  it('leave the operator’s command `keys rotate` as it was', async () => {
    expect((await user.run(['keys', 'rotate', '--help'])).stdout).toContain('operator keys rotate');
  });
});

it('logout deletes the stored key', async () => {
  expect(await json('logout')).toEqual({ wasLoggedIn: true });
  expect(await json('logout')).toEqual({ wasLoggedIn: false });
  expect(() => statSync(user.credentialsFile)).toThrow('ENOENT');
  expect((await user.run(['whoami'])).code).toBe(2);
});
