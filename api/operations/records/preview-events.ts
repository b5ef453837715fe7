// Previews what the latest events would have been under other rules for columns, or with other ignored fields.
import { type Static, Type } from 'typebox';
import { type Dialect, ignoreTest, type IsIgnored } from '../../../core/delta/model.ts';
import { createReplay, isKeyedBy, type Replay } from '../../../core/delta/replay-events.ts';
import { type ColumnRules, isLooserRule, tidyRules } from '../../../core/delta/rules/column-rules.ts';
import type { TrackedRecord } from '../../../db/records/records.ts';
import { type ListedEvent, listDeltaEvents } from '../../../db/rows/delta-events.ts';
import { listDeltaRows } from '../../../db/rows/delta-rows.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { getRecord } from '../../access/find-named.ts';
import { finishInTurns } from '../../capacity/finish-in-turns.ts';
import { readSlowly } from '../../capacity/slow-reads.ts';
import { defineOperation } from '../../contract/operation.ts';
import { rulesField, shownRules } from '../../input/column-rules.ts';
import { pairingField, recordParams } from '../../input/fields.ts';
import { validateSettings, ignoreFieldsField } from '../../records/record-settings.ts';
import type { schemaChangeSchema } from '../../resources/delta-event.ts';
import { nullable, time } from '../../resources/shapes.ts';

const EVENTS = 10;
/** Of each event, at most. */
const ROWS = 2_000;

const rowCounts = (title: string, description: string) =>
  Type.Object(
    { newCount: Type.Integer(), changedCount: Type.Integer(), deletedCount: Type.Integer() },
    { title, description },
  );

const replayedEventSchema = Type.Object(
  {
    deltaEventId: Type.String(),
    detectedAt: time,
    summary: rowCounts('ReportedRows', 'The rows that the event has.'),
    rowsRead: Type.Integer({
      description: `How many of its rows were compared again, at most ${ROWS}. Under a tolerance, a row that an earlier event may have had beyond those is not.`,
    }),
    underRules: rowCounts('RowsUnderRules', 'How many of these would still be in it.'),
    isReported: nullable(
      Type.Boolean({
        description:
          'Whether there would be such an event. null: not all rows were read, and none of them differs.',
      }),
    ),
  },
  { title: 'ReplayedEvent' },
);

type ReplayedEvent = Static<typeof replayedEventSchema>;

export const previewEvents = defineOperation({
  name: 'previewEvents',
  audit: null,
  tag: 'Records',
  scope: 'read',
  errors: ['query_too_expensive'],
  summary: 'Preview what the latest events would have been under other rules or ignored fields',
  description:
    `Compares the stored rows of the latest ${EVENTS} events with changes again, and changes nothing. Omitted fields are ` +
    'those of the record. Events with other key fields are left out, and so are those whose rows are no longer ' +
    'kept. A tolerance counts from the values before the first of these events. What the present rules left out was ' +
    'not stored, so a stricter rule does not show it, and `isWhole` is false.',
  http: { method: 'POST', path: '/v1/sources/:id/preview/events' },
  params: recordParams,
  body: {
    ignoreFields: Type.Optional(ignoreFieldsField),
    rules: Type.Optional(rulesField),
    pairing: Type.Optional(nullable(pairingField)),
  },
  output: Type.Object(
    {
      sourceId: Type.String(),
      ignoreFields: Type.Array(Type.String()),
      rules: shownRules,
      pairing: nullable(pairingField),
      events: Type.Array(replayedEventSchema, { description: 'Newest first.' }),
      isWhole: Type.Boolean({
        description:
          'Whether these are surely all events that there would have been since the oldest of them. false: what is asked for ' +
          'may be stricter than what was in force, and checks that reported nothing keep no rows; or an event was left out.',
      }),
    },
    { title: 'EventsPreview' },
  ),
  async run(ctx, { id: _reference, ...given }) {
    const record = getRecord(ctx);
    const { id: sourceId, headKeyFields: keyFields } = record;
    const ignoreFields = given.ignoreFields ?? record.ignoreFields;
    const rules = given.rules === undefined ? record.rules : tidyRules(given.rules);
    const pairing = given.pairing === undefined ? record.pairing : given.pairing;
    // As PATCH does: a rule for a column that was detected as the key is kept, and has no effect.
    const chosen = record.keyFields ?? [];
    validateSettings({ keyFields: chosen, ignoreFields, rules }, { ...ctx, tier: record.tier });
    // Written by checks, which store a Dialect.
    const { format = 'csv' } = (record.dialect ?? {}) as Partial<Dialect>;
    const isIgnored = ignoreTest(ignoreFields, format);
    const replay = createReplay({ rules, keyFields, isIgnored, pairing });
    const { events, isComplete } = await readSlowly(ctx, (db) =>
      replayEvents(db, record, { replay, isIgnored }),
    );
    const isWhole = isComplete && isNoStricter(record, rules, isIgnored);
    return { sourceId, ignoreFields, rules, pairing, events, isWhole };
  },
});

