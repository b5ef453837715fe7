// The newest events of a feed as an Atom document (RFC 4287), for feed readers and for the RSS apps of chats.
import { hash } from 'node:crypto';
import { Feed } from 'feed';
import { type PreviousKeys, rowsUrl } from '../../core/delivery-payload.ts';
import {
  type CheckData,
  type DeltaData,
  FEED_EVENT_TYPES,
  type FeedSelection,
  type LatestEvent,
  type QuietData,
} from '../../db/feeds/feed-events.ts';
import { escapeHtml } from '../../core/text/escape-html.ts';

interface AtomSubject extends Partial<Pick<FeedSelection, 'types' | 'labels'>> {
  /** JSON text of the condition that the events meet. */
  condition?: string | undefined;
  baseUrl: string;
  accountId: string;
  /** Null: all records of the account. */
  recordId: string | null;
  /** The time of a feed without events. */
  createdAt: Date;
}

/** An event, and whether its rows do not tell that it meets the condition. */
type AtomEvent = LatestEvent & { isUndecided?: boolean };

/** @param events newest first */
export function atomDocument(subject: AtomSubject, events: readonly AtomEvent[]): string {
  const { baseUrl, recordId, createdAt } = subject;
  const name = recordId === null ? undefined : events[0]?.recordName;
  // A record that joined the account brought events from before the feed's others.
  const updated = Math.max(...events.map(({ happenedAt }) => happenedAt.getTime()));
  const feed = new Feed({
    id: feedId(subject),
    title: plainText(name ?? 'Recordwatch'),
    updated: events.length === 0 ? createdAt : new Date(updated),
    link: `${baseUrl}/dashboard/records${recordId === null ? '' : `/${recordId}`}`,
    author: { name: 'Recordwatch' },
    generator: false,
  });
  for (const event of events) {
    const { recordName, happenedAt } = event;
    const { id, path, words, content } = entryOf(event, baseUrl);
    feed.addItem({
      id,
      title: htmlText(`${recordName}: ${words}`),
      link: `${baseUrl}/dashboard/records/${event.recordId}/${path}`,
      date: happenedAt,
      published: happenedAt,
      content: event.isUndecided === true ? content + UNDECIDED : content,
      category: [{ term: event.type }],
    });
  }
  return feed.atom1();
}

/** Readers take feeds with the same id for one feed, so each choice of events has its own, however it is written. */
function feedId({ accountId, recordId, types, labels = [], condition }: AtomSubject): string {
  const typesOnce = [...new Set(types)];
  const isChoice = typesOnce.length < FEED_EVENT_TYPES.length;
  const labelsOnce = new Set(labels.map(({ name, value }) => `${name}:${value}`));
  const choice = new URLSearchParams();
  for (const type of isChoice ? typesOnce.toSorted() : []) choice.append('type', type);
  for (const label of [...labelsOnce].toSorted()) choice.append('label', label);
  if (condition !== undefined) choice.append('condition', hash('sha256', condition));
  return urnOf(recordId ?? accountId) + (choice.size === 0 ? '' : `#${choice.toString()}`);
}

const UNDECIDED = '<p>Its rows do not tell whether it meets the condition of this feed.</p>';

interface Entry {
  id: string;
  /** Of the page below the record's. */
  path: string;
  words: string;
  /** HTML. */
  content: string;
}

type DeltaRow = LatestEvent & { deltaEventId: string };

const isDelta = (event: LatestEvent): event is DeltaRow => event.deltaEventId !== null;

function entryOf(event: LatestEvent, baseUrl: string): Entry {
  if (isDelta(event)) return entryOfDelta(event, baseUrl);
  return event.type === 'record.quiet' ? entryOfQuiet(event) : entryOfCheck(event);
}

