// Large files over real connections: slow readers, readers that disconnect, and rows that are deleted meanwhile.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../../api/app.ts';
import { createRateLimits } from '../../../api/access/rate-limits.ts';
import { type Database, openDatabase } from '../../../db/driver/knex.ts';
import { useApi } from '../../support/api/api.ts';
import { createAccount, createKey } from '../../support/rows/factories.ts';
import { createManyRows, type ManyRows } from '../../support/rows/many-rows.ts';
import { until } from '../../support/until.ts';

const api = useApi();
const IDLE_TIMEOUT_MS = 1_000;
/** Longer than the first piece takes, shorter than a reader that has stopped. */
const FILE_TIMEOUT_MS = 3_000;
/** Many times the size of the buffers at both ends of a connection. */
const SIZE = { rowCount: 60_000, textLength: 400 };
const LINE_BYTES = SIZE.textLength + '0000000,\n'.length;

let app: ReturnType<typeof buildApp>;
let heavyDb: Database;
let port = 0;
let many: ManyRows;
let accountId = '';
let key = '';

beforeAll(async () => {
  accountId = await createAccount(api.db);
  key = (await createKey(api.db, accountId, 'download')).value;
  many = await createManyRows(api.db, accountId, SIZE);
  heavyDb = openDatabase(api.db.client.config.connection.connectionString, { poolSize: 2 });
  const rateLimits = createRateLimits({ multiplier: 1_000 });
  app = buildApp({ ...api.services, heavyDb }, { rateLimits });
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(async () => {
  await app.close();
  await heavyDb.destroy();
});

const pathOf = ({ recordId }: ManyRows, query = '') =>
  `/v1/sources/${recordId}/snapshots/latest/download${query}`;

/** A connection that requested the file and reads only what its buffers hold. */
async function askAndStop(
  path: string,
  { version = '1.1', encoding = 'identity', at = port, token = key } = {},
): Promise<Socket> {
  const socket = connect(at, '127.0.0.1');
  socket.write(
    `GET ${path} HTTP/${version}\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
  );
  await once(socket, 'readable');
  socket.on('error', () => undefined);
  return socket;
}

/** Whether this many downloads can begin at once. */
async function canBegin(count: number): Promise<boolean> {
  const sockets: Socket[] = [];
  const begin = async (): Promise<string> => {
    const socket = await askAndStop(pathOf(many));
    sockets.push(socket);
    return String(socket.read());
  };
  const heads = await Promise.all(Array.from({ length: count }, begin));
  for (const socket of sockets) socket.resetAndDestroy();
  return heads.every((head) => head.startsWith('HTTP/1.1 200'));
}

const usedConnections = (): number => heavyDb.client.pool.numUsed();

/** The log lines above the level `info`. */
const complaints = (since = 0): string[] =>
  api.logLines.slice(since).filter((line) => /"level":[456]0/.test(line));

/** The number of bytes sent when the server cannot send more. */
async function untilStalled(socket: Socket): Promise<void> {
  let before = -1;
  await until('the reader’s buffers are full', () => {
    const now = socket.bytesRead + usedConnections();
    const isStalled = now === before && usedConnections() === 0;
    before = now;
    return isStalled;
  });
}

async function readRest(socket: Socket): Promise<{ bytes: number; end: string; isReset: boolean }> {
  let bytes = 0;
  let end = '';
  let isReset = false;
  socket.on('error', (error) => {
    isReset = 'code' in error && error.code === 'ECONNRESET';
  });
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    end = (end + chunk.toString('latin1')).slice(-100);
    // The end of the file. The connection stays open.
    if (end.endsWith('\r\n0\r\n\r\n')) socket.end();
  });
  // once() would reject on an error.
  await new Promise((resolve) => void socket.once('close', resolve));
  return { bytes, end, isReset };
}

describe('a whole file', () => {
  it('has every row once, in order', async () => {
    const response = await fetch(`http://127.0.0.1:${port}${pathOf(many)}`, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
    });
    const text = await response.text();
    const ids = text.split('\n').map((line) => line.slice(0, 7));
    expect(ids.shift()).toBe('id,text');
    expect(ids.pop()).toBe('');
    expect(ids).toHaveLength(SIZE.rowCount);
    expect(ids.every((id, index) => Number(id) === index)).toBe(true);
  });

  it('is the same compressed', async () => {
    const response = await fetch(`http://127.0.0.1:${port}${pathOf(many, '?format=jsonl')}`, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' },
    });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    // fetch has decompressed it.
    const lines = (await response.text()).split('\n');
    expect(lines).toHaveLength(SIZE.rowCount + 1);
    expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({ id: String(SIZE.rowCount - 1).padStart(7, '0') });
  });
});

