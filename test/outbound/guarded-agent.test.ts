// The guard at the socket: no connection is made to a private address, by whatever name or literal.
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { promisify } from 'node:util';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createGuardedAgent, mayBeUsed } from '../../outbound/guarded-agent.ts';
import { createGuard, type OutboundGuard } from '../../outbound/guard.ts';
import { GuardError } from '../../outbound/failure.ts';
import { parseAllowedNetworks } from '../../core/network/address-policy.ts';
import { parseNat64Prefixes } from '../../core/network/nat64.ts';
import { HOSTILE_HOSTS } from '../core/network/hostile-urls.ts';
import { createGate } from '../support/gate.ts';
import { type Origin, startOrigin } from '../support/servers/origin-server.ts';
import { SELF_SIGNED } from '../activities/fetch/self-signed.ts';

let origin: Origin;
let connections = 0;
let inside: Server;

beforeAll(async () => {
  origin = await startOrigin();
  origin.set('/', { body: 'reached' });
  inside = createServer((_request, response) => response.end('inside'));
  inside.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => {
    inside.listen(0, '127.0.0.1', resolve);
  });
});

afterAll(async () => {
  await origin.close();
  inside.close();
});

afterEach(() => {
  connections = 0;
});

function guardOf(networks: string[], resolve: (hostname: string) => string[] = () => []): OutboundGuard {
  return {
    allowed: parseAllowedNetworks(networks),
    resolve: (hostname) => Promise.resolve(resolve(hostname)),
  };
}

async function get(url: string, guard: OutboundGuard): Promise<string> {
  const agent = createGuardedAgent(guard, new AbortController().signal);
  onTestFinished(() => agent.destroy());
  const { body } = await request(url, { dispatcher: agent.dispatcher });
  return body.text();
}

function insideUrl(host: string): string {
  return `http://${host}:${(inside.address() as AddressInfo).port}/`;
}

describe('a URL to a private address', () => {
  it.each(HOSTILE_HOSTS)('%s: %s is refused before a connection is made', async (_kind, host) => {
    const guard = guardOf([], () => ['127.0.0.1']);
    await expect(get(insideUrl(host), guard)).rejects.toBeInstanceOf(GuardError);
    expect(connections).toBe(0);
  });

  it.each([
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['mapped loopback', ['::ffff:127.0.0.1']],
    ['any address', ['0.0.0.0']],
    ['private, behind a public one', ['8.8.8.8', '10.0.0.1']],
    ['private IPv6, behind public ones', ['8.8.8.8', '2606:4700::1111', 'fd00::1']],
    ['no address at all', ['nonsense']],
  ])('a name that resolves to %s is refused', async (_what, answers) => {
    await expect(
      get(
        insideUrl('example.com'),
        guardOf([], () => answers),
      ),
    ).rejects.toMatchObject({ kind: 'refused' });
    expect(connections).toBe(0);
  });

  it('an allowed and a forbidden address in one answer are refused, whichever comes first', async () => {
    for (const answers of [
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '127.0.0.1'],
    ]) {
      const guard = guardOf(['127.0.0.1'], () => answers);
      await expect(get(insideUrl('example.com'), guard)).rejects.toMatchObject({ kind: 'refused' });
    }
    expect(connections).toBe(0);
  });

  it('a name with changing answers is judged by the address of the connection', async () => {
    let asked = 0;
    const guard = guardOf(['127.0.0.1'], () => {
      asked += 1;
      return asked % 2 === 1 ? ['127.0.0.1'] : ['127.0.0.2'];
    });
    const url = `http://rebinding.example:${origin.port}/`;
    for (let round = 0; round < 3; round += 1) {
      await expect(get(url, guard)).resolves.toBe('reached');
      await expect(get(url, guard)).rejects.toMatchObject({ kind: 'refused' });
    }
    // One lookup for each connection: the name is not resolved again between the decision and the connection.
    expect(asked).toBe(6);
  });

  it('an allowed address that the system redirects is refused because of the address that the socket reached', async () => {
    // Linux connects 0.0.0.0 to loopback, which these networks do not contain.
    await expect(get(insideUrl('0.0.0.0'), guardOf(['0.0.0.0/32']))).rejects.toMatchObject({
      kind: 'refused',
    });
  });

  it.each([
    'http://8.8.8.8:5432/',
    'https://8.8.8.8:22/',
    'http://public.example:6379/',
    'http://[2606:4700::1111]:25/',
  ])('a public address with a port of another service is refused: %s', async (url) => {
    await expect(
      get(
        url,
        guardOf([], () => ['8.8.8.8']),
      ),
    ).rejects.toMatchObject({ kind: 'refused' });
  });

  it('a name without addresses or without an answer is a DNS failure', async () => {
    const failing = { allowed: [], resolve: () => Promise.reject(new Error('SERVFAIL')) };
    await expect(get('http://nowhere.example/', failing)).rejects.toMatchObject({ kind: 'dns' });
    await expect(get('http://nowhere.example/', guardOf([]))).rejects.toMatchObject({ kind: 'dns' });
  });
});

describe('an answer of many addresses', () => {
  const many = Array.from({ length: 2_000 }, (_, at) => `127.1.${at >> 8}.${at & 255}`);

  it('is refused because of one forbidden address at its end', async () => {
    const guard = guardOf(['127.0.0.0/8'], () => [...many, '10.0.0.1']);
    await expect(get(insideUrl('many.example'), guard)).rejects.toMatchObject({ kind: 'refused' });
    expect(connections).toBe(0);
  });

  it('is tried at a few of its addresses only', async () => {
    const [a = '', b = '', c = '', d = ''] = many;
    const resolving = (answers: string[]) => guardOf(['127.0.0.0/8'], () => answers);
    await expect(get(insideUrl('a.example'), resolving([a, b, c, '127.0.0.1']))).resolves.toBe('inside');
    await expect(get(insideUrl('a.example'), resolving([a, b, c, d, '127.0.0.1']))).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    expect(connections).toBe(1);
  });
});

