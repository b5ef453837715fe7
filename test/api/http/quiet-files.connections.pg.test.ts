// Files with few rows, over real connections: they take longer than a connection may be idle.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { defineOperation } from '../../../api/contract/operation.ts';
import { fileAnswer, fileSchema } from '../../../api/http/files.ts';
import { useListeningApi } from '../../support/api/listening-api.ts';

const IDLE_TIMEOUT_MS = 1_000;
/** No statement takes nearly as long as a connection may be idle. */
const PIECE_AFTER_MS = 100;
const PIECES = 30;

const sparse = defineOperation({
  tag: 'Records',
  scope: 'read',
  summary: 'Try something out',
  name: 'sparse',
  http: { method: 'GET', path: '/v1/sparse' },
  output: fileSchema(['text/csv']),
  run: async ({ principal }) =>
    fileAnswer({
      contentType: 'text/csv; charset=utf-8',
      fileName: 'sparse.csv',
      etag: 'sparse',
      owner: { accountId: principal.accountId, isAnonymous: false },
      closing: new AbortController().signal,
      async *open() {
        yield 'id,text\n';
        for (let at = 0; at < PIECES; at += 1) {
          await pause(PIECE_AFTER_MS);
          yield '';
        }
        yield '1,the only row\n';
      },
    }),
});

const { api, baseUrl } = await useListeningApi({ operations: [sparse], idleTimeoutMs: IDLE_TIMEOUT_MS });

it.each(['identity', 'gzip', 'zstd'])('regression: %s arrives whole', async (encoding) => {
  const headers = { authorization: `Bearer ${api.fullKey}`, 'accept-encoding': encoding };
  const response = await fetch(`${baseUrl}/v1/sparse`, { headers });
  expect(await response.text()).toBe('id,text\n1,the only row\n');
});