function entryOfDelta({ data, deltaEventId, recordId, ...keys }: DeltaRow, baseUrl: string): Entry {
  const { newCount, changedCount, deletedCount, totalCount } = data as DeltaData;
  const lists = [
    { name: 'new', count: newCount, keys: keys.newKeys },
    { name: 'changed', count: changedCount, keys: keys.changedKeys, previousKeys: keys.previousKeys },
    { name: 'deleted', count: deletedCount, keys: keys.deletedKeys },
  ].filter(({ count }) => count > 0);
  const parts = lists.map(({ name, count }) => `${countText(count)} ${name}`);
  const url = rowsUrl(baseUrl, recordId, deltaEventId);
  return {
    id: urnOf(deltaEventId),
    path: `changes/${deltaEventId}`,
    words: parts.length === 0 ? 'no row differs' : `${parts.join(', ')} of ${rowsText(totalCount)}`,
    content: `${lists.map(listHtml).join('')}<p><a href="${escapeHtml(url)}">Rows in the API</a></p>`,
  };
}

/** At most, of each list in an entry. */
export const KEYS_IN_ENTRY = 10;
/** Of a row key in an entry, in UTF-16 code units. */
const MAX_KEY_LENGTH = 200;

interface KeyList {
  name: string;
  count: number;
  keys: string[] | null;
  previousKeys?: PreviousKeys | null | undefined;
}

function listHtml({ name, count, keys, previousKeys }: KeyList): string {
  const before = (key: string): string => {
    const previous = previousKeys?.[key];
    return previous === undefined ? '' : ` (before: ${shortened(previous)})`;
  };
  const shown = (keys ?? []).map((key) => `<li>${htmlText(shortened(key) + before(key))}</li>`);
  const rest = count - shown.length;
  const more = rest > 0 && shown.length > 0 ? `<li>and ${countText(rest)} more</li>` : '';
  const list = shown.length > 0 ? `<ul>${shown.join('')}${more}</ul>` : '';
  return `<p>${rowsText(count)} ${name}</p>${list}`;
}

const shortened = (key: string): string =>
  key.length <= MAX_KEY_LENGTH ? key : `${key.slice(0, MAX_KEY_LENGTH)}…`;

const WORDS = {
  delta: '',
  'check.failed': 'the check failed',
  'check.recovered': 'checks succeed again',
  'check.held': 'a check is held and needs a decision',
  'record.quiet': 'no change for a time',
} as const;

function entryOfCheck({ type, data }: LatestEvent): Entry {
  const { checkId, failingSince, error } = data as CheckData;
  const lines = [
    ...(error === undefined ? [] : [`${error.detail} (${error.code})`]),
    ...(failingSince === undefined ? [] : [`Failing since ${new Date(failingSince).toISOString()}.`]),
  ];
  return {
    id: `${urnOf(checkId)}#${type}`,
    path: `checks/${checkId}`,
    words: WORDS[type],
    content: lines.map((line) => `<p>${htmlText(line)}</p>`).join(''),
  };
}

/** A version of the data is the latest for one quiet time only. */
function entryOfQuiet({ type, data }: LatestEvent): Entry {
  const { snapshotId, unchangedSince, checkedAt } = data as QuietData;
  return {
    id: `${urnOf(snapshotId)}#${type}`,
    path: 'changes',
    words: WORDS[type],
    content: `<p>Nothing has changed since ${unchangedSince}. The latest check was at ${checkedAt}.</p>`,
  };
}

const COUNT = new Intl.NumberFormat('en');
const countText = (count: number): string => COUNT.format(count);
const rowsText = (count: number): string => `${countText(count)} ${count === 1 ? 'row' : 'rows'}`;

/** Ids end with a UUID (core/ids.ts). */
const urnOf = (id: string): string => {
  const [, hex = ''] = /_([0-9a-f]{32})$/.exec(id) ?? [];
  return `urn:uuid:${hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
};

const htmlText = (text: string): string => escapeHtml(xmlText(text));

/** What XML 1.0 cannot hold, not even escaped. */
// oxlint-disable-next-line no-control-regex
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** The library takes `&amp;` in a text for an escaped `&`. */
const plainText = (text: string): string => xmlText(text).replaceAll('&amp;', '&amp;amp;');

const xmlText = (text: string): string => text.toWellFormed().replaceAll(NOT_IN_XML, '\uFFFD');
