// The real API on a database of its own, with calls that check every answer against its schema.
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type AppOptions, buildApp } from '../../../api/app.ts';
import type { Services } from '../../../api/contract/context.ts';
import { createLogger } from '../../../api/http/logger.ts';
import type { Operation } from '../../../api/contract/operation.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { createRateLimits } from '../../../api/access/rate-limits.ts';
import type { Config } from '../../../core/config.ts';
import { parseConfig } from '../../../core/config.ts';
import { createCursorCodec } from '../../../core/crypto/cursor.ts';
import { readReach } from '../../../core/network/reach.ts';
import { API_ERRORS } from '../../../core/errors.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { contractOf, type Contract, type ObservedAnswer } from './contract.ts';
import { createTestDatabase } from '../servers/database.ts';
import { createAccount, createKey, testKeys } from '../rows/factories.ts';
import { type RecordedWorkflows, recordWorkflowCalls } from './recorded-workflows.ts';

export interface CallOptions {
  /** The credential; null sends none. The account's full key unless given. */
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  // Undefined when it is not JSON. The harness checks bodies against their schemas, so tests read them untyped.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  text: string;
  headers: LightMyRequestResponse['headers'];
}

export interface TestApi {
  app: FastifyInstance;
  services: Services;
  db: Database;
  workflows: RecordedWorkflows;
  accountId: string;
  fullKey: string;
  logLines: string[];
  /** The faults of an answer according to the OpenAPI document. */
  faultsOf: Contract;
  call: (
    method: Operation['http']['method'] | 'PUT' | 'HEAD',
    url: string,
    options?: CallOptions,
  ) => Promise<Answer>;
}

/**
 * Starts before the file's tests, fills the object, and ends after them. Rate limits are far above what tests send. Every
 * answer, however it was requested, is checked against the OpenAPI document.
 */
export function useApi(settings: Partial<Config> = {}, options: AppOptions = {}): TestApi {
  const api = {} as TestApi;
  const faults: string[] = [];
  let drop = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    const accountId = await createAccount(database.db);
    const { value: fullKey } = await createKey(database.db, accountId, 'full');
    const workflows = recordWorkflowCalls();
    const logLines: string[] = [];
    // Tests that write HTTP by hand use any host name.
    const config = { ...parseConfig({}), keyEncryptionKeys: testKeys, allowedHosts: ['*'], ...settings };
    const services: Services = {
      db: database.db,
      heavyDb: database.db,
      temporal: workflows,
      clock: Date.now,
      log: createLogger('debug', { write: (line) => void logLines.push(line) }),
      config,
      cursors: createCursorCodec(testKeys),
      reach: readReach(config),
    };
    const app = buildApp(services, { rateLimits: createRateLimits({ multiplier: 1_000 }), ...options });
    const faultsOf = contractOf(options.operations ?? OPERATIONS);
    observeAnswers(app, (answer) => void faults.push(...faultsOf(answer)));
    Object.assign(api, { app, services, db: database.db, workflows, accountId, fullKey, logLines, faultsOf });
    api.call = (method, url, options) => call(api, method, url, options);
  });
  afterEach(() => expect(faults.splice(0), 'answers are as declared').toEqual([]));
  afterAll(async () => {
    await api.app.close();
    await drop();
  });
  return api;
}

/** Observes answers before they are compressed, and files without their content. */
function observeAnswers(app: FastifyInstance, observe: (answer: ObservedAnswer) => void): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { method, url = '' } = request.raw;
    const text = payload === null || payload === undefined ? '' : payload;
    observe({
      method: method ?? '',
      url,
      status: reply.statusCode,
      headers: reply.getHeaders(),
      ...(typeof text === 'string' ? { text } : {}),
    });
  });
}

async function call(api: TestApi, method: string, url: string, options: CallOptions = {}): Promise<Answer> {
  const { key = api.fullKey, body, headers = {} } = options;
  const response = await api.app.inject({
    method: method as 'GET',
    url,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = response.body;
  const answer: Answer = {
    status: response.statusCode,
    body: /\bjson\b/.test(String(response.headers['content-type'])) ? parse(text) : undefined,
    text,
    headers: response.headers,
  };
  checkAnswer(api, answer, method, url);
  return answer;
}

function parse(text: string): Answer['body'] {
  return text === '' ? undefined : JSON.parse(text);
}

/** Checks what must hold for every answer. */
function checkAnswer({ faultsOf }: TestApi, answer: Answer, method: string, url: string): void {
  const { status, body, headers, text } = answer;
  expect(headers['x-request-id']).toMatch(/^[\w.-]{1,64}$/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  const mayBeKept = status < 400 && (method === 'GET' || method === 'HEAD');
  expect(headers['cache-control']).toMatch(
    mayBeKept ? /^(private, no-cache|public, .*|no-store)$/ : /^no-store$/,
  );
  expect(faultsOf({ method, url, status, headers, text }), `${method} ${url} answers as declared`).toEqual(
    [],
  );
  if (status >= 400) checkProblem(body, status, headers);
}

function checkProblem(body: Answer['body'], status: number, headers: Answer['headers']): void {
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  if (body === undefined) return;
  const { code } = body as { code: keyof typeof API_ERRORS };
  expect(body).toMatchObject({ status, title: API_ERRORS[code].title, requestId: headers['x-request-id'] });
  expect(API_ERRORS[code].status).toBe(status);
  expect(body.type).toMatch(new RegExp(`/docs/errors#${code}$`));
  expect(body.detail).not.toBe('');
}
