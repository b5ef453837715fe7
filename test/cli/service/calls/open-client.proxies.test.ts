// What a command says while another server answers in place of the service.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { ENDLESS, openClient } from '../../../../cli/service/calls/open-client.ts';
import type { Recordwatch } from '../../../../clients/typescript/src/recordwatch.ts';

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(console, 'error').mockImplementation((words: string) => void said.push(words));
});
afterEach(() => vi.restoreAllMocks());

type Answer = (response: ServerResponse) => void;

const answer =
  (status: number, type: string, body: string): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(body);
const service = answer(200, 'application/json', '{"id":"a"}');
const refusal = answer(404, 'application/problem+json', '{"code":"not_found"}');
const cut: Answer = (response) => void response.destroy();

/** A client of a server that answers its calls in turn. */
async function clientOf(answers: Answer[]): Promise<Recordwatch> {
  const server = createServer((_request, response) => answers.shift()?.(response)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return openClient({ url: `http://127.0.0.1:${port}` }, { ...ENDLESS, maxRetries: 0 });
}

const FOREIGN = [
  [404, 'text/html', '<h1>Not here</h1>'],
  [404, 'application/json', '{"message":"no Route matched"}'],
  [200, 'application/json', '{"message":"Maintenance"}'],
  [200, 'application/json', 'null'],
  [200, 'text/plain', 'Maintenance'],
  [200, 'text/html', '<h1>Maintenance</h1>'],
] as const;

it.each(FOREIGN)('regression: tells another server’s answer: %i, %s, %s', async (status, type, body) => {
  const foreign = answer(status, type, body);
  const client = await clientOf([service, foreign, foreign, refusal]);
  await client.records.get('a');
  await expect(client.records.get('a')).rejects.toMatchObject({ code: 'unreadable' });
  await expect(client.records.get('a')).rejects.toMatchObject({ code: 'unreadable' });
  expect(said).toEqual([`No answer (another server’s answer, status ${status}). Trying again.`]);
  await expect(client.records.get('a')).rejects.toMatchObject({ code: 'not_found' });
  expect(said.slice(1)).toEqual(['The service answers again.']);
});

it.each(FOREIGN)('regression: takes none for the service’s: %i, %s, %s', async (status, type, body) => {
  const client = await clientOf([cut, answer(status, type, body), service]);
  await expect(client.records.get('a')).rejects.toMatchObject({ name: 'ConnectionError' });
  await expect(client.records.get('a')).rejects.toMatchObject({ code: 'unreadable' });
  expect(said).toEqual([expect.stringMatching(/^No answer \(.*\)\. Trying again\.$/)]);
  await client.records.get('a');
  expect(said.slice(1)).toEqual(['The service answers again.']);
});

it('reads no file to find out', async () => {
  const client = await clientOf([
    (response) =>
      void response
        .writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="a.csv"' })
        .end('id\n1\n'),
  ]);
  expect(await (await client.snapshots.download('a', 'latest', { format: 'csv' })).text()).toBe('id\n1\n');
  expect(said).toEqual([]);
});