describe('a slow reader', () => {
  it('holds no database connection, and gets the whole file in the end', async () => {
    const socket = await askAndStop(pathOf(many));
    await untilStalled(socket);
    expect(socket.bytesRead).toBeLessThan((SIZE.rowCount * LINE_BYTES) / 2);
    const { bytes } = await readRest(socket);
    expect(bytes).toBeGreaterThan((SIZE.rowCount - 1) * LINE_BYTES);
  });

  it('whose key is revoked meanwhile gets only the data in transit', async () => {
    const { id, value } = await createKey(api.db, accountId, 'download');
    const socket = await askAndStop(pathOf(many), { token: value });
    await untilStalled(socket);
    await api.db('apiKeys').where({ id }).update({ revokedAt: new Date() });
    const revokedAtMs = performance.now();
    await until('the key is asked about again', () => performance.now() - revokedAtMs > 3_000);
    const { bytes, isReset } = await readRest(socket);
    expect(isReset).toBe(true);
    expect(bytes).toBeLessThan((SIZE.rowCount * LINE_BYTES) / 2);
  });

  it.each([
    ['stops reading', { idleTimeoutMs: IDLE_TIMEOUT_MS }],
    ['takes too long', { fileTimeoutMs: FILE_TIMEOUT_MS }],
  ])('that %s gets a reset: with HTTP/1.0 an end would complete the file (regression)', async (_, limits) => {
    const impatient = buildApp({ ...api.services, heavyDb }, limits);
    const url = new URL(await impatient.listen({ host: '127.0.0.1', port: 0 }));
    const logged = api.logLines.length;
    const socket = await askAndStop(pathOf(many), { at: Number(url.port), version: '1.0' });
    await until('the request is over', () =>
      api.logLines.slice(logged).find((line) => line.includes('"msg":"the caller disconnected"')),
    );
    expect(usedConnections()).toBe(0);
    const { bytes, isReset } = await readRest(socket);
    expect(isReset).toBe(true);
    expect(bytes).toBeLessThan((SIZE.rowCount * LINE_BYTES) / 2);
    await impatient.close();
  });
});

describe('a reader that disconnects', () => {
  it('leaves neither connections nor download slots behind', async () => {
    const logged = api.logLines.length;
    const queries = ['', '?format=jsonl', '?escape=spreadsheet', ''];
    const sockets = await Promise.all(
      [...queries, ...queries].map((query) => askAndStop(pathOf(many, query))),
    );
    for (const socket of sockets) socket.resetAndDestroy();
    await until('all slots are free', () => canBegin(8));
    await until('no connection is in use', () => usedConnections() === 0);
    expect(complaints(logged)).toEqual([]);
  });

  it('leaves none behind if it disconnects before the file begins', async () => {
    for (let round = 0; round < 3; round += 1) {
      await api.db.transaction(async (trx) => {
        // Until this statement ends, no transaction can read the snapshot.
        await trx.raw('lock table snapshots in access exclusive mode');
        const logged = api.logLines.length;
        const sockets = Array.from({ length: 4 }, () => connect(port, '127.0.0.1'));
        for (const socket of sockets) {
          socket.write(`GET ${pathOf(many)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
        }
        await until('all of them wait', async () => {
          const { rows } = await trx.raw('select count(*) as waiting from pg_locks where not granted');
          return rows[0].waiting === sockets.length;
        });
        for (const socket of sockets) socket.resetAndDestroy();
        await until(
          'all have left',
          () =>
            api.logLines.slice(logged).filter((line) => line.includes('"msg":"the caller disconnected"'))
              .length === 4,
        );
      });
    }
    expect(await canBegin(8)).toBe(true);
  });

  it('frees a slot: an account has at most eight downloads in progress', async () => {
    const sockets: Socket[] = [];
    await until('all slots are taken', async () => {
      const socket = await askAndStop(pathOf(many));
      const isTaken = String(socket.read()).startsWith('HTTP/1.1 200');
      if (isTaken) sockets.push(socket);
      return sockets.length === 8;
    });
    const refused = await app.inject({ url: pathOf(many), headers: { authorization: `Bearer ${key}` } });
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ code: 'rate_limited' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const others = await createKey(api.db, api.accountId, 'download');
    const { statusCode } = await app.inject({
      url: pathOf(many),
      headers: { authorization: `Bearer ${others.value}` },
    });
    expect(statusCode).toBe(404);
    for (const socket of sockets) socket.destroy();
  });
});

describe('rows that are deleted while they are sent', () => {
  async function loseRowsWhileReading(version: string): Promise<Awaited<ReturnType<typeof readRest>>> {
    const { recordId, recordNo, rowCount } = await createManyRows(api.db, accountId, SIZE);
    const socket = await askAndStop(pathOf({ ...many, recordId }), { version });
    await untilStalled(socket);
    await api
      .db('row_versions')
      .where({ recordNo, rowKey: String(rowCount - 2).padStart(7, '0') })
      .delete();
    return readRest(socket);
  }

  it('reset the connection, so that the file is never truncated unnoticed', async () => {
    const logged = api.logLines.length;
    const { bytes, end, isReset } = await loseRowsWhileReading('1.1');
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(end).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(isReset).toBe(true);
    await until('it is logged', () => complaints(logged).length > 0);
    expect(complaints(logged)).toEqual([expect.stringContaining('no longer kept')]);
  });

  it('do so with HTTP/1.0 too, where the end of the connection ends the file', async () => {
    const { isReset } = await loseRowsWhileReading('1.0');
    expect(isReset).toBe(true);
  });

  it('do so with compression too', async () => {
    const { recordId, recordNo } = await createManyRows(api.db, accountId, SIZE);
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' };
    const get = () => fetch(`http://127.0.0.1:${port}${pathOf({ ...many, recordId })}`, { headers });
    expect((await (await get()).text()).length).toBeGreaterThan(SIZE.rowCount * SIZE.textLength);
    await api.db('row_versions').where({ recordNo, rowKey: '0050000' }).delete();
    const broken = await get();
    expect(broken.status).toBe(200);
    await expect(broken.text()).rejects.toThrow(TypeError);
  });
});

describe('a process that ends', () => {
  it('resets unread downloads within a few seconds', async () => {
    const ending = buildApp({ ...api.services, heavyDb });
    const url = new URL(await ending.listen({ host: '127.0.0.1', port: 0 }));
    const socket = await askAndStop(pathOf(many), { at: Number(url.port) });
    await untilStalled(socket);
    const closed = ending.close();
    const { isReset } = await readAfter(closed, socket);
    expect(isReset).toBe(true);
  });

  async function readAfter(closed: PromiseLike<unknown>, socket: Socket) {
    await closed;
    return readRest(socket);
  }
});
