// The feed of all records that a credential reaches: page by page, by long polls, as a stream, and as an Atom document.
import { Type } from 'typebox';
import { hash } from 'node:crypto';
import { CONDITION_LIMITS } from '../../../core/conditions/condition.ts';
import { requireAccount } from '../../../db/accounts/accounts.ts';
import { FEED_EVENT_TYPES, type FeedSelection, latestEvents } from '../../../db/feeds/feed-events.ts';
import type { Context } from '../../contract/context.ts';
import { invalidParameter } from '../../contract/errors.ts';
import { defineOperation } from '../../contract/operation.ts';
import { atomDocument, KEYS_IN_ENTRY } from '../../feed/atom.ts';
import { readConditionText } from '../../input/condition-text.ts';
import { keepMetEntries, readEntryCondition } from '../../feed/met-entries.ts';
import { CURSOR_PATTERN, isNoCursor, readCursor } from '../../feed/read-feed.ts';
import { streamEvents } from '../../feed/stream-events.ts';
import { waitForEvents } from '../../feed/wait-for-events.ts';
import { orEventStream } from '../../http/event-stream.ts';
import { fileAnswer, fileSchema } from '../../http/files.ts';
import { limitOf } from '../../input/fields.ts';
import { labelQuery, readLabels } from '../../input/labels.ts';
import { envelope, USUAL_LIMITS } from '../../input/page.ts';
import { feedEventSchema } from '../../resources/feed-event.ts';

/** As much as a page of any list. */
const PAGE_BYTES = 8 * 1024 * 1024;

const selectionQuery = {
  sourceId: Type.Optional(
    Type.String({ pattern: '^src_[0-9a-f]{32}$', description: 'the id of a record, for its events alone' }),
  ),
  type: Type.Optional(
    Type.Array(Type.Enum([...FEED_EVENT_TYPES]), {
      minItems: 1,
      maxItems: FEED_EVENT_TYPES.length,
      description: 'Only events of this type; repeatable.',
    }),
  ),
  ...labelQuery,
};

const conditionField = (more: string) =>
  Type.Optional(
    Type.String({
      maxLength: CONDITION_LIMITS.characters,
      description: `Only deltas that meet this condition, as JSON in the form that webhooks take. Events of other types pass. ${more}`,
    }),
  );

interface Selected {
  sourceId?: string;
  type?: FeedSelection['types'];
  label?: string[];
}

const selectionOf = (
  { principal }: Pick<Context, 'principal'>,
  { sourceId, type, label }: Selected,
): FeedSelection => ({
  accountId: principal.accountId,
  reach: principal.kind === 'account' ? null : principal.recordId,
  recordId: sourceId ?? null,
  types: type ?? null,
  labels: readLabels(label),
});

export const listEvents = defineOperation({
  name: 'listEvents',
  tag: 'Changes',
  scope: 'read',
  errors: ['gone', 'query_too_expensive'],
  summary: 'Read the events of all records that the credential can access',
  description:
    'One feed of changes, of checks that failed, recovered or are held, and of records that are quiet, in the order in ' +
    'which they were committed: the oldest kept event first. Continue with `since=<nextCursor>`; none is ever missed or repeated. Events are kept ' +
    'for 29 days; 410 says that events after the cursor are gone. `Prefer: wait=N` makes an empty page wait for an ' +
    'event. `Accept: text/event-stream` makes it a stream of server-sent events: `id` is the cursor, `data` an event, ' +
    'and `Last-Event-ID` takes the place of `since`. An account may have 20 such waiting calls and streams at a time.',
  http: { method: 'GET', path: '/v1/events' },
  query: {
    since: Type.Optional(
      Type.String({
        maxLength: 1_000,
        // Documented only: opening the cursor reports a better error than the pattern would.
        statedPattern: CURSOR_PATTERN,
        description:
          '`nextCursor` or the `cursor` of an event; `now` for what happens from now on; omitted for everything.',
      }),
    ),
    ...limitOf(USUAL_LIMITS),
    ...selectionQuery,
    condition: conditionField(
      'A page reads a bounded number of rows, so it may be empty although `hasMore` is true.',
    ),
  },
  mayWait: true,
  mayStream: true,
  output: orEventStream(
    Type.Object({
      ...envelope,
      nextCursor: Type.String({
        description: 'Send it as `since` to continue, also when `hasMore` is false.',
      }),
      events: Type.Array(feedEventSchema),
    }),
  ),
  async run(ctx, { since, limit = USUAL_LIMITS.fallback, condition, ...selected }) {
    const choice = { ...selectionOf(ctx, selected), condition: readConditionText(condition) };
    const lastEventId = ctx.stream?.lastEventId;
    if (lastEventId === undefined && isNoCursor(since))
      throw invalidParameter('since', 'must be a cursor of this feed, or now; a time is none');
    const after = await readCursor(ctx, lastEventId ?? since);
    if (ctx.stream !== undefined) return streamEvents(ctx, choice, after);
    const size = { limit: Math.min(limit, USUAL_LIMITS.max), maxBytes: PAGE_BYTES };
    const { events, hasMore, cursor } = await waitForEvents(ctx, choice, after, size);
    return { count: events.length, hasMore, nextCursor: cursor, events };
  },
});

const ATOM = 'application/atom+xml';
/** Readers keep what they have read. */
const ENTRIES = 100;

export const readAtomFeed = defineOperation({
  name: 'readAtomFeed',
  tag: 'Changes',
  scope: 'feed',
  takesTokenInUrl: true,
  summary: 'Read the newest events as an Atom feed',
  description:
    `The newest ${ENTRIES} events, for feed readers and for the RSS apps of Slack and Microsoft Teams. Those send no ` +
    'headers, so the URL may hold a key with the scope `feed`: `/v1/events.atom?token=…`. Anyone who has the URL can read ' +
    'the feed until you revoke the key. A key of one record reads the feed of that record.',
  http: { method: 'GET', path: '/v1/events.atom' },
  query: {
    ...selectionQuery,
    condition: conditionField(
      'It chooses among the newest events. With a key of the scope `feed` it may ask for counts, not for rows.',
    ),
  },
  errors: ['query_too_expensive'],
  output: fileSchema([ATOM]),
  async run(ctx, { condition: text, ...selected }) {
    const { db, config, principal, signal } = ctx;
    const { accountId } = principal;
    const selection = selectionOf(ctx, selected);
    const { createdAt } = await requireAccount(db, accountId);
    const condition = readEntryCondition(ctx, text);
    const latest = await latestEvents(db, selection, { atMost: ENTRIES, keys: KEYS_IN_ENTRY });
    const events = await keepMetEntries(ctx, latest, condition);
    const recordId = selection.reach ?? selection.recordId;
    const choice = text === undefined ? undefined : JSON.stringify(JSON.parse(text));
    const subject = { ...selection, baseUrl: config.baseUrl, recordId, createdAt, condition: choice };
    const document = atomDocument(subject, events);
    return fileAnswer({
      contentType: `${ATOM}; charset=utf-8`,
      fileName: null,
      etag: hash('sha256', document, 'base64url'),
      owner: { accountId, isAnonymous: principal.kind === 'ephemeral' },
      closing: signal,
      // eslint-disable-next-line require-await -- the content of a file is asynchronous
      async *open() {
        yield document;
      },
    });
  },
});
