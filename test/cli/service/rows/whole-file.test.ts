// A file across connections that break off, from a server that the test controls.
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FileOptions, OtherFile, wholeFile } from '../../../../cli/service/rows/whole-file.ts';
import type { Download } from '../../../../clients/typescript/src/http/download.ts';
import { Recordwatch } from '../../../../clients/typescript/src/recordwatch.ts';

const FILE = 'id,note\nA,1\nB,"two\nlines"\nC,3\n';

/** What it does with a request. After the last one it does it again. */
let answers: ((response: ServerResponse) => void)[] = [];
let requests = 0;
let server: Server;
let client: Recordwatch;
beforeEach(async () => {
  requests = 0;
  server = createServer((_request, response) => {
    requests += 1;
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  client = new Recordwatch({ baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const begin = (response: ServerResponse, etag = '"one"'): ServerResponse =>
  response.writeHead(200, {
    'content-type': 'text/csv',
    'content-disposition': 'attachment; filename="a.csv"',
    ...(etag !== '' && { etag }),
  });
const whole = (response: ServerResponse): void => void begin(response).end(FILE);
const cutAfter =
  (bytes: number, etag?: string) =>
  (response: ServerResponse): void =>
    void begin(response, etag).write(FILE.slice(0, bytes), () => response.destroy());
/** The connection ends as if the file were complete. */
const endAfter =
  (bytes: number) =>
  (response: ServerResponse): void =>
    void begin(response).end(FILE.slice(0, bytes));
const page =
  (status: number) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Back soon</h1>');

const open = (): Promise<Download> => client.snapshots.download('prices', 'latest', { format: 'csv' });

/** A short patience, so that the test takes no two minutes. */
async function read(options: Partial<FileOptions> = {}): Promise<string> {
  const patience = { attempts: 4, totalMs: 20, pauseMs: 1 };
  const { signal } = new AbortController();
  const given = { reopen: open, onBreak: () => undefined, format: 'csv', rows: 3, signal, patience } as const;
  return text(wholeFile(await open(), { isLatest: true, ...given, ...options }));
}

it.each([
  ['a refused connection', (response: ServerResponse) => void response.socket?.destroy()],
  ['a 502', page(502)],
  ['a proxy’s 404', page(404)],
  ['a maintenance page', page(200)],
  ['a shorter file', endAfter(3)],
])('regression: goes on after %s', async (_what, answer) => {
  answers = [cutAfter(10), answer, answer, cutAfter(20), answer, whole];
  expect(await read()).toBe(FILE);
  expect(requests).toBe(6);
});

it('regression: a file that just ends is complete when all rows are there', async () => {
  const inQuotes = FILE.indexOf('lines');
  answers = [endAfter(inQuotes), endAfter(FILE.length - 1), whole];
  expect(await read()).toBe(FILE);
  expect(requests).toBe(3);
  answers = [endAfter(inQuotes)];
  expect(await read({ rows: undefined })).toBe(FILE.slice(0, inQuotes));
});

it.each([
  ['breaks off at the same place', cutAfter(10)],
  ['just ends at the same place', endAfter(10)],
])('gives up a file that %s again and again', async (_what, answer) => {
  answers = [answer];
  const breaks: number[] = [];
  const reading = read({ onBreak: () => void breaks.push(requests) });
  await expect(reading).rejects.toMatchObject({
    message: 'The connection broke off before the file was complete.',
    code: 'incomplete',
  });
  expect(breaks.length).toBeGreaterThanOrEqual(4);
  expect(requests).toBe(breaks.length + 1);
});

it.each([
  ['never has an entity tag', '', '', true],
  ['loses its entity tag', '"one"', '', true],
  ['has another entity tag, though it was asked for by its id', '"one"', '"two"', false],
])('regression: does not go on with a file that %s', async (_what, first, second, isLatest) => {
  answers = [cutAfter(10, first), cutAfter(20, second)];
  await expect(read({ isLatest })).rejects.toMatchObject({
    message: 'The connection broke off before the file was complete.',
    code: 'incomplete',
  });
  expect(requests).toBe(2);
});

it('says that there is a newer version', async () => {
  answers = [cutAfter(10), cutAfter(20, '"two"')];
  await expect(read()).rejects.toThrow(OtherFile);
  expect(requests).toBe(2);
});

it('does not go on when the service refuses the file', async () => {
  const refuse = (response: ServerResponse) => void response.writeHead(410).end('{"code":"gone"}');
  answers = [cutAfter(10), refuse];
  await expect(read()).rejects.toMatchObject({ name: 'GoneError', code: 'gone' });
  expect(requests).toBe(2);
});

it('ends with its signal while it waits', async () => {
  const ended = new AbortController();
  answers = [cutAfter(10), page(503)];
  const patience = { attempts: 4, totalMs: 600_000, pauseMs: 600_000 };
  const onBreak = (): void => {
    if (requests === 2) ended.abort(new Error('enough'));
  };
  await expect(read({ signal: ended.signal, patience, onBreak })).rejects.toThrow('aborted');
  expect(requests).toBe(2);
});
