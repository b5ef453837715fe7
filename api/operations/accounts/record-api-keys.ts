// API keys that reach one record: make, list, revoke.
import { Type } from 'typebox';
import { listApiKeys, type PublicApiKey, revokeApiKey } from '../../../db/access/api-keys.ts';
import type { Context } from '../../contract/context.ts';
import { notFound } from '../../contract/errors.ts';
import { idInPath, orderedPageQuery, recordParams } from '../../input/fields.ts';
import { getRecord } from '../../access/get-record.ts';
import { issueKey, newKeyFields } from '../../keys/issue-api-key.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readPage, recordEnvelope, USUAL_LIMITS } from '../../input/page.ts';
import { apiKeySchema, createdApiKeySchema, presentApiKey } from '../../resources/api-key.ts';

const ofRecord = { tag: 'API keys', scope: 'full' } as const;
const lock = { feature: 'API keys', creates: false } as const;

function ownerOf(ctx: Context) {
  const { id: recordId, accountId } = getRecord(ctx);
  return { accountId, recordId };
}

export const createRecordApiKey = defineOperation({
  ...ofRecord,
  name: 'createRecordApiKey',
  lock: { ...lock, creates: true },
  errors: ['conflict', 'recent_sign_in_required'],
  secrets: ['key'],
  summary: 'Make an API key for one record',
  description:
    'It reaches this record and nothing else, needs no id to name it (`self`), and ends with it. Its value (`key`) is shown in this answer only. A record has at most 20 keys that work.',
  http: { method: 'POST', path: '/v1/sources/:id/apikeys', status: 201 },
  params: recordParams,
  body: {
    ...newKeyFields,
    scope: Type.Enum(['read', 'download'], {
      description: 'What the key permits; `full` is for keys of the account.',
    }),
  },
  output: createdApiKeySchema,
  run: async (ctx, { name, scope, expiresAt }) =>
    issueKey(ctx, ownerOf(ctx), { name, scope, ...(expiresAt === undefined ? {} : { expiresAt }) }),
});

export const listRecordApiKeys = defineOperation({
  ...ofRecord,
  name: 'listRecordApiKeys',
  lock,
  summary: 'List a record’s API keys',
  description: 'Also those that were revoked (`revokedAt`) or have expired.',
  http: { method: 'GET', path: '/v1/sources/:id/apikeys' },
  params: recordParams,
  query: orderedPageQuery,
  output: Type.Object({ ...recordEnvelope, apiKeys: Type.Array(apiKeySchema) }),
  async run(ctx, { order = 'desc', ...query }) {
    const owner = ownerOf(ctx);
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
  lock,
  summary: 'Revoke an API key of a record',
  description:
    'It works no more from the moment of this answer, on every process, and cannot be given back. Revoking it again changes nothing and is answered alike.',
  http: { method: 'DELETE', path: '/v1/sources/:id/apikeys/:keyId', status: 204 },
  params: { ...recordParams, keyId: idInPath('key') },
  output: Type.Null(),
  async run(ctx, { keyId }) {
    if (!(await revokeApiKey(ctx.db, ownerOf(ctx), keyId))) throw notFound();
    return null;
  },
});
