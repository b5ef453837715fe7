// An event of an account's feed: the body of a webhook's delivery, without a webhook, and with a cursor.
import { type Static, Type } from 'typebox';
import { CHECK_ERRORS } from '../../core/errors.ts';
import { deltaMembers, rowsUrl as urlOfRows } from '../../core/delivery-payload.ts';
import {
  type CheckData,
  type DeltaData,
  FEED_EVENT_TYPES,
  type FeedEventRow,
  type QuietData,
} from '../../db/feeds/feed-events.ts';
import {
  changedColumnsField,
  countsSchema,
  presentChangedColumns,
  previousKeysField,
} from './delta-event.ts';
import { labelsSchema, presentLabels } from './labels.ts';
import { nullable, time } from './shapes.ts';

const OF_DELTA = 'Only of `delta`.';
const OF_QUIET = 'Only of `record.quiet`.';

const rowKeys = (which: string) =>
  Type.Optional(
    Type.Array(Type.String(), { maxItems: 100, description: `${OF_DELTA} Row keys of ${which} rows.` }),
  );

const isCut = Type.Boolean({ description: 'The list is incomplete.' });

export const feedEventSchema = Type.Object(
  {
    cursor: Type.String({ description: 'Send it as `since` to continue after this event.' }),
    event: Type.Enum([...FEED_EVENT_TYPES]),
    type: Type.Enum([...FEED_EVENT_TYPES], { description: 'The same as `event`.' }),
    timestamp: Type.String({ ...time, description: 'When it happened.' }),
    sourceId: Type.String({ description: 'The record.' }),
    sourceName: Type.String(),
    sourceSlug: Type.String(),
    labels: labelsSchema,
    deltaEventId: nullable(Type.String({ description: 'null: it is not about a delta event.' })),
    snapshotId: Type.Optional(
      Type.String({
        description:
          'Only of `delta` and `record.quiet`: the version of the data with the changes, or that is still the latest.',
      }),
    ),
    detectedAt: Type.Optional(Type.String({ ...time, description: OF_DELTA })),
    summary: Type.Optional(countsSchema),
    newKeys: rowKeys('new'),
    changedKeys: rowKeys('changed'),
    deletedKeys: rowKeys('deleted'),
    previousKeys: Type.Optional(previousKeysField),
    changedColumns: Type.Optional(nullable(changedColumnsField)),
    truncated: Type.Optional(
      Type.Object(
        { newKeys: isCut, changedKeys: isCut, deletedKeys: isCut },
        {
          title: 'TruncatedFeedKeys',
          description: `${OF_DELTA} Which lists are incomplete: the rows list all keys.`,
        },
      ),
    ),
    condition: Type.Optional(
      Type.Enum(['met', 'undecided'], {
        description: `${OF_DELTA} What the \`condition\` of the call says of it; \`undecided\`: its rows do not tell.`,
      }),
    ),
    rowsUrl: Type.Optional(
      Type.String({ description: `${OF_DELTA} The URL of the event’s rows in the API.` }),
    ),
    checkId: Type.Optional(
      Type.String({ description: 'The check that caused the event. Not of `delta` and `record.quiet`.' }),
    ),
    failingSince: Type.Optional(
      Type.String({
        ...time,
        description:
          'Only of `check.failed` and `check.recovered`: when the first of the failed checks was made.',
      }),
    ),
    error: Type.Optional(
      Type.Object(
        { code: Type.Enum(Object.keys(CHECK_ERRORS)), detail: Type.String() },
        {
          title: 'FeedEventError',
          description: 'Only of `check.failed` and `check.held`: why the check failed or is held.',
        },
      ),
    ),
    unchangedSince: Type.Optional(
      Type.String({ ...time, description: `${OF_QUIET} When the version of the data was found.` }),
    ),
    checkedAt: Type.Optional(
      Type.String({ ...time, description: `${OF_QUIET} When a check last found no other.` }),
    ),
    quietHours: Type.Optional(
      Type.Integer({ description: `${OF_QUIET} The hours that the record asked for.` }),
    ),
  },
  { title: 'FeedEvent' },
);

export function presentFeedEvent(
  row: FeedEventRow,
  cursor: string,
  baseUrl: string,
  condition: 'met' | 'undecided' | null,
): Static<typeof feedEventSchema> {
  const { type, deltaEventId } = row;
  return {
    cursor,
    event: type,
    type,
    timestamp: row.happenedAt.toISOString(),
    sourceId: row.recordId,
    sourceName: row.recordName,
    sourceSlug: row.recordSlug,
    labels: presentLabels(row.labels),
    deltaEventId,
    ...(condition !== null && { condition }),
    ...(deltaEventId === null ? otherMembers(row) : membersOfDelta(row, deltaEventId, baseUrl)),
  };
}

function otherMembers({ type, data }: FeedEventRow) {
  if (type === 'record.quiet') return data as QuietData;
  const { checkId, failingSince, error } = data as CheckData;
  return {
    checkId,
    ...(failingSince === undefined ? {} : { failingSince: new Date(failingSince).toISOString() }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Without keys and columns once retention has deleted the delta event. */
function membersOfDelta(row: FeedEventRow, deltaEventId: string, baseUrl: string) {
  const { recordId, recordName, recordSlug, happenedAt, newKeys, changedKeys, deletedKeys, previousKeys } =
    row;
  const data = row.data as DeltaData;
  const keys = { newKeys: newKeys ?? [], changedKeys: changedKeys ?? [], deletedKeys: deletedKeys ?? [] };
  const record = { webhookId: '', recordId, recordName, recordSlug };
  const event = { ...data, ...keys, deltaEventId, detectedAt: happenedAt };
  const { snapshotId, detectedAt, summary, truncated, rowsUrl } = deltaMembers(
    record,
    event,
    keys,
    urlOfRows(baseUrl, recordId, deltaEventId),
  );
  return {
    snapshotId,
    detectedAt,
    summary,
    ...keys,
    ...(previousKeys && { previousKeys }),
    changedColumns: presentChangedColumns({ ...data, changedColumns: row.changedColumns }),
    truncated,
    rowsUrl,
  };
}
