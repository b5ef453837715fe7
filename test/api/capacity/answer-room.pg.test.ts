// How much of answers may be under way at once: callers who ask for large pages and do not read them.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnswerRoom } from '../../../api/capacity/answer-room.ts';
import { buildApp } from '../../../api/app.ts';
import { defineOperation } from '../../../api/contract/operation.ts';
import { useApi } from '../../support/api.ts';
import { createAccount, createKey } from '../../support/factories.ts';
import { until } from '../../support/until.ts';

const MiB = 1024 * 1024;
const account = (id: number) => ({ accountId: `acc_${id}`, isAnonymous: false });
const session = (id: number) => ({ accountId: `acc_s${id}`, isAnonymous: true });

/** Takes room for 8 MiB at a time until there is none. */
function fill(room: ReturnType<typeof createAnswerRoom>, ownerOf: (n: number) => ReturnType<typeof account>) {
  const taken: (() => void)[] = [];
  try {
    for (;;) taken.push(room.take(ownerOf(taken.length), 8 * MiB));
  } catch (error) {
    return { taken, error };
  }
}

describe('room for answers', () => {
  it('is 128 MiB for an account, and given back', () => {
    const room = createAnswerRoom();
    const { taken, error } = fill(room, () => account(0));
    expect(taken).toHaveLength(16);
    expect(error).toMatchObject({ code: 'rate_limited' });
    taken[0]?.();
    expect(fill(room, () => account(0)).taken).toHaveLength(1);
  });

  it('is 128 MiB for all sessions and 512 MiB in all', () => {
    const room = createAnswerRoom();
    const sessions = fill(room, session);
    expect([sessions.taken.length, sessions.error]).toMatchObject([16, { code: 'unavailable' }]);
    const accounts = fill(room, account);
    expect([accounts.taken.length, accounts.error]).toMatchObject([48, { code: 'unavailable' }]);
  });

  it('is there for small answers whatever else is under way, and for one that is larger than all room of an account', () => {
    const room = createAnswerRoom();
    room.take(account(0), 300 * MiB);
    expect(() => room.take(account(0), MiB)).toThrow('have not been read');
    expect(() => room.take(account(0), 1_000)).not.toThrow();
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
  let app: ReturnType<typeof buildApp>;
  let port = 0;

  beforeAll(async () => {
    app = buildApp(api.services, { operations: [large, small] });
    port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  afterAll(() => app.close());

  it('is refused once 128 MiB wait for it, and served again when they do not; others are not concerned', async () => {
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
