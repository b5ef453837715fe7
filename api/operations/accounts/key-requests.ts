// How a program gets an API key that a person allows in the dashboard (RFC 8628, with a key in place of a token): the program
// starts a request and shows its code; the person answers under that code; the program collects the key, once.
import { Type } from 'typebox';
import { newDeviceSecret, newUserCode } from '../../../core/crypto/key-request-codes.ts';
import { hashApiKey } from '../../../core/crypto/api-key.ts';
import { ApiError } from '../../../core/errors.ts';
import { findApiKey } from '../../../db/access/api-keys.ts';
import {
  answerOpenKeyRequest,
  type AskedKeyRequest,
  askKeyRequest,
  deleteKeyRequest,
  findOpenKeyRequest,
  insertKeyRequest,
  type NewKeyRequest,
} from '../../../db/access/key-requests.ts';
import type { Knex } from '../../../db/driver/knex.ts';
import { requireRecentSignIn } from '../../access/admission.ts';
import { KEY_REQUESTS_PER_HOUR, takeKeyRequest, takeUserCode } from '../../access/usage-limits.ts';
import type { Audit } from '../../contract/audit.ts';
import type { Context, PublicContext } from '../../contract/context.ts';
import { newId } from '../../contract/new-id.ts';
import { defineOperation, definePublicOperation } from '../../contract/operation.ts';
import { issueAllowedKey } from '../../keys/new-api-keys.ts';
import {
  collectedKeySchema,
  keyRequestSchema,
  machineField,
  presentKeyRequest,
  startedKeyRequestSchema,
  userCodeField,
} from '../../resources/key-request.ts';

const LENGTH_SECONDS = 600;
const INTERVAL_SECONDS = 5;

export const startKeyRequest = definePublicOperation({
  name: 'startKeyRequest',
  audit: null,
  tag: 'API keys',
  summary: 'Ask for an API key that a person allows in the dashboard',
  description:
    'For a program on somebody’s machine, such as `recordwatch login`. Show `userCode` and `verificationUrl` to the ' +
    'person, then ask for the key with `deviceSecret` every `intervalSeconds` ' +
    `(\`POST /v1/key-requests/collect\`). A request lives for ${LENGTH_SECONDS / 60} minutes. Each address gets ` +
    `${KEY_REQUESTS_PER_HOUR} of them an hour. \`Idempotency-Key\` has no effect here.`,
  secrets: ['deviceSecret'],
  http: { method: 'POST', path: '/v1/key-requests', status: 201 },
  body: { machine: machineField },
  output: startedKeyRequestSchema,
  async run({ db, config, clock, address, origin }, { machine }) {
    await takeKeyRequest(db, address);
    const deviceSecret = newDeviceSecret();
    const { userCode, expiresAt } = await insertWithCode(db, {
      id: newId('keyRequest', clock()),
      secretHash: hashApiKey(deviceSecret),
      machine,
      // Complete, unlike the address that is counted.
      address: origin.ip ?? address,
      lengthSeconds: LENGTH_SECONDS,
    });
    return {
      deviceSecret,
      userCode,
      verificationUrl: `${config.baseUrl}/dashboard/allow-login?code=${userCode}`,
      expiresAt: expiresAt.toISOString(),
      expiresInSeconds: LENGTH_SECONDS,
      intervalSeconds: INTERVAL_SECONDS,
    };
  },
});

/** Another request may have the code, once in many millions. */
async function insertWithCode(
  db: PublicContext['db'],
  request: Omit<NewKeyRequest, 'userCode'>,
): Promise<{ userCode: string; expiresAt: Date }> {
  for (;;) {
    const userCode = newUserCode();
    const expiresAt = await insertKeyRequest(db, { ...request, userCode });
    if (expiresAt !== undefined) return { userCode, expiresAt };
  }
}

export const collectKey = definePublicOperation({
  name: 'collectKey',
  audit: { action: 'api_key.create' },
  tag: 'API keys',
  summary: 'Collect the API key of a request that a person has allowed',
  description:
    'The key is made by this call, for the holder of the secret alone, and only once: then the secret is unknown ' +
    '(404). `Idempotency-Key` has no effect here.',
  errors: ['not_found', 'conflict'],
  secrets: ['key'],
  http: { method: 'POST', path: '/v1/key-requests/collect' },
  body: {
    deviceSecret: Type.String({ pattern: '^[\\w-]{43}$', description: 'from the start of the request' }),
  },
  output: collectedKeySchema,
  run: (ctx, { deviceSecret }) =>
    ctx.db.transaction(async (trx) => {
      const request = await askKeyRequest(trx, hashApiKey(deviceSecret));
      if (request === undefined) {
        throw new ApiError(
          'not_found',
          'No request has this secret: it has expired, or its key was collected already. Start another one.',
        );
      }
      const status = statusOf(request);
      const { intervalSeconds } = request;
      const key = status === 'issued' ? await issue(ctx, trx, request) : null;
      return { status, intervalSeconds, key };
    }),
});

