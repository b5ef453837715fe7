// The guard, at the socket: whatever name or literal leads inside, no connection is made.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createGuardedAgent } from '../../../activities/outbound/dispatcher.ts';
import { createGuard, type OutboundGuard } from '../../../activities/outbound/guard.ts';
import { GuardError } from '../../../activities/outbound/outbound-failure.ts';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import { HOSTILE_HOSTS } from '../../core/network/hostile-urls.ts';
import { type Origin, startOrigin } from '../../support/origin-server.ts';

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
  const { body } = await request(url, { dispatcher: agent });
  return body.text();
}

function insideUrl(host: string): string {
  return `http://${host}:${(inside.address() as AddressInfo).port}/`;
}

describe('what leads inside', () => {
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

  it('a good and a bad answer together are refused, whichever comes first', async () => {
    for (const answers of [
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '127.0.0.1'],
    ]) {
      const guard = guardOf(['127.0.0.1'], () => answers);
      await expect(get(insideUrl('example.com'), guard)).rejects.toMatchObject({ kind: 'refused' });
    }
    expect(connections).toBe(0);
  });

  it('a name that changes its answer is judged by the answer that is connected to', async () => {
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
    // One question for each connection: none is asked again between judging and connecting.
    expect(asked).toBe(6);
  });

  it('an allowed address that the system takes elsewhere is refused by what the socket reached', async () => {
    // Linux connects 0.0.0.0 to loopback, which these networks do not hold.
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

  it('a name without addresses, or that nobody answers for, is a failure of DNS', async () => {
    const failing = { allowed: [], resolve: () => Promise.reject(new Error('SERVFAIL')) };
    await expect(get('http://nowhere.example/', failing)).rejects.toMatchObject({ kind: 'dns' });
    await expect(get('http://nowhere.example/', guardOf([]))).rejects.toMatchObject({ kind: 'dns' });
  });
});

describe('what is allowed', () => {
  it('is reached by literal and by name, on any port', async () => {
    await expect(get(`${origin.url}/`, guardOf(['127.0.0.0/8']))).resolves.toBe('reached');
    const guard = guardOf(['127.0.0.0/8'], () => ['127.0.0.1']);
    await expect(get(`http://feed.example:${origin.port}/`, guard)).resolves.toBe('reached');
  });

  it('is reached directly, whatever the proxy variables say', async () => {
    const saved = process.env['HTTP_PROXY'];
    process.env['HTTP_PROXY'] = insideUrl('127.0.0.1');
    onTestFinished(() => {
      if (saved === undefined) delete process.env['HTTP_PROXY'];
      else process.env['HTTP_PROXY'] = saved;
    });
    await expect(get(`${origin.url}/`, guardOf(['127.0.0.0/8']))).resolves.toBe('reached');
    expect(connections).toBe(0);
  });

  it('has localhost resolved by the machine when the operator allows networks', async () => {
    const addresses = await createGuard(parseAllowedNetworks(['127.0.0.0/8'])).resolve('localhost');
    expect(addresses).toContain('127.0.0.1');
  });
});