describe('a literal', () => {
  it.each([
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2a00:1450::5efe:7f00:1]',
    '2130706433',
  ])('%s is judged as it is, and no resolver is asked', async (host) => {
    const asked: string[] = [];
    const guard = guardOf([], (hostname) => {
      asked.push(hostname);
      return ['8.8.8.8'];
    });
    await expect(get(insideUrl(host), guard)).rejects.toMatchObject({ kind: 'refused' });
    expect(asked).toEqual([]);
  });
});

describe('the final check', () => {
  const guard = guardOf(['10.1.0.0/16']);
  const nat64 = parseNat64Prefixes(['64:ff9b::/96', '2a00:1:2::/96']);

  it('refuses this machine under its public address, unless the operator allows it', () => {
    const reached = (remoteAddress: string, localAddress: string) =>
      mayBeUsed(guard, { remoteAddress, localAddress }, 443);
    expect(reached('8.8.8.8', '192.168.0.7')).toBe(true);
    expect(reached('8.8.8.8', '8.8.8.8')).toBe(false);
    expect(reached('10.1.0.1', '10.1.0.1')).toBe(true);
    expect(reached('10.2.0.1', '192.168.0.7')).toBe(false);
  });

  it.each([
    ['64:ff9b::808:808', true],
    ['64:ff9b::a00:1', false],
    ['64:ff9b::a9fe:a9fe', false],
    ['64:ff9b::a01:1', true],
    ['2a00:1:2::7f00:1', false],
    ['2a00:1:2::808:808', true],
    ['2a00:1:3::7f00:1', true],
    ['64:ff9b:1::808:808', false],
  ])('judges %s behind NAT64 by the address inside', (remoteAddress, isAllowed) => {
    expect(mayBeUsed({ ...guard, nat64 }, { remoteAddress, localAddress: '2a00::1' }, 443)).toBe(isAllowed);
  });

  it('refuses the well-known NAT64 prefix when the operator has set none', () => {
    expect(mayBeUsed(guard, { remoteAddress: '64:ff9b::808:808', localAddress: '2a00::1' }, 443)).toBe(false);
  });
});

describe('cancelling', () => {
  it('ends an unfinished handshake', async () => {
    const closed = createGate();
    const silent = createTcpServer((socket) => {
      socket.on('error', () => undefined).on('close', closed.open);
      controller.abort(new Error('enough'));
    });
    onTestFinished(() => void silent.close());
    const controller = new AbortController();
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    const agent = createGuardedAgent(guardOf(['127.0.0.1']), controller.signal);
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    await expect(request(url, { dispatcher: agent.dispatcher })).rejects.toMatchObject({ code: 'ABORT_ERR' });
    await closed.wait();
    await agent.destroy();
  });

  it('during a lookup makes no connection afterwards', async () => {
    const controller = new AbortController();
    const answer = createGate();
    const guard: OutboundGuard = {
      allowed: parseAllowedNetworks(['127.0.0.1']),
      resolve: () => answer.wait().then(() => ['127.0.0.1']),
    };
    const agent = createGuardedAgent(guard, controller.signal);
    const asking = request(insideUrl('slow.example'), { dispatcher: agent.dispatcher });
    controller.abort(new Error('enough'));
    await expect(asking).rejects.toThrow('enough');
    answer.open();
    await agent.destroy();
    expect(connections).toBe(0);
  });
});

describe('TLS', () => {
  it('is verified, whatever the environment variables say', async () => {
    const saved = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    onTestFinished(() => {
      if (saved === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = saved;
    });
    const server = createSecureServer(SELF_SIGNED, (_request, response) => response.end('reached'));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(get(url, guardOf(['127.0.0.1']))).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  });
});

describe('an allowed address', () => {
  it('is reached by literal and by name, on any port', async () => {
    await expect(get(`${origin.url}/`, guardOf(['127.0.0.0/8']))).resolves.toBe('reached');
    const guard = guardOf(['127.0.0.0/8'], () => ['127.0.0.1']);
    await expect(get(`http://feed.example:${origin.port}/`, guard)).resolves.toBe('reached');
  });

  it('is reached directly, whatever the proxy variables say', async () => {
    const dispatcher = new URL('../../activities/deliveries/post-json.ts', import.meta.url).href;
    const policy = new URL('../../core/network/address-policy.ts', import.meta.url).href;
    const script = `
      const { postJson } = await import(${JSON.stringify(dispatcher)});
      const { parseAllowedNetworks } = await import(${JSON.stringify(policy)});
      const guard = { allowed: parseAllowedNetworks(['127.0.0.0/8']), resolve: async () => ['127.0.0.1'] };
      const url = 'http://feed.example:${origin.port}/';
      const outcome = await postJson({ url, body: '{}', headers: {}, userAgent: 'x', guard });
      console.log(outcome.statusCode, outcome.excerpt);`;
    const proxy = insideUrl('127.0.0.1');
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
    const env = {
      ...Object.fromEntries(names.map((name) => [name, proxy])),
      NODE_USE_ENV_PROXY: '1',
      NO_PROXY: '',
    };
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(stdout).toBe('200 reached\n');
    expect(connections).toBe(0);
  });

  it('for localhost comes from the machine’s resolver when the operator allows networks', async () => {
    const addresses = await createGuard(parseAllowedNetworks(['127.0.0.0/8'])).resolve('localhost');
    expect(addresses).toContain('127.0.0.1');
  });
});
