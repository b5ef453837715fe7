// list_sources, get_source, create_source, update_source and check_source
import { type Static, type TProperties, Type } from 'typebox';
import { authBody, newRecordBody } from '../../records/record-settings.ts';
import { listRecords } from '../../operations/records/list-records.ts';
import { answerOf, defineTool, READS, WRITES } from './tool.ts';
import { limitArgument, page, waitField, waitMs } from './tool-fields.ts';
import { checkRecord, listRecordChecks } from '../../operations/records/checks.ts';
import { getOneRecord, pauseRecord, resumeRecord } from '../../operations/records/records.ts';
import { checkSchema } from '../../resources/check.ts';
import { recordSchema } from '../../resources/record.ts';
import { createRecord } from '../../operations/records/create-record.ts';
import type { Context } from '../../contract/context.ts';
import { readRecord } from '../../access/find-named.ts';
import { patchRecord } from '../../operations/records/patch-record.ts';

const NO_ROOM = ['labels', 'rules', 'failingSince', 'originAnswer', 'counts'] as const;
type NotForModels = keyof typeof authBody | (typeof NO_ROOM)[number];
const NOT_FOR_MODELS: ReadonlySet<string> = new Set([...Object.keys(authBody), ...NO_ROOM]);

/** Removes the fields that models do not set, such as source credentials, and those for which the list of tools has no room. */
function forModels<P extends TProperties>(properties: P): Omit<P, NotForModels> {
  // The remaining fields keep their types.
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !NOT_FOR_MODELS.has(name))) as Omit<
    P,
    NotForModels
  >;
}

/** A record in a tool's description. The answers have the other fields too. */
const sourceSchema = Type.Object(forModels(recordSchema.properties));

const SOURCES = { fallback: 20, max: 100 } as const;

export const listSources = defineTool({
  name: 'list_sources',
  title: 'List sources',
  description:
    'The sources (watched records) that this credential can access, newest first: id, slug, URL, last check and its ' +
    'result. For one source with its recent checks: get_source.',
  hints: READS,
  over: [listRecords],
  isOfSource: false,
  input: page(SOURCES),
  output: Type.Object({ ...forModels(answerOf(listRecords).properties), sources: Type.Array(sourceSchema) }),
  items: 'sources',
  run: (ctx, { limit, ...rest }) => listRecords.run(ctx, { limit: limitArgument(SOURCES, limit), ...rest }),
});

const RECENT_CHECKS = 5;

export const getSource = defineTool({
  name: 'get_source',
  title: 'Get a source and its health',
  description:
    'Settings of a source, how its key was detected, when it is checked next, and its last five checks with their ' +
    'results (changed, unchanged, held or failed, and why). Use it to see whether a source is reliable. For what ' +
    'changed: summarize_changes.',
  hints: READS,
  over: [getOneRecord, listRecordChecks],
  input: {},
  output: Type.Object({ source: sourceSchema, recentChecks: Type.Array(checkSchema) }),
  run: async (ctx) => {
    const [source, listed] = await Promise.all([
      getOneRecord.run(ctx, {}),
      listRecordChecks.run(ctx, { limit: RECENT_CHECKS }),
    ]);
    // The operation's output.
    const { checks } = listed as { checks: Static<typeof checkSchema>[] };
    return { source, recentChecks: checks };
  },
});

export const createSource = defineTool({
  name: 'create_source',
  title: 'Watch a new source',
  description:
    'Starts watching the data behind a public URL (CSV, TSV, JSONL or JSON) and waits for the first check. Format and key are detected by default. Never give credentials here: create the source, then set them over the REST API (PATCH /v1/sources/{id}).',
  hints: { ...WRITES, idempotentHint: false, openWorldHint: true },
  over: [createRecord],
  isOfSource: false,
  input: { ...forModels(newRecordBody), waitSeconds: waitField },
  output: sourceSchema,
  run: (ctx, { waitSeconds, ...body }) => createRecord.run({ ...ctx, waitMs: waitMs(waitSeconds) }, body),
});

const status = Type.Optional(
  Type.Enum(['active', 'paused'], {
    description: 'paused: no checks until it is active again; resuming checks at once.',
  }),
);

export const updateSource = defineTool({
  name: 'update_source',
  title: 'Change, pause or resume a source',
  description:
    'Changes only the given settings. status pauses and resumes checks. To check now: check_source.',
  hints: { ...WRITES, idempotentHint: true },
  over: [patchRecord, pauseRecord, resumeRecord],
  input: { ...forModels(patchRecord.body?.properties ?? {}), status },
  output: sourceSchema,
  run: async (ctx, { status: wanted, ...settings }) => {
    const hasSettings = Object.keys(settings).length > 0;
    const updated = hasSettings ? await patchRecord.run(ctx, settings) : undefined;
    if (wanted === undefined && updated !== undefined) return updated;
    const now = hasSettings ? await again(ctx) : ctx;
    if (wanted === undefined) return patchRecord.run(now, {});
    return (wanted === 'paused' ? pauseRecord : resumeRecord).run(now, {});
  },
});

/** The context with the record as it is now. */
async function again(ctx: Context): Promise<Context> {
  return ctx.record === null ? ctx : { ...ctx, record: await readRecord(ctx, ctx.record.id) };
}

export const checkSource = defineTool({
  name: 'check_source',
  title: 'Check a source now',
  description:
    'Fetches the source now, ahead of its schedule, and waits for the result. outcome null: not finished; use ' +
    'get_source later. If it is changed, deltaEventId is the event for get_delta_rows.',
  hints: { ...WRITES, idempotentHint: false, openWorldHint: true },
  over: [checkRecord],
  input: { waitSeconds: waitField },
  output: answerOf(checkRecord),
  run: (ctx, { waitSeconds }) => checkRecord.run({ ...ctx, waitMs: waitMs(waitSeconds) }, {}),
});
