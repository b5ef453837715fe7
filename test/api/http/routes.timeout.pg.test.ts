// How long an operation may take to find its answer, and how long that answer may take to be sent.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { defineOperation } from '../../../api/contract/operation.ts';
import { fileAnswer, fileSchema } from '../../../api/http/files.ts';
import { useApi } from '../../support/api/api.ts';
import { until } from '../../support/until.ts';

const TIMEOUT_MS = 200;
/** More than the buffers of the two sockets hold. */
const PIECES = 64;
const PIECE = Buffer.alloc(1024 * 1024, 'x');

const shared = { tag: 'Records', scope: 'read', summary: 'Try something out' } as const;

const file = defineOperation({
  ...shared,
  name: 'file',
  http: { method: 'GET', path: '/v1/file' },
  output: fileSchema(['text/csv']),
  run: async ({ principal }) =>
    fileAnswer({
      contentType: 'text/csv; charset=utf-8',
      fileName: 'file.csv',
      etag: 'file',
      owner: { accountId: principal.accountId, isAnonymous: false },
      closing: new AbortController().signal,
      async *open() {
        for (let at = 0; at < PIECES; at++) yield PIECE;
      },
    }),
});

const stuck = defineOperation({
  ...shared,
  name: 'stuck',
  http: { method: 'GET', path: '/v1/stuck' },
  output: Type.Object({}),
  run: () => new Promise<never>(() => undefined),
});

const api = useApi({}, { operations: [file, stuck], operationTimeoutMs: TIMEOUT_MS });

it('regression: a file may take longer to send than its operation had', async () => {
  const address = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const request = get(`${address}/v1/file`, { headers: { authorization: `Bearer ${api.fullKey}` } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.pause();
  const startedAt = performance.now();
  await until('the time of the operation is over', () => performance.now() - startedAt > 3 * TIMEOUT_MS);
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  expect(bytes).toBe(PIECES * PIECE.length);
});

it('an operation that finds no answer in time is unavailable', async () => {
  const { statusCode, body } = await api.app.inject({
    url: '/v1/stuck',
    headers: { authorization: `Bearer ${api.fullKey}` },
  });
  expect([statusCode, JSON.parse(body)]).toMatchObject([503, { code: 'unavailable' }]);
});
