// Tables that lose the line end of their last row, as after a transfer that broke off: through the real activities.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, decide, get, lastCheck, latest, makeRecord, patch, rowsOf, settle } = useWatchedRecords();

const write = (count: number, noteOf = (at: number) => `delivered on day ${at}`): string =>
  `id,note\n${Array.from({ length: count }, (_, at) => `${at},${noteOf(at)}\n`).join('')}`;
const open = (body: string): string => body.trimEnd();
/** The last note loses its end. */
const cut = (count: number): string => open(write(count)).slice(0, -4);

const DETAIL =
  'The last row has no line end, and the last body ended in one, as after a transfer that broke off';

describe('an origin that breaks off', () => {
  let server: Server;
  let sent = '';
  beforeAll(async () => {
    server = createServer((socket) => {
      // Without a length and without chunks, the end of the connection ends the body.
      socket.once('data', () => {
        socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\nconnection: close\r\n\r\n${sent}`);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.close();
    await once(server, 'close');
  });

  it('regression: is held, and changes no row', async () => {
    sent = write(30);
    // A server that listens on a port has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const id = await bench().makeRecord({ url: `http://127.0.0.1:${port}/`, keyFields: ['id'] });
    await bench().check(id);
    expect(await get(id)).toMatchObject({ totalRows: 30 });
    sent = cut(20);
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({
      outcome: 'held',
      code: 'sharp_drop',
      detail: `${DETAIL}: 20 rows after 30. Waiting for a second check to confirm.`,
      warnings: [],
    });
    expect((await rowsOf(id))['19']).toBe('{"id":"19","note":"delivered on day 19"}');
    sent = write(31);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ newCount: 1, changedCount: 0, deletedCount: 0 });
    expect(await get(id)).toMatchObject({ heldCheckId: null });
  });
});

describe('regression: a table without the line end of the one before', () => {
  it.each([
    ['as many rows', 10],
    ['fewer rows', 8],
    ['more rows', 15],
  ])('is held with %s, until a second body confirms it', async (_what, count) => {
    const { id, serve } = await makeRecord(write(10), { keyFields: ['id'] });
    serve(cut(count));
    await bench().check(id);
    expect((await lastCheck(id))?.detail).toContain(`${DETAIL}: ${count} rows after 10.`);
    expect(await get(id)).toMatchObject({ totalRows: 10, heldRows: count });
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'changed' });
    expect(await get(id)).toMatchObject({ totalRows: count, heldCheckId: null });
  });

  it('is held when it is large, and compared by bytes', async () => {
    const many = (at: number) => `${at} ${'x'.repeat(1_000)}`;
    const { id, serve } = await makeRecord(write(1_200, many), { keyFields: ['id'] });
    for (const count of [1_201, 1_202]) {
      serve(write(count, many));
      await bench().check(id);
    }
    serve(open(write(1_202, many)).slice(0, -4));
    await bench().check(id);
    expect((await lastCheck(id))?.detail).toContain(`${DETAIL}: 1202 rows after 1202.`);
    serve(write(1_202, many));
    await bench().check(id);
    expect(await get(id)).toMatchObject({ totalRows: 1_202, heldCheckId: null });
  });

  it('is recorded when a person accepts it, and held again after a rejection', async () => {
    const { id, serve } = await makeRecord(write(10), { keyFields: ['id'] });
    serve(cut(9));
    await bench().check(id);
    expect(await decide(id, 'rejected')).toBe(true);
    await bench().check(id);
    await bench().check(id);
    expect((await lastCheck(id))?.detail).toMatch(/: 9 rows after 10\. About as many were rejected;/);
    expect(await decide(id, 'accepted')).toBe(true);
    await settle(id);
    expect(await latest(id)).toMatchObject({ newCount: 0, changedCount: 1, deletedCount: 1 });
  });

  it('is held when the accepted body is gone, because nothing is known of its end', async () => {
    const { id, serve } = await makeRecord(open(write(10)), { keyFields: ['id'] });
    await bench().deps.blobs.removeAll(id);
    serve(cut(10));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
  });
});

describe('holds no check', () => {
  it.each([
    [
      'of a table that never ends in a line end',
      open(write(10)),
      [open(write(9)), open(write(12)), write(11)],
    ],
    ['of a table that ends in one', write(10), [write(9), write(12).replaceAll('\n', '\r\n')]],
    ['in which no row differs', write(10), [open(write(10)), write(10)]],
    ['after a table without rows', 'id,note\n', [open(write(3))]],
  ])('%s', async (_what, first, others) => {
    const { id, serve } = await makeRecord(first, { keyFields: ['id'] });
    for (const body of others) {
      serve(body);
      await bench().check(id);
      expect((await lastCheck(id))?.outcome).toMatch(/^(?:un)?changed$/);
    }
  });

  it('of another format', async () => {
    const { id, serve } = await makeRecord(write(3), { keyFields: ['id'] });
    await patch(id, { format: 'json' });
    serve(JSON.stringify([{ id: '0', note: 'delivered on day 0' }]));
    await bench().check(id);
    expect((await lastCheck(id))?.code).not.toBe('sharp_drop');
    const lines = await makeRecord('{"id":1}\n{"id":2}\n', { keyFields: ['id'] }, 'application/jsonl');
    lines.serve('{"id":1}');
    await bench().check(lines.id);
    expect(await lastCheck(lines.id)).toMatchObject({ outcome: 'changed' });
  });
});
