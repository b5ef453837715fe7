// API keys of an account and of one record: create, list, revoke.
import { Type } from 'typebox';
import { SCOPES } from '../../../core/principal.ts';
import { type KeyOwner, listApiKeys, type PublicApiKey, revokeApiKey } from '../../../db/access/api-keys.ts';
import type { Audit } from '../../contract/audit.ts';
import type { Context } from '../../contract/context.ts';
import { notFound } from '../../contract/errors.ts';
import { idInPath, orderedPageQuery, recordParams } from '../../input/fields.ts';
import { issueKey, newKeyFields } from '../../keys/new-api-keys.ts';
import { defineOperation } from '../../contract/operation.ts';
import { envelope, readPage, recordEnvelope, USUAL_LIMITS } from '../../input/page.ts';
import { apiKeySchema, createdApiKeySchema, presentApiKey } from '../../resources/api-key.ts';
import { getRecord } from '../../access/find-named.ts';

const PERMITS =
  'What the key permits: `full` everything; `read` all reads; `download` files of rows; `feed` the Atom feed, also as the ' +
  'parameter `token` of its URL.';

const ofAccount = { tag: 'API keys', scope: 'full', accountOnly: true } as const;
const lock = { feature: 'API keys', creates: false } as const;

/** @throws ApiError not_found */
async function revoke(ctx: Context & { audit: Audit }, owner: KeyOwner, keyId: string): Promise<void> {
  await ctx.db.transaction(async (trx) => {
    const key = await revokeApiKey(trx, owner, keyId);
    if (key === undefined) throw notFound();
    if (key.isRevokedNow) await ctx.audit(trx, { target: { id: keyId, name: key.name } });
  });
}

const accountOwner = ({ principal }: Context) => ({ accountId: principal.accountId, recordId: null });

export const createApiKey = defineOperation({
  ...ofAccount,
  name: 'createApiKey',
  audit: { action: 'api_key.create' },
  lock: { ...lock, creates: true },
  errors: ['conflict', 'recent_sign_in_required'],
  secrets: ['key'],
  summary: 'Create an API key for all of the account’s records',
  description:
    'Its value (`key`) is shown in this response only; the service stores its hash. To replace a key, create the new ' +
    'one, switch to it, then revoke the old one. An account has at most 100 valid keys.',
  http: { method: 'POST', path: '/v1/apikeys', status: 201 },
  body: { ...newKeyFields, scope: Type.Enum([...SCOPES], { description: PERMITS }) },
  output: createdApiKeySchema,
  run: (ctx, wanted) => issueKey(ctx, accountOwner(ctx), wanted),
});

export const listAccountApiKeys = defineOperation({
  ...ofAccount,
  name: 'listApiKeys',
  lock,
  summary: 'List the account’s API keys',
  description:
    'Includes revoked (`revokedAt`) and expired keys. The keys of one record are listed with the record.',
  http: { method: 'GET', path: '/v1/apikeys' },
  query: orderedPageQuery,
  output: Type.Object({ ...envelope, apiKeys: Type.Array(apiKeySchema) }),
  async run(ctx, { order = 'desc', ...query }) {
    const owner = accountOwner(ctx);
    const { items, ...page } = await readPage<PublicApiKey, [string]>(
      ctx,
      { listing: 'apiKeys', filters: { accountId: owner.accountId, order }, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) => listApiKeys(ctx.db, owner, order, { after: after?.[0] ?? null, limit }),
      (apiKey) => [apiKey.id],
    );
    return { ...page, apiKeys: items.map(presentApiKey) };
  },
});

export const removeApiKey = defineOperation({
  ...ofAccount,
  name: 'revokeApiKey',
  audit: { action: 'api_key.revoke' },
  lock,
  summary: 'Revoke an API key of the account',
  description:
    'The key stops working at once in every process, for good; a key may revoke itself. Revoking it again changes ' +
    'nothing and gets the same response.',
  http: { method: 'DELETE', path: '/v1/apikeys/:keyId', status: 204 },
  params: { keyId: idInPath('key') },
  output: Type.Null(),
  async run(ctx, { keyId }) {
    await revoke(ctx, accountOwner(ctx), keyId);
    return null;
  },
});

const ofRecord = { tag: 'API keys', scope: 'full' } as const;

function recordOwner(ctx: Context) {
  const { id: recordId, accountId } = getRecord(ctx);
  return { accountId, recordId };
}

export const createRecordApiKey = defineOperation({
  ...ofRecord,
  name: 'createRecordApiKey',
  audit: { action: 'api_key.create' },
  lock: { ...lock, creates: true },
  errors: ['conflict', 'recent_sign_in_required'],
  secrets: ['key'],
  summary: 'Create an API key for one record',
  description:
    'It can access this record only, under `self`, and ends with it. Its value (`key`) is shown in this response ' +
    'only. A record has at most 20 valid keys.',
  http: { method: 'POST', path: '/v1/sources/:id/apikeys', status: 201 },
  params: recordParams,
  body: {
    ...newKeyFields,
    scope: Type.Enum(['read', 'download', 'feed'], {
      description: `${PERMITS} \`full\` is for account keys.`,
    }),
  },
  output: createdApiKeySchema,
  run: async (ctx, { name, scope, expiresAt }) =>
    issueKey(ctx, recordOwner(ctx), { name, scope, ...(expiresAt === undefined ? {} : { expiresAt }) }),
});

export const listRecordApiKeys = defineOperation({
  ...ofRecord,
  name: 'listRecordApiKeys',
  lock,
  summary: 'List a record’s API keys',
  description: 'Includes revoked (`revokedAt`) and expired keys.',
  http: { method: 'GET', path: '/v1/sources/:id/apikeys' },
  params: recordParams,
  query: orderedPageQuery,
  output: Type.Object({ ...recordEnvelope, apiKeys: Type.Array(apiKeySchema) }),
  async run(ctx, { order = 'desc', ...query }) {
    const owner = recordOwner(ctx);
    const { items, ...page } = await readPage<PublicApiKey, [string]>(
      ctx,
      { listing: 'recordApiKeys', filters: { recordId: owner.recordId, order }, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) => listApiKeys(ctx.db, owner, order, { after: after?.[0] ?? null, limit }),
      (apiKey) => [apiKey.id],
    );
    return { sourceId: owner.recordId, ...page, apiKeys: items.map(presentApiKey) };
  },
});

export const removeRecordApiKey = defineOperation({
  ...ofRecord,
  name: 'revokeRecordApiKey',
  audit: { action: 'api_key.revoke' },
  lock,
  summary: 'Revoke an API key of a record',
  description:
    'The key stops working at once in every process, for good. Revoking it again changes nothing and gets the same ' +
    'response.',
  http: { method: 'DELETE', path: '/v1/sources/:id/apikeys/:keyId', status: 204 },
  params: { ...recordParams, keyId: idInPath('key') },
  output: Type.Null(),
  async run(ctx, { keyId }) {
    await revoke(ctx, recordOwner(ctx), keyId);
    return null;
  },
});
