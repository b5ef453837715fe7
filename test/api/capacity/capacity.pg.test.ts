// Downloads and response memory: limits for an account, for all sessions and for the process.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Capacity, createCapacity, type Reading } from '../../../api/capacity/capacity.ts';
import type { Owner } from '../../../api/capacity/slots.ts';
import { buildApp } from '../../../api/app.ts';
import { defineOperation } from '../../../api/contract/operation.ts';
import type { Release } from '../../../core/limiter.ts';
import { useApi } from '../../support/api/api.ts';
import { createAccount, createKey } from '../../support/rows/factories.ts';
import { until } from '../../support/until.ts';

const MiB = 1024 * 1024;
const account = (id: number) => ({ accountId: `acc_${id}`, isAnonymous: false });
const session = (id: number) => ({ accountId: `acc_s${id}`, isAnonymous: true });

/** The client reads at once. */
const QUICK: Reading = { progress: () => ({ bytes: 0, waitedMs: 0 }), end: () => undefined };

/** Takes until one is refused. @returns those taken, and the refusal */
function takeAll(take: (owner: Owner) => Release, ownerOf: (n: number) => Owner) {
  const taken: Release[] = [];
  try {
    for (;;) taken.push(take(ownerOf(taken.length)));
  } catch (error) {
    return { taken, error };
  }
}

const slotsOf = (capacity: Capacity, ownerOf: (n: number) => Owner) =>
  takeAll((owner) => capacity.takeDownloadSlot(owner, QUICK), ownerOf);
const memoryOf = (capacity: Capacity, ownerOf: (n: number) => Owner) =>
  takeAll((owner) => capacity.takeResponseMemory(owner, 8 * MiB, QUICK.end), ownerOf);

describe('download slots', () => {
  it('are eight for an account, and 64 in all', () => {
    const capacity = createCapacity();
    const { taken, error } = slotsOf(capacity, () => account(0));
    expect(taken).toHaveLength(8);
    expect(error).toMatchObject({ code: 'rate_limited' });
    const others = slotsOf(capacity, (n) => account(n + 1));
    expect(others.taken).toHaveLength(56);
    expect(others.error).toMatchObject({ code: 'unavailable' });
    taken[0]?.();
    capacity.takeDownloadSlot(account(99), QUICK);
  });

  it('are 16 for all anonymous sessions, which leaves some to accounts', () => {
    const capacity = createCapacity();
    const { taken, error } = slotsOf(capacity, session);
    expect(taken).toHaveLength(16);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(slotsOf(capacity, account).taken).toHaveLength(48);
    taken[0]?.();
    expect(slotsOf(capacity, session).taken).toHaveLength(1);
  });
});

describe('response memory', () => {
  it('is 128 MiB for an account, and is released', () => {
    const capacity = createCapacity();
    const { taken, error } = memoryOf(capacity, () => account(0));
    expect(taken).toHaveLength(16);
    expect(error).toMatchObject({ code: 'rate_limited' });
    taken[0]?.();
    expect(memoryOf(capacity, () => account(0)).taken).toHaveLength(1);
  });

  it('is 128 MiB for all sessions and 512 MiB in all', () => {
    const capacity = createCapacity();
    const sessions = memoryOf(capacity, session);
    expect([sessions.taken.length, sessions.error]).toMatchObject([16, { code: 'unavailable' }]);
    const accounts = memoryOf(capacity, account);
    expect([accounts.taken.length, accounts.error]).toMatchObject([48, { code: 'unavailable' }]);
  });

  it('always suffices for small responses, and for one response that exceeds the limit of an account', () => {
    const { takeResponseMemory } = createCapacity();
    takeResponseMemory(account(0), 300 * MiB, QUICK.end);
    expect(() => takeResponseMemory(account(0), MiB, QUICK.end)).toThrow('have not been read');
    expect(() => takeResponseMemory(account(0), 1_000, QUICK.end)).not.toThrow();
  });
});

describe('accounts that take all they can', () => {
  it('regression: leave memory and downloads to a newcomer', () => {
    const capacity = createCapacity();
    const memory = [0, 1, 2, 3, 4].map((id) => memoryOf(capacity, () => account(id)).taken.length);
    expect(memory).toEqual([16, 16, 16, 8, 4]);
    const slots = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((id) => slotsOf(capacity, () => account(id)).taken.length);
    expect(slots).toEqual([8, 8, 8, 8, 8, 8, 8, 4, 2]);
    expect(() => capacity.takeResponseMemory(account(9), 8 * MiB, QUICK.end)).not.toThrow();
    expect(() => capacity.takeDownloadSlot(account(9), QUICK)).not.toThrow();
  });
});

