// Calls every operation with anything that its schemas allow and much that they do not. No answer may be an internal error,
// each must match the OpenAPI document, and none may repeat a secret.
// Repeats the same requests: FUZZ_SEED=<seed> npx vitest run test/api/openapi/document.fuzz.pg.test.ts
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../api/operations.ts';
import type { Operation } from '../../../api/contract/operation.ts';
import { answerRecordPreview } from '../../../db/records/record-previews.ts';
import { useApi } from '../../support/api/api.ts';
import { type FuzzedRequest, requestsTo } from '../../support/api/fuzz-requests.ts';
import { fill, makeForeignRecord, makeWorld, type World } from '../../support/api/fuzz-world.ts';

const MIN_REQUESTS = 10_000;
const RUNS = Math.ceil((1.02 * MIN_REQUESTS) / OPERATIONS.length);
/** The number of requests before a new world is created, also for a world in which a request deleted something. */
const WORLD_REQUESTS = 200;
const BROKEN_WORLD_REQUESTS = 8;

const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const api = useApi();
const statuses = new Map<number, number>();
/** The secrets of every world so far, none of which may be in the log. */
const secrets: string[] = [];
let foreign = '';
let world: World | undefined;
/** How many requests may still use the world. */
let left = 0;
/** The token of the last download link, which works without its world. */
let link = 'none';

async function currentWorld(): Promise<World> {
  left -= 1;
  if (world === undefined || left < 0) {
    world = await makeWorld(api, foreign);
    world.names.link = link;
    secrets.push(world.names.canary, ...Object.values(world.credentials).filter((key) => key !== null));
    left = WORLD_REQUESTS;
  }
  return world;
}

async function send(operation: Operation, request: FuzzedRequest): Promise<void> {
  const inWorld = await currentWorld();
  const { names, credentials } = inWorld;
  const { method } = operation.http;
  const key = credentials[request.credential];
  const { body } = request;
  const response = await api.app.inject({
    method,
    url: fill(request.url, inWorld, request.credential),
    // Each request uses another address, so that no limit of an address interferes.
    remoteAddress: `10.${left & 255}.${secrets.length % 256}.${Math.floor(secrets.length / 256)}`,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(body === undefined
      ? {}
      : { payload: typeof body === 'string' ? fill(body, inWorld, request.credential) : body }),
  });
  const { statusCode: status, headers, body: text } = response;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (status >= 500) throw new Error(`${status}: ${text}`);
  expect(api.faultsOf({ method, url: response.raw.req.url ?? '', status, headers, text })).toEqual([]);
  expect(headers['x-content-type-options']).toBe('nosniff');
  const isShown = status < 300 && operation.secrets?.includes('secret') === true;
  const hidden = [key, isShown ? null : names.canary].filter((secret) => secret !== null);
  expect(hidden.filter((secret) => text.includes(secret))).toEqual([]);
  if (status < 300) learn(operation, response.body, names);
}

/** Notes values for later requests, and that the world may have lost an object that they need. */
function learn({ http, name }: Operation, text: string, names: World['names']): void {
  if (http.method === 'DELETE' || name === 'keepRecord') left = Math.min(left, BROKEN_WORLD_REQUESTS);
  const [, cursor] = /"nextCursor":"([^"]+)"/.exec(text) ?? [];
  if (cursor !== undefined) names.cursor = cursor;
  link = /\/downloads\?token=([^"]+)"/.exec(text)?.[1] ?? link;
  names.link = link;
}

beforeAll(async () => {
  // No worker runs here.
  api.workflows.onPreview = (id) =>
    answerRecordPreview(api.db, id, { kind: 'failed', code: 'http_error', detail: 'It answered 404.' });
  foreign = await makeForeignRecord(api);
});

// Concurrent, so that one works while another waits for the database.
describe.concurrent('for any request', () => {
  it.each(OPERATIONS)('$name answers as documented', async (operation) => {
    await fc.assert(
      fc.asyncProperty(requestsTo(operation), (request) => send(operation, request)),
      { seed: seed + OPERATIONS.indexOf(operation), numRuns: RUNS },
    );
  });
});

it(`at least ${MIN_REQUESTS} requests were sent, many valid and many invalid`, () => {
  const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  expect(total).toBeGreaterThanOrEqual(MIN_REQUESTS);
  expect(statuses.get(200)).toBeGreaterThan(total / 20);
  for (const status of [201, 204, 400, 401, 403, 404, 413, 415, 422]) {
    expect(statuses.get(status), `answers with ${status}`).toBeGreaterThan(0);
  }
});

it('the log contains no secret', () => {
  const log = api.logLines.join('');
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
});

it('no prototype was polluted', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect('polluted' in {}).toBe(false);
});

afterAll(() => {
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${total} requests, seed ${seed}; ${counts.join(', ')}`);
});
