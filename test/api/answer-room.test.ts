// How much of answers may be under way at once: callers who ask for large pages and do not read them.
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnswerRoom } from '../../api/answer-room.ts';
import { buildApp } from '../../api/app.ts';
import { createRateLimits } from '../../api/rate-limit.ts';
import { useApi } from '../support/api.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../support/factories.ts';
import { until } from '../support/until.ts';

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

describe('a caller who reads nothing', () => {
  const api = useApi();
  let app: ReturnType<typeof buildApp>;
  let port = 0;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    app = buildApp(api.services, { rateLimits: createRateLimits({ multiplier: 1_000 }) });
    port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await app.close();
  });

  it('is refused once 128 MiB wait for it, and served again when they do not; others are not concerned', async () => {
    const { id, key } = await makeLargeRecord();
    const other = await makeLargeRecord();
    const path = `/v1/sources/${id}/snapshots/latest/rows?limit=100`;
    for (let at = 0; at < 30; at += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      sockets.push(socket.pause());
    }
    const ask = async (url: string, by: string): Promise<number> => {
      const response = await fetch(`http://127.0.0.1:${port}${url}`, {
        headers: { authorization: `Bearer ${by}` },
      });
      await response.arrayBuffer();
      return response.status;
    };
    await until('there is no room left', async () => (await ask(path, key)) === 429);
    expect(await ask(`/v1/sources/${id}`, key)).toBe(200);
    expect(await ask(path.replace(id, other.id), other.key)).toBe(200);
    for (const socket of sockets.splice(0)) socket.destroy();
    await until('there is room again', async () => (await ask(path, key)) === 200);
  });

  /** With pages of 8 MiB. */
  async function makeLargeRecord(): Promise<{ id: string; key: string }> {
    const accountId = await createAccount(api.db);
    const { value: key } = await createKey(api.db, accountId, 'read');
    const id = await createTestRecord(api.db, accountId);
    const text = 'x'.repeat(MiB / 2);
    const rows = Array.from(
      { length: 20 },
      (_, at) => [`k${at}`, JSON.stringify({ id: `k${at}`, text })] as const,
    );
    await commitRows(api.db, id, Object.fromEntries(rows), ['id', 'text']);
    return { id, key };
  }
});
