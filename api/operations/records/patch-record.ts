// PATCH /v1/sources/:id: changes the settings of a record, and decides what a change sets off.
import { Type } from 'typebox';
import { changesBetween } from '../../../core/audit.ts';
import { isTableInForce, isRekeyDue, isSameList } from '../../../core/generation.ts';
import { findCheck } from '../../../db/check-log.ts';
import { type LockedRecord, lockRecord } from '../../../db/records/lock-record.ts';
import { type RecordChanges, type TrackedRecord, updateRecord } from '../../../db/records/records.ts';
import type { Context } from '../../contract/context.ts';
import { getRecord, readRecord } from '../../access/find-named.ts';
import { isRekeyPending, presentRecord, recordSchema } from '../../resources/record.ts';
import { tellWorkflow } from '../../temporal/workflows.ts';
import { waitUntil } from '../../temporal/wait-until.ts';
import { ApiError } from '../../../core/errors.ts';
import { type GivenAuth, originOf } from '../../../core/source-credentials.ts';
import type { Knex } from '../../../db/driver/knex.ts';
import { replaceCredentials } from '../../../db/records/source-credentials.ts';
import { takeExtraCheck, takeHost, takeReread } from '../../access/usage-limits.ts';
import { notFound } from '../../contract/errors.ts';
import { nameField, recordQuietHoursField, recordParams, slugField, urlField } from '../../input/fields.ts';
import { labelsField } from '../../input/labels.ts';
import { defineOperation } from '../../contract/operation.ts';
import { nullable } from '../../resources/shapes.ts';
import {
  authBody,
  type GivenRows,
  mergeRows,
  READING_SETTINGS,
  type ReadingSettings,
  validateSettings,
  rowSettingsBody,
  intervalField,
  settingsToBe,
} from '../../records/record-settings.ts';
import { sealCredentials } from '../../records/seal-credentials.ts';
import { requireAccount } from '../../../db/accounts/accounts.ts';
import { isSlugTaken, slugTaken } from '../../records/slugs.ts';

/**
 * What a PATCH makes the workflow do: nothing; read the settings again; fetch the origin at once; or rekey the rows, that is,
 * read the stored body again under the new rule or start over with the next body.
 */
type ChangeEffect = 'none' | 'tell' | 'fetch' | 'rekey';

/** @returns the record once the change took effect, or as it is when the caller's wait ends */
async function tellAndAwaitChange(
  ctx: Context,
  { id, status }: TrackedRecord,
  effect: ChangeEffect,
): Promise<TrackedRecord> {
  const isCheckAwaited = effect === 'fetch' && ctx.waitMs > 0 && status === 'active';
  const checkId = isCheckAwaited ? await askForCheck(ctx, id) : undefined;
  if (checkId === undefined) await tellWorkflow(ctx, id, 'settingsChanged');
  const settled = await waitUntil(ctx, async () => {
    if (checkId !== undefined && (await findCheck(ctx.db, id, checkId)) === undefined) return undefined;
    const record = await readRecord(ctx, id);
    return isRekeyPending(record) ? undefined : record;
  });
  return settled ?? readRecord(ctx, id);
}

/**
 * Asks for a check by id, because a check that is already running uses the old settings.
 * @returns undefined when no worker answers: the change is committed, so the request does not fail
 */
async function askForCheck(ctx: Context, id: string): Promise<string | undefined> {
  // The rows are rekeyed before another body is compared with them.
  if (isRekeyDue(await readRecord(ctx, id))) await tellWorkflow(ctx, id, 'settingsChanged');
  return ctx.temporal.requestCheck(id).catch((error: unknown) => {
    ctx.log.error({ err: error, recordId: id }, 'could not request a check; signalling the workflow instead');
    return undefined;
  });
}

