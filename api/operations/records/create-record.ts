// POST /v1/sources
import { ApiError } from '../../../core/errors.ts';
import { isPaidTier, type Tier } from '../../../core/tiers.ts';
import type { Database } from '../../../db/driver/knex.ts';
import {
  findRecord,
  insertRecord,
  type NewRecord,
  readWritten,
  type TrackedRecord,
} from '../../../db/records/records.ts';
import type { Audit } from '../../contract/audit.ts';
import type { Context, PublicContext } from '../../contract/context.ts';
import { newId } from '../../contract/new-id.ts';
import { defineOperation } from '../../contract/operation.ts';
import { type GivenRecord, newRecordBody, readNewRecord } from '../../records/record-settings.ts';
import { presentRecord, recordSchema } from '../../resources/record.ts';
import { sealCredentials } from '../../records/seal-credentials.ts';
import { hasMoreRecordsThan, lockAccount, requireAccount } from '../../../db/accounts/accounts.ts';
import { slugCandidates, slugFromName } from '../../records/slugs.ts';
import { startWorkflow } from '../../temporal/workflows.ts';
import { waitUntil } from '../../temporal/wait-until.ts';

/** Only the operator changes tiers. */
export const FIRST_TIER: Tier = 'free';

export const createRecord = defineOperation({
  name: 'createRecord',
  audit: { action: 'record.create' },
  tag: 'Records',
  scope: 'full',
  accountOnly: true,
  errors: ['url_not_allowed', 'conflict'],
  summary: 'Start watching the data behind a URL',
  description: 'A setting that is `null` counts as not given.',
  http: { method: 'POST', path: '/v1/sources', status: 201 },
  body: newRecordBody,
  mayWait: true,
  output: recordSchema,
  async run(ctx, given) {
    const record = { ...readNewRecord(given, ctx, FIRST_TIER), accountId: ctx.principal.accountId };
    const made = await insertWithSlug(ctx, record, given);
    await startWorkflow(ctx, made);
    return presentRecord(await awaitFirstCheck(ctx, made));
  },
});

/** Inserts under the given slug, or under one made from the name, with a suffix if that is taken. */
async function insertWithSlug(
  ctx: Context & { audit: Audit },
  record: Omit<NewRecord, 'id' | 'slug'>,
  given: GivenRecord,
): Promise<TrackedRecord> {
  const { db, clock, config, audit } = ctx;
  const id = newId('record', clock());
  const owner = await requireAccount(db, record.accountId);
  const credentials = sealCredentials(config, owner, { id, url: record.url }, given);
  return slugCandidates(given.slug, slugFromName(record.name), (slug) =>
    db.transaction(async (trx) => {
      if (isLimited(ctx)) await lockAccount(trx, record.accountId, 'alone');
      await insertRecord(trx, { ...record, id, slug }, credentials);
      if (isLimited(ctx)) await requireRoom(trx, ctx);
      await audit(trx, { target: { id, name: record.name } });
      return readWritten(trx, id);
    }),
  );
}

/** Whether the account may have `freeRecords` records only. */
const isLimited = ({ principal, config }: Context): boolean =>
  config.freeRecords !== 0 && !isPaidTier(principal.tier);

/**
 * @param trx has locked the account alone, and inserted the record
 * @throws ApiError conflict when the account has too many records for its tier
 */
async function requireRoom(trx: Database, { principal, config: { freeRecords } }: Context): Promise<void> {
  if (!(await hasMoreRecordsThan(trx, principal.accountId, freeRecords))) return;
  const most = `An account has at most ${freeRecords} records before one of them is on a paid tier`;
  throw new ApiError('conflict', `${most}: delete one first.`);
}

/**
 * The record once its first check is committed, or as it is when the caller's wait ends. Never throws: the record is committed, so a
 * repeat of a request that failed would make another one.
 */
export async function awaitFirstCheck(ctx: PublicContext, made: TrackedRecord): Promise<TrackedRecord> {
  if (ctx.waitMs === 0) return made;
  let latest = made;
  const isOver = async (): Promise<true | undefined> => {
    const record = await findRecord(ctx.db, made.id);
    // Deleted meanwhile: no check will come.
    if (record === undefined) return true;
    latest = record;
    return record.lastCheckedAt === null ? undefined : true;
  };
  await waitUntil(ctx, isOver).catch((error: unknown) =>
    ctx.log.error({ err: error, recordId: made.id }, 'the first check could not be waited for'),
  );
  return latest;
}
