// POST /v1/sources
import { randomInt } from 'node:crypto';
import { Type } from 'typebox';
import { FORMATS } from '../../core/checks.ts';
import type { Tier } from '../../core/tiers.ts';
import { findRecord, insertRecord, type NewRecord, type TrackedRecord } from '../../db/records.ts';
import type { Context } from '../context.ts';
import { columnField, delimiterField, intervalField, nameField, slugField, urlField } from '../fields.ts';
import { newId } from '../new-id.ts';
import { defineOperation } from '../operation.ts';
import { checkSettings, defaultIntervalSeconds } from '../record-rules.ts';
import { presentRecord, recordSchema } from '../resources/record.ts';
import { isSlugTaken, slugTaken } from '../slug-taken.ts';
import { nameFromUrl, slugFromName } from '../slugs.ts';
import { tellWorkflow } from '../tell-workflow.ts';
import { waitUntil } from '../wait-until.ts';

/** Tiers are the operator's to set. */
const FIRST_TIER: Tier = 'free';

const uniqueColumns = { uniqueItems: true } as const;

export const createRecord = defineOperation({
  name: 'createRecord',
  tag: 'Records',
  scope: 'full',
  accountOnly: true,
  errors: ['url_not_allowed', 'conflict'],
  summary: 'Start watching the data behind a URL',
  http: { method: 'POST', path: '/v1/sources', status: 201 },
  body: {
    url: urlField,
    name: Type.Optional(nameField),
    slug: Type.Optional(slugField),
    format: Type.Optional(Type.Enum([...FORMATS])),
    delimiter: Type.Optional(delimiterField),
    keyFields: Type.Optional(Type.Array(columnField, { ...uniqueColumns, minItems: 1, maxItems: 16 })),
    ignoreFields: Type.Optional(Type.Array(columnField, { ...uniqueColumns, maxItems: 1_000 })),
    checkIntervalMinutes: Type.Optional(intervalField),
  },
  mayWait: true,
  output: recordSchema,
  async run(ctx, given) {
    const url = checkSettings(given, { ...ctx, tier: FIRST_TIER }) ?? new URL(given.url);
    const name = given.name ?? nameFromUrl(url);
    const id = await insertWithSlug(ctx, given.slug, {
      accountId: ctx.principal.accountId,
      name,
      url: url.href,
      tier: FIRST_TIER,
      format: given.format ?? null,
      delimiter: given.delimiter ?? null,
      rowsPath: null,
      keyFields: given.keyFields ?? null,
      ignoreFields: given.ignoreFields ?? [],
      checkIntervalSeconds:
        given.checkIntervalMinutes === undefined
          ? defaultIntervalSeconds(FIRST_TIER)
          : given.checkIntervalMinutes * 60,
    });
    await tellWorkflow(ctx, id, 'created');
    return presentRecord(await afterFirstCheck(ctx, id));
  },
});

const MAX_TRIES = 5;

/** Inserts under the slug given, or under one made of the name, with a suffix when that is taken. */
async function insertWithSlug(
  { db, clock }: Context,
  given: string | undefined,
  record: Omit<NewRecord, 'id' | 'slug'>,
): Promise<string> {
  const id = newId('record', clock());
  const wanted = given ?? slugFromName(record.name);
  for (let attempt = 1; ; attempt += 1) {
    const slug =
      attempt === 1
        ? wanted
        : `${wanted}-${randomInt(36 ** 4)
            .toString(36)
            .padStart(4, '0')}`;
    try {
      await insertRecord(db, { ...record, id, slug });
      return id;
    } catch (error) {
      if (!isSlugTaken(error) || attempt === MAX_TRIES) throw error;
      if (given !== undefined) throw slugTaken();
    }
  }
}

/** The record once its first check is committed, or as it is when the caller's patience ends. */
async function afterFirstCheck(ctx: Context, id: string): Promise<TrackedRecord> {
  const checked = await waitUntil(ctx, async () => {
    const record = await findRecord(ctx.db, id);
    return record !== undefined && (record.lastCheckedAt !== null || ctx.waitMs === 0) ? record : undefined;
  });
  const record = checked ?? (await findRecord(ctx.db, id));
  if (record === undefined) throw new Error('The record vanished while it was being created');
  return record;
}
