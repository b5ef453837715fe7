// POST /v1/sources/:id/keep
import { Type } from 'typebox';
import { hashApiKey, parseApiKey } from '../../../core/crypto/api-key.ts';
import { ApiError } from '../../../core/errors.ts';
import { lockSessionRecord, moveRecord, type SessionRecord } from '../../../db/access/ephemeral-sessions.ts';
import type { Knex } from '../../../db/driver/knex.ts';
import { readWritten, type TrackedRecord } from '../../../db/records/records.ts';
import { findCredentials } from '../../../db/records/source-credentials.ts';
import type { Audit } from '../../contract/audit.ts';
import type { Context } from '../../contract/context.ts';
import { invalidField } from '../../contract/errors.ts';
import { nameField, recordParams, slugField } from '../../input/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { validateSettings } from '../../records/record-settings.ts';
import { presentRecord, recordSchema } from '../../resources/record.ts';
import { resealCredentials } from '../../records/seal-credentials.ts';
import { requireAccount } from '../../../db/accounts/accounts.ts';
import { slugCandidates } from '../../records/slugs.ts';
import { tellWorkflow } from '../../temporal/workflows.ts';

export const keepRecord = defineOperation({
  name: 'keepRecord',
  audit: { action: 'record.keep' },
  tag: 'Sessions',
  scope: 'full',
  accountOnly: true,
  errors: ['not_found', 'conflict'],
  summary: 'Move the record of an ephemeral session into the account',
  description:
    'The record moves with all of its history and its credentials, and continues on the tier `free`. Its session ' +
    'ends with the response. `:id` is the record’s id or slug in the session, or `self`. If the account uses the ' +
    'slug already, it gets a suffix, unless you request another one.',
  http: { method: 'POST', path: '/v1/sources/:id/keep' },
  params: recordParams,
  body: {
    token: Type.String({
      pattern: '^cat_eph_[0-9A-Za-z]{36}$',
      description: 'the token of the session',
      writeOnly: true,
    }),
    name: Type.Optional(nameField),
    slug: Type.Optional(slugField),
  },
  output: recordSchema,
  async run(ctx, { id: reference, token, name, slug: askedSlug }) {
    if (parseApiKey(token)?.kind !== 'ephemeral') {
      throw invalidField(
        '/token',
        'invalid_value',
        'is not a session token: check that you copied all of it',
      );
    }
    validateSettings(askedSlug === undefined ? {} : { slug: askedSlug }, { ...ctx, tier: 'free' });
    const tokenHash = hashApiKey(token);
    // Read before the first slug is tried. Each try reads it again under its lock.
    const firstChoice = await ctx.db.transaction(async (trx) => (await find(trx, tokenHash, reference)).slug);
    const kept = await slugCandidates(askedSlug, firstChoice, (slug) =>
      ctx.db.transaction((trx) => move(ctx, trx, tokenHash, { reference, slug, name })),
    );
    await tellWorkflow(ctx, kept.id, 'settingsChanged');
    return presentRecord(kept);
  },
});

/** @throws ApiError not_found: the same for a token that is unknown, expired, or of another record */
async function find(trx: Knex.Transaction, tokenHash: Buffer, reference: string): Promise<SessionRecord> {
  const record = await lockSessionRecord(trx, tokenHash);
  if (record === undefined || !['self', record.id, record.slug].includes(reference)) {
    throw new ApiError(
      'not_found',
      'No session with this token has such a record: the session ended, or its record was kept already.',
    );
  }
  return record;
}

interface Wish {
  reference: string;
  slug: string;
  name: string | undefined;
}

async function move(
  ctx: Context & { audit: Audit },
  trx: Knex.Transaction,
  tokenHash: Buffer,
  { reference, slug, name }: Wish,
): Promise<TrackedRecord> {
  const record = await find(trx, tokenHash, reference);
  const { accountId } = ctx.principal;
  const sealed = await sealForKeeper(ctx, trx, record);
  const newName = name ?? record.name;
  await moveRecord(trx, record, { accountId, slug, name: newName, sealed });
  await ctx.audit(trx, { target: { id: record.id, name: newName } });
  return readWritten(trx, record.id);
}

/** @throws ApiError conflict when the secret cannot be opened */
async function sealForKeeper(
  { config, principal }: Context,
  trx: Knex.Transaction,
  record: SessionRecord,
): Promise<Buffer | null> {
  if (record.authType === 'none') return null;
  const stored = await findCredentials(trx, record.id, record.authVersion);
  const to = await requireAccount(trx, principal.accountId);
  try {
    if (stored === undefined || stored.sealed === null) throw new Error('The record’s credentials are gone');
    const from = { id: stored.accountId, wrappedDataKey: stored.wrappedDataKey };
    return resealCredentials(config, stored.sealed, record, { from, to });
  } catch (cause) {
    throw new ApiError(
      'conflict',
      'The record’s source credentials cannot be opened: set them again, or set authType to none, then keep the record.',
      { cause },
    );
  }
}
