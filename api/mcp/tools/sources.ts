// list_sources, get_source, create_source, update_source and check_source
import { type Static, type TProperties, Type } from 'typebox';
import { authBody, newRecordBody } from '../../records/record-settings.ts';
import { listRecords } from '../../operations/records/list-records.ts';
import { RECORD_HEALTH } from '../../../db/records/visible-records.ts';
import { answerOf, defineTool, READS, READS_ROWS, statedAs, WRITES } from './tool.ts';
import { labelQueryOf, labelsArgument, limitArgument, pageFields, waitField, waitMs } from './tool-fields.ts';
import { checkRecord, findFinishedCheck, listRecordChecks } from '../../operations/records/checks.ts';
import { getOneRecord, pauseRecord, resumeRecord } from '../../operations/records/records.ts';
import { checkSchema } from '../../resources/check.ts';
import { recordSchema } from '../../resources/record.ts';
import { createRecord } from '../../operations/records/create-record.ts';
import { labelsField } from '../../input/labels.ts';
import { nullable } from '../../resources/shapes.ts';
import type { Context } from '../../contract/context.ts';
import { readRecord } from '../../access/find-named.ts';
import { patchRecord } from '../../operations/records/patch-record.ts';

/** Removes the credentials of sources, which models do not set. */
function forModels<P extends TProperties>(properties: P): Omit<P, keyof typeof authBody> {
  // The remaining fields keep their types.
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !(name in authBody))) as Omit<
    P,
    keyof typeof authBody
  >;
}

const sourceLike = statedAs(recordSchema, 'A source, as in get_source.');

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
  input: {
    labels: labelsArgument,
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'With this text in name, slug or URL.' }),
    ),
    health: Type.Optional(Type.Enum([...RECORD_HEALTH])),
    ...pageFields(SOURCES),
  },
  // No argument asks for counts.
  output: Type.Object({
    ...Type.Omit(answerOf(listRecords), ['counts']).properties,
    sources: Type.Array(sourceLike),
  }),
  items: 'sources',
  run: (ctx, { limit, labels, ...rest }) =>
    listRecords.run(ctx, { limit: limitArgument(SOURCES, limit), ...labelQueryOf(labels), ...rest }),
});

const RECENT_CHECKS = 5;

export const getSource = defineTool({
  name: 'get_source',
  title: 'Get a source and its health',
  description:
    'Settings of a source, how its key was detected, when it is checked next, and its last five checks with their ' +
    'results (changed, unchanged, held or failed, and why). Use it to see whether a source is reliable. For what ' +
    'changed: summarize_changes.',
  // It quotes what a failing origin sent.
  hints: READS_ROWS,
  over: [getOneRecord, listRecordChecks],
  input: {},
  output: Type.Object({ source: recordSchema, recentChecks: Type.Array(checkSchema) }),
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
  slowly: 'Checking for the first time',
  over: [createRecord],
  isOfSource: false,
  input: { ...forModels(newRecordBody), waitSeconds: waitField },
  output: sourceLike,
  run: (ctx, { waitSeconds, ...body }) => createRecord.run({ ...ctx, waitMs: waitMs(waitSeconds) }, body),
});

const status = Type.Optional(
  Type.Enum(['active', 'paused'], {
    description: 'paused: no checks until it is active again; resuming checks at once.',
  }),
);

const newLabels = Type.Optional(
  nullable({ ...labelsField, description: 'All labels: they replace the present ones.' }),
);

export const updateSource = defineTool({
  name: 'update_source',
  title: 'Change, pause or resume a source',
  description:
    'Changes only the given settings. status pauses and resumes checks. To check now: check_source.',
  hints: { ...WRITES, idempotentHint: true },
  over: [patchRecord, pauseRecord, resumeRecord],
  input: { ...forModels(patchRecord.body?.properties ?? {}), labels: newLabels, status },
  output: sourceLike,
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
  slowly: 'Checking',
  asTask: {
    begin: async (ctx, { waitSeconds }, atMostMs) => {
      // An integer, as the schema has checked.
      const wishedMs = waitMs(waitSeconds as number | undefined);
      const answer = await checkRecord.run({ ...ctx, waitMs: Math.min(wishedMs, atMostMs) }, {});
      // The operation's output.
      const { id, outcome } = answer as Static<typeof checkSchema>;
      return { answer, ...(outcome === null && wishedMs > atMostMs ? { follow: { id } } : {}) };
    },
    look: (ctx, { id }) => findFinishedCheck(ctx, String(id)),
  },
  over: [checkRecord],
  input: { waitSeconds: waitField },
  output: statedAs(checkSchema, 'A check, as in recentChecks of get_source.'),
  run: (ctx, { waitSeconds }) => checkRecord.run({ ...ctx, waitMs: waitMs(waitSeconds) }, {}),
});