export const patchRecord = defineOperation({
  name: 'updateRecord',
  audit: { action: 'record.update' },
  tag: 'Records',
  scope: 'full',
  errors: ['url_not_allowed', 'conflict', 'rate_limited'],
  summary: 'Change a record’s settings',
  description:
    'Changes of `keyFields`, `ignoreFields`, `rules`, `headerRow` or `quoting` are applied to the stored body, without a fetch: one ' +
    'event with `rekeyed`, and no row counts as new or deleted. If the body cannot be read with them, a failed check ' +
    '(trigger `settings`) says why, and the previous settings are restored. `null` detects `keyFields`, `headerRow`, ' +
    '`format`, `delimiter` or `rowsPath` from the data; changes of the latter three apply from the next check, which ' +
    'starts at once. `startOver` compares the next body with nothing before it. A changed URL or changed credentials ' +
    'are checked at once, and `Prefer: wait` waits for that check. Under a new URL of the same origin (scheme, host ' +
    'and port) a record keeps its credentials; for another origin they must be set again, or `authType` set to ' +
    '`none`. `labels` replaces all labels; `null` removes them.',
  http: { method: 'PATCH', path: '/v1/sources/:id' },
  params: recordParams,
  body: {
    name: Type.Optional(nameField),
    slug: Type.Optional(slugField),
    url: Type.Optional(urlField),
    checkIntervalMinutes: Type.Optional(intervalField),
    labels: Type.Optional(nullable(labelsField)),
    quietHours: Type.Optional(nullable(recordQuietHoursField)),
    ...rowSettingsBody,
    ...authBody,
  },
  mayWait: true,
  output: recordSchema,
  async run(ctx, { id: _reference, ...given }) {
    const record = getRecord(ctx);
    const url = validateSettings(settingsToBe(record, given), { ...ctx, tier: record.tier })?.href;
    const rows = changeRows(record, given);
    const effect = effectOf(record, { ...given, url }, rows.effect);
    if (effect === 'none') return presentRecord(record);
    if (rows.effect === 'rekey') await takeReread(ctx.db, record.id);
    const isAnonymous = ctx.principal.kind === 'ephemeral';
    if (isAnonymous && (effect !== 'tell' || url !== undefined)) await takeExtraCheck(ctx.db, record.id);
    const { name, slug, checkIntervalMinutes, labels, quietHours } = given;
    const changes: RecordChanges = {
      ...(name === undefined ? {} : { name }),
      ...(slug === undefined ? {} : { slug }),
      ...(url === undefined ? {} : { url }),
      ...(checkIntervalMinutes === undefined ? {} : { checkIntervalSeconds: checkIntervalMinutes * 60 }),
      ...(labels === undefined ? {} : { labels: labels ?? {} }),
      ...(quietHours === undefined ? {} : { quietHours }),
    };
    await ctx.db
      .transaction(async (trx) => {
        const locked = await lockRecord(trx, record);
        if (locked === undefined) throw notFound();
        // Other settings may have changed since the record was read.
        const current = { ...record, ...locked };
        validateSettings(settingsToBe(current, given), { ...ctx, tier: locked.tier });
        if (isAnonymous && url !== undefined) await takeOtherHost(trx, locked.url, url);
        await changeAuth(ctx, trx, { ...locked, url: url ?? locked.url }, given, locked);
        await updateRecord(trx, record.id, { ...changes, ...rows.changesOf(locked) });
        await ctx.audit(trx, { target: record, changes: changesBetween(settingsShown(current), given) });
      })
      .catch((error: unknown) => {
        throw isSlugTaken(error) ? slugTaken() : error;
      });
    return presentRecord(await tellAndAwaitChange(ctx, record, effect));
  },
});

/** Without the credentials. */
const settingsShown = (record: TrackedRecord) => ({
  ...presentRecord(record),
  authType: record.authType,
  startOver: false,
});

/** Another URL or credentials are fetched with at once, after a rekey if one is due. */
function effectOf(
  record: TrackedRecord,
  given: { url: string | undefined; authType?: string },
  ofRows: ChangeEffect,
): ChangeEffect {
  if (given.authType !== undefined || (given.url !== undefined && given.url !== record.url)) return 'fetch';
  if (ofRows !== 'none') return ofRows;
  return Object.values(given).some((value) => value !== undefined) ? 'tell' : 'none';
}

interface RowChanges {
  /** Of the row settings alone. */
  effect: ChangeEffect;
  changesOf: (locked: LockedRecord) => RecordChanges;
}

