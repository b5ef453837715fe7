// Idempotency-Key: a repeated POST runs once and gets the same response. A key belongs to its credential and one request,
// and is kept for a day.
import { createHmac, hash, hkdfSync, randomUUID } from 'node:crypto';
import { lengthPrefixed } from '../../core/crypto/envelope.ts';
import { ApiError } from '../../core/errors.ts';
import {
  claimKey,
  giveUpKey,
  keepAnswer,
  type KeyClaim,
  KEPT_HOURS,
} from '../../db/usage/idempotency-keys.ts';
import type { Services } from '../contract/context.ts';
import { invalidParameter } from '../contract/errors.ts';
import { encodeJson } from './json.ts';
import type { Operation } from '../contract/operation.ts';

const HEADER = 'Idempotency-Key';
/** Longer than any request runs (api/http/routes.ts), so the process that claimed the key has died. */
const DEAD_AFTER_SECONDS = 120;
const RETRY_AFTER_SECONDS = 2;

/** The status, and the operation's output or its stored JSON. */
export type Answer = { status: number } & ({ output: unknown } | { replayed: string | null });

interface RepeatableRequest {
  credentialId: string;
  key: string;
  operation: Operation;
  /** With its query string. */
  url: string;
  body: unknown;
}

/**
 * Undefined if there is no key, or none is needed: reads can be repeated, and operations without a credential have no owner
 * for the stored response.
 * @throws ApiError invalid_parameter
 */
export function idempotencyKeyOf(
  { http, scope }: Operation,
  header: string | string[] | undefined,
): string | undefined {
  if (header === undefined || http.method !== 'POST' || scope !== 'full') return undefined;
  const key = Array.isArray(header) ? header.join(',') : header;
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw invalidParameter(HEADER, 'must be 1 to 255 printable ASCII characters');
}

export type AnswerOnce = (request: RepeatableRequest, run: () => Promise<Answer>) => Promise<Answer>;

/**
 * Runs each request once, over any number of processes. Only success is stored: a request that fails releases its key, so
 * that it can be retried (docs/decisions/0017-http-contract.md).
 * @throws ApiError (that function) idempotency_key_reused, idempotency_in_progress, and what `run` throws
 */
export function createIdempotency(services: Pick<Services, 'db' | 'config' | 'log'>): AnswerOnce {
  const { db } = services;
  const hashesOf = requestHashes(services.config.keyEncryptionKeys);
  return async (request, run) => {
    const [requestHash, ...olderHashes] = hashesOf(request);
    if (requestHash === undefined) throw new Error('No key-encryption key is set (KEY_ENCRYPTION_KEYS)');
    const { credentialId, key } = request;
    const claim = { credentialId, key: storedKey(key), requestHash, claimId: randomUUID() };
    const known = await claimKey(db, claim, DEAD_AFTER_SECONDS);
    if (known === null) return runOnce(services, claim, request.operation, run);
    if (![requestHash, ...olderHashes].some((one) => one.equals(known.requestHash))) throw reused();
    if (known.status === null) throw inProgress();
    return { status: known.status, replayed: known.answer };
  };
}

async function runOnce(
  { db, log }: Pick<Services, 'db' | 'log'>,
  claim: KeyClaim,
  { secrets = [] }: Operation,
  run: () => Promise<Answer>,
): Promise<Answer> {
  // The work is done either way. If this fails, the claim remains until it expires.
  const orLog = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => log.error({ err: error }, 'an Idempotency-Key could not be written'));
  try {
    const answer = await run();
    await orLog(keepAnswer(db, claim, answer.status, withoutSecrets(answer, secrets)));
    return answer;
  } catch (error) {
    await orLog(giveUpKey(db, claim));
    throw error;
  }
}

function withoutSecrets(answer: Answer, secrets: readonly string[]): string | null {
  if ('replayed' in answer) return answer.replayed;
  const { output } = answer;
  if (typeof output !== 'object' || output === null) return null;
  return encodeJson(Object.fromEntries(Object.entries(output).filter(([name]) => !secrets.includes(name))));
}

/** Hashed, because callers may use a secret as the key. */
const storedKey = (key: string): string => hash('sha256', key, 'base64url');

/** Under every key-encryption key, the current one first, so that a request can be repeated after a rotation. */
function requestHashes(
  keks: Services['config']['keyEncryptionKeys'],
): (request: RepeatableRequest) => Buffer[] {
  const keys = Array.from(keks.values(), (kek) =>
    Buffer.from(hkdfSync('sha256', kek, '', 'idempotency v1', 32)),
  );
  return ({ operation, url, body }) => {
    const content = lengthPrefixed([operation.name, url, canonicalJson(body)]);
    return keys.map((key) => createHmac('sha256', key).update(content).digest());
  };
}

/** The same text for the same members in any order. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

function reused(): ApiError {
  return new ApiError(
    'idempotency_key_reused',
    `In the last ${KEPT_HOURS} hours this key was used for a request with another path or body.`,
  );
}

function inProgress(): ApiError {
  return new ApiError(
    'idempotency_in_progress',
    'The first request with this key is still running. Repeat this one in a moment to get its response.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
