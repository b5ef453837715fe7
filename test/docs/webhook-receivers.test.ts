// The receivers of docs/webhooks.md as readers run them, in each language that this machine has.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { signWebhook } from '../../core/crypto/webhook-signature.ts';
import { UNUSABLE_SECRETS } from '../clients/unusable-secrets.ts';
import { freePort } from '../support/servers/free-port.ts';
import { until } from '../support/until.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const guide = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'recordwatch-receivers-'));
const TIMEOUT = 120_000;

interface Language {
  name: string;
  /** The language of its block in the document. */
  fence: string;
  file: string;
  /** The command that succeeds when the machine has this language. */
  probe: readonly string[];
  /** Makes it ready to run, and how to run it. */
  command: (path: string) => readonly string[];
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'TypeScript',
    fence: 'ts',
    file: 'receiver.ts',
    probe: [process.execPath, '--version'],
    command: (path) => [process.execPath, path],
  },
  {
    name: 'Python',
    fence: 'python',
    file: 'receiver.py',
    probe: ['python3', '--version'],
    command: (path) => ['python3', path],
  },
  {
    name: 'Go',
    fence: 'go',
    file: 'receiver.go',
    probe: ['go', 'version'],
    command: (path) => {
      const program = path.replace('.go', '-program');
      // It needs no package.
      const env = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local', GO111MODULE: 'off' };
      execFileSync('go', ['build', '-o', program, path], { env });
      return [program];
    },
  },
];

function isHere({ probe: [program = '', ...args] }: Language): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const here = LANGUAGES.filter(isHere);

function sourceIn({ fence }: Language): string {
  const [, code] = new RegExp(`^\`\`\`${fence}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide) ?? [];
  if (code === undefined) throw new Error(`docs/webhooks.md has no block of ${fence}`);
  return code;
}

interface Receiver {
  url: string;
  post: (headers: Record<string, string>, body: string) => Promise<number>;
  output: () => string;
  end: () => void;
}

async function start([program = '', ...args]: readonly string[], secret: string): Promise<Receiver> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret, PYTHONUTF8: '1' };
  const child: ChildProcess = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const url = `http://127.0.0.1:${port}/changes`;
  const post: Receiver['post'] = async (headers, body) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  await until('the receiver listens', () => post({}, '{}').catch(() => undefined));
  return { url, post, output: () => output.join(''), end: () => void child.kill('SIGKILL') };
}

const body = JSON.stringify({ event: 'delta', newKeys: ['Grüße', '数'], summary: { newCount: 2 } });
const signed = (secrets: readonly string[], timeMs = Date.now(), id = 'dlv_1') =>
  signWebhook({ id, timeMs, body, secrets });

beforeAll(() => {
  // Like the package.json of the checkout.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const missing = LANGUAGES.filter((language) => !here.includes(language)).map(({ name }) => name);
  console.log(
    `receivers that run: ${here.map(({ name }) => name).join(', ')}; not here: ${missing.join(', ') || 'none'}`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the receiver in TypeScript runs on every machine, and all are in the document', () => {
  expect(here.map(({ name }) => name)).toContain('TypeScript');
  for (const language of LANGUAGES) expect(sourceIn(language)).not.toBe('');
});

describe.each(here)('the receiver in $name', (language) => {
  let command: readonly string[] = [];
  beforeAll(() => {
    const path = join(folder, language.file);
    writeFileSync(path, sourceIn(language));
    command = language.command(path);
  }, TIMEOUT);

  it.each(UNUSABLE_SECRETS)(
    'regression: does not start with the secret %j',
    { timeout: TIMEOUT },
    async (secret) => {
      const [program = '', ...args] = command;
      const env = { ...process.env, PORT: String(await freePort()), WEBHOOK_SECRET: secret };
      const child = spawn(program, args, { env, stdio: 'ignore' });
      onTestFinished(() => void child.kill('SIGKILL'));
      const code = await new Promise((resolve) => child.on('exit', resolve));
      expect(code).toBeGreaterThan(0);
    },
  );

  // The others handle each request on its own.
  it.runIf(language.name === 'TypeScript')(
    'regression: goes on after an upload that breaks off, and after one that is too large',
    { timeout: TIMEOUT },
    async () => {
      const secret = 'mein Geheimnis — 秘密';
      const receiver = await start(command, secret);
      onTestFinished(receiver.end);
      const headers = { ...signed([secret]), expect: '100-continue', 'content-length': '1000' };
      const sending = request(receiver.url, { method: 'POST', headers }).on('error', () => undefined);
      sending.flushHeaders();
      await once(sending, 'continue');
      sending.destroy();
      await once(sending, 'close').catch(() => undefined);
      expect(await receiver.post(signed([secret]), body)).toBe(204);
      const large = 'x'.repeat(2 ** 21 + 1);
      // It may end the connection before it has read everything.
      expect(await receiver.post(signed([secret]), large).catch(() => 401)).toBe(401);
      expect(await receiver.post(signed([secret]), body)).toBe(204);
    },
  );

  const bytes = randomBytes(32).toString('base64');
  it.each([
    ['made by the service', `whsec_${bytes}`],
    ['without the padding of its base64', `whsec_${bytes.replace(/=+$/, '')}`],
    ['of the user’s own', 'mein Geheimnis — 秘密'],
  ])('takes what is signed by a secret %s, and nothing else', { timeout: TIMEOUT }, async (_kind, secret) => {
    const receiver = await start(command, secret);
    try {
      const other = `whsec_${randomBytes(32).toString('base64')}`;
      expect(await receiver.post(signed([secret]), body)).toBe(204);
      expect(await receiver.post(signed([other, secret]), body)).toBe(204);
      expect(await receiver.post(signed([secret, other]), body)).toBe(204);
      expect(await receiver.post(signed([secret], Date.now() - 290_000), body)).toBe(204);
      const refused: [Record<string, string>, string][] = [
        [signed([other]), body],
        [signed([secret]), `${body} `],
        [signed([secret], Date.now() - 310_000), body],
        [signed([secret], Date.now() + 310_000), body],
        [{ ...signed([secret]), 'webhook-id': 'dlv_2' }, body],
        [{ ...signed([secret]), 'webhook-timestamp': 'soon' }, body],
        [{ ...signed([secret]), 'webhook-signature': '' }, body],
        [{ ...signed([secret]), 'webhook-signature': 'v1,' }, body],
        [{}, body],
      ];
      for (const [headers, text] of refused) expect(await receiver.post(headers, text)).toBe(401);
      await until('it tells of four', () => receiver.output().split('dlv_1').length === 5);
      expect(receiver.output()).toContain('Grüße');
    } finally {
      receiver.end();
    }
  });
});