/** Whether these would report nothing that the settings in force left out. */
const isNoStricter = (
  { headRules, headIgnoreFields }: TrackedRecord,
  rules: ColumnRules,
  isIgnored: IsIgnored,
): boolean =>
  headIgnoreFields.every(isIgnored) &&
  Object.entries(headRules).every(([column, rule]) => isIgnored(column) || isLooserRule(rule, rules[column]));

interface Rule {
  replay: Replay;
  isIgnored: IsIgnored;
}

/** @returns also whether these are all of the latest events, and of checks under the settings in force */
async function replayEvents(
  db: Database,
  record: TrackedRecord,
  rule: Rule,
): Promise<{ events: ReplayedEvent[]; isComplete: boolean }> {
  const page = { after: null, limit: EVENTS };
  const listed = await listDeltaEvents(db, record.id, { changesOnly: true }, 'desc', page, 0);
  const latest = listed.slice(0, EVENTS);
  const events: ReplayedEvent[] = [];
  // Oldest first, because a tolerance counts from the value that was reported last.
  for (const event of latest.toReversed()) {
    if (event.rekeyed) continue;
    const replayed = await replayEvent(db, record, event, rule);
    if (replayed !== undefined) events.push(replayed);
  }
  const isOfHead = latest.every(({ generation }) => generation === record.generation);
  return { events: events.toReversed(), isComplete: isOfHead && events.length === latest.length };
}

/** @returns undefined when the event or rows of it are no longer kept */
async function replayEvent(
  db: Database,
  { id: recordId, recordNo, generation, headKeyFields }: TrackedRecord,
  event: ListedEvent,
  { replay, isIgnored }: Rule,
): Promise<ReplayedEvent | undefined> {
  const { id, newCount, changedCount, deletedCount } = event;
  const found = await listDeltaRows(db, { id, recordId, recordNo }, { after: null, limit: ROWS });
  if (found === undefined) return undefined;
  const rows = found.slice(0, ROWS).filter(({ fits }) => fits);
  const rowCount = newCount + changedCount + deletedCount;
  const isWhole = rows.length === rowCount;
  if (!isWhole && found.length === rows.length) return undefined;
  const isKeyless = headKeyFields.length === 0;
  // New and deleted rows with the same content may be far apart.
  if (isKeyless && !isWhole) return undefined;
  const isOfEarlier = event.generation !== generation;
  if (isOfEarlier && (isKeyless || !rows.every((row) => isKeyedBy(headKeyFields, row)))) return undefined;
  const { counts: underRules, decided } = await finishInTurns(
    replay(rows, isWhole ? null : (rows.at(-1)?.key ?? '')),
  );
  const differs = Object.values(underRules).some((count) => count > 0) || changesColumns(event, isIgnored);
  return {
    deltaEventId: id,
    detectedAt: event.detectedAt.toISOString(),
    summary: { newCount, changedCount, deletedCount },
    rowsRead: decided,
    underRules,
    isReported: differs || decided === rowCount ? differs : null,
  };
}

function changesColumns(event: ListedEvent, isIgnored: IsIgnored): boolean {
  // Written by checks in this shape.
  const change = event.schemaChange as Static<typeof schemaChangeSchema> | null;
  if (change === null) return false;
  const { added, removed, renamed } = change;
  const columns = [...added, ...removed, ...renamed.flatMap(({ from, to }) => [from, to])];
  return columns.some((column) => !isIgnored(column));
}