describe('when nothing is left', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => vi.useRealTimers());

  it('an answer that was not read within ten seconds ends, the oldest of the account that holds most', () => {
    const { takeResponseMemory } = createCapacity();
    const ended: string[] = [];
    const take = (id: number, name: string) =>
      takeResponseMemory(account(id), 128 * MiB, () => void ended.push(name));
    take(0, 'one');
    takeResponseMemory(account(1), MiB, () => void ended.push('of another account'));
    takeResponseMemory(account(1), 100 * MiB, () => void ended.push('of another account'));
    for (const id of [2, 3]) take(id, `of ${id}`);
    expect(() => take(4, 'newcomer')).toThrow('Too many responses');
    vi.advanceTimersByTime(10_001);
    take(4, 'newcomer');
    expect(ended).toEqual(['one']);
  });

  it('a file ends that is read at less than 64 KiB a second, and no other', () => {
    const { takeDownloadSlot } = createCapacity();
    const ended: string[] = [];
    const take = (id: number, bytes: number, waitedMs = 11_000) =>
      takeDownloadSlot(account(id), {
        progress: () => ({ bytes, waitedMs }),
        end: () => void ended.push(`${id} with ${bytes}`),
      });
    take(0, 720_896);
    take(0, 720_895);
    take(0, 0, 9_000);
    for (let id = 1; id < 62; id += 1) take(id, 720_896);
    // It has one.
    expect(() => take(1, 0)).toThrow('Too many downloads');
    expect(ended).toEqual([]);
    take(62, 0);
    expect(ended).toEqual(['0 with 720895']);
    expect(() => take(63, 0)).not.toThrow();
    expect(ended).toEqual(['0 with 720895', '62 with 0']);
  });

  it('answers of sessions end for other sessions', () => {
    const { takeDownloadSlot } = createCapacity();
    let ended = 0;
    const slow = { progress: () => ({ bytes: 0, waitedMs: 11_000 }), end: () => void (ended += 1) };
    for (let at = 0; at < 8; at += 1) takeDownloadSlot(session(0), slow);
    for (let at = 0; at < 8; at += 1) takeDownloadSlot(session(1), QUICK);
    takeDownloadSlot(session(2), QUICK);
    expect(ended).toBe(1);
  });
});

const reading = { tag: 'Snapshots', scope: 'read', summary: 'Read' } as const;
const large = defineOperation({
  ...reading,
  name: 'readLarge',
  http: { method: 'GET', path: '/v1/large' },
  output: Type.Object({ text: Type.String() }),
  run: async () => ({ text: 'x'.repeat(8 * MiB - 100) }),
});
const small = defineOperation({
  ...reading,
  name: 'readSmall',
  http: { method: 'GET', path: '/v1/small' },
  output: Type.Object({}),
  run: async () => ({}),
});

describe('a caller who reads nothing', () => {
  const api = useApi();
  const capacity = createCapacity();
  let app: ReturnType<typeof buildApp>;
  let port = 0;

  beforeAll(async () => {
    app = buildApp(api.services, { operations: [large, small], capacity });
    port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  afterAll(() => app.close());

  it('is refused when 128 MiB wait for it, and served again later; others are not affected', async () => {
    const [key, other] = [await makeKey(), await makeKey()];
    const sockets: Socket[] = [];
    for (let at = 0; at < 16; at += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      sockets.push(socket);
      socket.write(`GET /v1/large HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      // Its answer has begun.
      await once(socket, 'readable');
    }
    expect([await ask('large', key), await ask('small', key), await ask('large', other)]).toEqual([
      429, 200, 200,
    ]);
    for (const socket of sockets) socket.destroy();
    await until('there is room again', async () => (await ask('large', key)) === 200);
  });

  it('loses the answer when nothing is left and a newcomer needs its memory', async () => {
    const [key, newcomer] = [await makeKey(), await makeKey()];
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const ended = once(socket, 'close');
    socket.write(`GET /v1/large HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    await once(socket, 'readable');
    const now = performance.now.bind(performance);
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 11_000);
    const release = capacity.takeResponseMemory(account(1), 504 * MiB, () => undefined);
    expect(await ask('large', newcomer)).toBe(200);
    later.mockRestore();
    socket.resume();
    await ended;
    release();
  });

  async function makeKey(): Promise<string> {
    return (await createKey(api.db, await createAccount(api.db), 'read')).value;
  }

  async function ask(path: string, key: string): Promise<number> {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`http://127.0.0.1:${port}/v1/${path}`, { headers });
    await response.arrayBuffer();
    return response.status;
  }
});