/** @throws ApiError validation_failed when a key field is not a column of the latest body */
export function changeRows(record: TrackedRecord, given: GivenRows): RowChanges {
  const isAsked = READING_SETTINGS.some((name) => given[name] !== undefined) || given.startOver !== undefined;
  if (!isAsked) return { effect: 'none', changesOf: () => ({}) };
  const { startOver } = given;
  const startsOverGeneration =
    startOver === undefined ? record.startsOverGeneration : startOver ? record.generation : null;
  const rows = mergeRows(record, given);
  const isOtherFor = (before: ReadingSettings, after: ReadingSettings): boolean =>
    detectsAgain(record, given) || !hasSameDialect(before, after);
  const settingsVersion = record.settingsVersion + (isOtherFor(record, rows) ? 1 : 0);
  const asked = { ...record, ...rows, settingsVersion, startsOverGeneration };
  if (isRekeyDue(asked)) refuseUnknownKey(asked, given);
  return {
    effect: effectOfRows(record, asked, { startOver, detectsAgain: detectsAgain(record, given) }),
    changesOf: (locked) => {
      const merged = mergeRows(locked, given);
      const dialectVersion = locked.dialectVersion + (isOtherFor(locked, merged) ? 1 : 0);
      // Without rows there is nothing to start over, unless a running check is about to commit some; it then clears the
      // request. An earlier request to start over remains unless this PATCH sets the field.
      const begins =
        startOver === undefined ? {} : { startsOverGeneration: startOver ? locked.generation : null };
      return { ...merged, dialectVersion, ...begins };
    },
  };
}

/** A failing record shows what was detected, so its user cannot see that `null` was the setting already. */
const detectsAgain = ({ consecutiveFailures }: TrackedRecord, given: GivenRows): boolean =>
  consecutiveFailures > 0 && DIALECT_SETTINGS.some((name) => given[name] === null);

function effectOfRows(
  record: TrackedRecord,
  asked: TrackedRecord,
  { startOver, detectsAgain: isDetected }: { startOver: boolean | undefined; detectsAgain: boolean },
): ChangeEffect {
  if (isRekeyDue(asked) || (startOver === true && record.snapshotId !== null)) return 'rekey';
  if (isDetected) return 'fetch';
  const isSameTable = record.headerRow === asked.headerRow && record.quoting === asked.quoting;
  return hasSameDialect(record, asked) && isSameTable ? 'tell' : 'fetch';
}

const DIALECT_SETTINGS = ['format', 'delimiter', 'rowsPath'] as const;

const hasSameDialect = (before: ReadingSettings, after: ReadingSettings): boolean =>
  DIALECT_SETTINGS.every((name) => before[name] === after[name]);

/** An ignored field is not a column, but may be in the body. */
function refuseUnknownKey(record: TrackedRecord, { keyFields }: GivenRows): void {
  const { columns, headIgnoreFields } = record;
  if (keyFields === undefined || keyFields === null || columns.length === 0) return;
  // With another header line or quoting the columns may be different.
  if (!isTableInForce(record)) return;
  if (isSameList(keyFields, record.headKeyFields)) return;
  const mayBeThere = (field: string): boolean =>
    columns.includes(field) ||
    headIgnoreFields.some((ignored) => field === ignored || field.startsWith(`${ignored}.`));
  const detail =
    'is not a column of the latest snapshot; if the origin sends it now, send `startOver: true` as well';
  const errors = keyFields.flatMap((field, index) =>
    mayBeThere(field) ? [] : [{ pointer: `/keyFields/${index}`, code: 'unknown_column', detail }],
  );
  const [first] = errors;
  if (first !== undefined) {
    throw new ApiError('validation_failed', `${first.pointer} ${detail}.`, { errors });
  }
}

async function takeOtherHost(trx: Knex.Transaction, before: string, after: string): Promise<void> {
  if (new URL(before).hostname !== new URL(after).hostname) await takeHost(trx, after);
}

/** @throws ApiError validation_failed when a secret would pass to another origin than it was given for */
async function changeAuth(
  { config }: Context,
  trx: Knex.Transaction,
  record: Pick<LockedRecord, 'id' | 'accountId' | 'url'>,
  given: GivenAuth,
  before: LockedRecord,
): Promise<void> {
  if (given.authType !== undefined) {
    const credentials = sealCredentials(config, await requireAccount(trx, record.accountId), record, given);
    await replaceCredentials(trx, record.id, given.authType, credentials);
  } else if (before.authType !== 'none' && originOf(before.url) !== originOf(record.url)) {
    const detail = 'must be set again with its fields, or be none, because the URL has another origin';
    throw new ApiError('validation_failed', `/authType ${detail}.`, {
      errors: [{ pointer: '/authType', code: 'credentials_required', detail }],
    });
  }
}
