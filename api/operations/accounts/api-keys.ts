// API keys of the whole account: make, list, revoke.
import { Type } from 'typebox';
import { SCOPES } from '../../../core/principal.ts';
import { listApiKeys, type PublicApiKey, revokeApiKey } from '../../../db/access/api-keys.ts';
import type { Context } from '../../contract/context.ts';
import { notFound } from '../../contract/errors.ts';
import { idInPath, orderedPageQuery } from '../../input/fields.ts';
import { issueKey, newKeyFields } from '../../keys/issue-api-key.ts';
import { defineOperation } from '../../contract/operation.ts';
import { envelope, readPage, USUAL_LIMITS } from '../../input/page.ts';
import { apiKeySchema, createdApiKeySchema, presentApiKey } from '../../resources/api-key.ts';

const ofAccount = { tag: 'API keys', scope: 'full', accountOnly: true } as const;
const lock = { feature: 'API keys', creates: false } as const;

const ownerOf = ({ principal }: Context) => ({ accountId: principal.accountId, recordId: null });

export const createApiKey = defineOperation({
  ...ofAccount,
  name: 'createApiKey',
  lock: { ...lock, creates: true },
  errors: ['conflict', 'recent_sign_in_required'],
  secrets: ['key'],
  summary: 'Make an API key for all of the account’s records',
  description:
    'Its value (`key`) is shown in this answer only: what is stored is its hash. To replace a key, make the new one, switch over, then revoke the old one. An account has at most 100 keys that work.',
  http: { method: 'POST', path: '/v1/apikeys', status: 201 },
  body: { ...newKeyFields, scope: Type.Enum([...SCOPES], { description: 'What the key permits.' }) },
  output: createdApiKeySchema,
  run: (ctx, wanted) => issueKey(ctx, ownerOf(ctx), wanted),
});

export const listAccountApiKeys = defineOperation({
  ...ofAccount,
  name: 'listApiKeys',
  lock,
  summary: 'List the account’s API keys',
  description:
    'Also those that were revoked (`revokedAt`) or have expired. The keys of one record are listed with the record.',
  http: { method: 'GET', path: '/v1/apikeys' },
  query: orderedPageQuery,
  output: Type.Object({ ...envelope, apiKeys: Type.Array(apiKeySchema) }),
  async run(ctx, { order = 'desc', ...query }) {
    const owner = ownerOf(ctx);
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
  lock,
  summary: 'Revoke an API key of the account',
  description:
    'It works no more from the moment of this answer, on every process, and cannot be given back; a key may revoke itself. Revoking it again changes nothing and is answered alike.',
  http: { method: 'DELETE', path: '/v1/apikeys/:keyId', status: 204 },
  params: { keyId: idInPath('key') },
  output: Type.Null(),
  async run(ctx, { keyId }) {
    if (!(await revokeApiKey(ctx.db, ownerOf(ctx), keyId))) throw notFound();
    return null;
  },
});