function statusOf({ isAllowed, isExpired }: AskedKeyRequest): 'pending' | 'issued' | 'refused' | 'expired' {
  if (isAllowed === false) return 'refused';
  if (isExpired) return 'expired';
  return isAllowed === null ? 'pending' : 'issued';
}

/** Two processes that collect at once wait for each other, and the second finds no request. */
async function issue(
  ctx: PublicContext & { audit: Audit },
  trx: Knex.Transaction,
  { id, machine, accountId, approverId, scope }: AskedKeyRequest,
): Promise<string> {
  if (accountId === null || approverId === null || scope === null) {
    throw new Error('A request was allowed without an account');
  }
  await deleteKeyRequest(trx, id);
  const wanted = { name: `recordwatch on ${machine}`, scope };
  return issueAllowedKey({ ...ctx, db: trx }, { accountId, approverId }, wanted);
}

const ofAccount = { tag: 'API keys', scope: 'full', accountOnly: true } as const;

export const getKeyRequest = defineOperation({
  ...ofAccount,
  name: 'getKeyRequest',
  lock: { feature: 'API keys', creates: false },
  summary: 'Read a program’s request for an API key, by its code',
  description: 'Only while it waits for an answer. `machine` is what the program says, and is not verified.',
  errors: ['not_found'],
  http: { method: 'GET', path: '/v1/key-requests' },
  query: { userCode: userCodeField },
  output: keyRequestSchema,
  async run({ db, principal }, { userCode }) {
    await takeUserCode(db, principal.accountId);
    const request = await findOpenKeyRequest(db, userCode);
    if (request === undefined) throw noRequest();
    return presentKeyRequest(request);
  },
});

export const answerKeyRequest = defineOperation({
  ...ofAccount,
  name: 'answerKeyRequest',
  audit: { action: 'key_request.answer' },
  lock: { feature: 'API keys', creates: true },
  summary: 'Allow or refuse a program’s request for an API key',
  description:
    'The first answer counts. The key itself is made when the program collects it, and ends up with that program alone. ' +
    'Allow only what you started yourself, on your own machine.',
  errors: ['not_found', 'recent_sign_in_required'],
  http: { method: 'POST', path: '/v1/key-requests/answer', status: 204 },
  body: {
    userCode: userCodeField,
    answer: Type.Enum(['allow', 'refuse']),
    scope: Type.Optional(
      Type.Enum(['full', 'read'], { description: 'What the key permits; `read` by default.' }),
    ),
  },
  output: Type.Null(),
  async run(ctx, { userCode, answer, scope = 'read' }) {
    const { db, principal } = ctx;
    await takeUserCode(db, principal.accountId);
    if (answer === 'allow') await requireLastingApprover(ctx);
    const { accountId, credentialId: approverId } = principal;
    const approval = answer === 'allow' ? { accountId, approverId, scope } : null;
    await db.transaction(async (trx) => {
      const request = await answerOpenKeyRequest(trx, userCode, approval);
      if (request === undefined) throw noRequest();
      const { id, machine: name } = request;
      const chosen = approval === null ? [] : [{ field: 'scope', after: scope }];
      const changes = [{ field: 'answer', after: answer }, ...chosen];
      await ctx.audit(trx, { target: { id, name }, changes });
    });
    return null;
  },
});

/**
 * The new key has no end, so what allows it may not end by itself: a login has to be recent, and a key without an expiry.
 * @throws ApiError recent_sign_in_required or insufficient_scope
 */
async function requireLastingApprover(ctx: Context): Promise<void> {
  await requireRecentSignIn(ctx, 'allow the login');
  const key = await findApiKey(ctx.db, ctx.principal.credentialId);
  if ((key?.expiresAt ?? null) === null) return;
  throw new ApiError(
    'insufficient_scope',
    'This key expires, and the new one would outlive it: use a key without an expiry, or the dashboard.',
  );
}

const noRequest = (): ApiError =>
  new ApiError(
    'not_found',
    'No program waits for this code: it is mistyped, was answered already, or has expired.',
  );
