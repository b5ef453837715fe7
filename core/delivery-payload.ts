// The body of a delivery: JSON text, the same for every attempt.

/** The record and the webhook of a delivery, which every body names. */
export interface DeliveryRecord {
  webhookId: string;
  recordId: string;
  recordName: string;
  recordSlug: string;
  /** What the webhook's condition said of a delta event; null or undefined without a condition. */
  conditionOutcome?: 'met' | 'undecided' | null;
}

export interface DeliveredEvent {
  deltaEventId: string;
  snapshotId: string;
  detectedAt: Date;
  newCount: number;
  changedCount: number;
  deletedCount: number;
  unchangedCount: number;
  totalCount: number;
  /** At most 100 of each; an event stores no more. */
  newKeys: string[];
  changedKeys: string[];
  deletedKeys: string[];
  /**
   * Maps the key of each row among the changed keys that was paired by similarity to its previous key. Null or undefined if no
   * row was paired.
   */
  previousKeys?: PreviousKeys | null;
  /** Null or undefined where nothing was counted: no row changed, or the event is from before columns were counted. */
  changedColumns?: readonly ChangedColumn[] | null;
}

/** A column in which changed rows differ. */
export interface ChangedColumn {
  field: string;
  /** How many changed rows differ in it. */
  rows: number;
}

/** The columns of an event, most rows first; null for an event from before columns were counted. */
export const changedColumnsOf = ({
  changedCount,
  changedColumns,
}: Pick<DeliveredEvent, 'changedCount' | 'changedColumns'>): readonly ChangedColumn[] | null =>
  changedCount === 0 ? [] : (changedColumns ?? null);

export type PreviousKeys = Readonly<Record<string, string>>;

/** An event that is not a delta event. */
export interface DeliveredCheckEvent {
  eventType: string;
  happenedAt: Date;
  /** JSON text of an object with the event's own members. */
  eventData: string;
}

/** Everything that a body needs except for the delta event. */
export interface DeliverySubject extends DeliveryRecord {
  eventType: string;
  happenedAt: Date;
  /** Null for a delta event. */
  eventData: string | null;
}

/** Receivers limit the size of bodies. Row keys that do not fit are left out. */
export const MAX_PAYLOAD_BYTES = 256 * 1024;

/**
 * The body of a delivery.
 * @param event the delta event; undefined for other events
 * @returns undefined when the delta event was deleted, and the delivery with it
 */
export function deliveryPayload(
  subject: DeliverySubject,
  event: DeliveredEvent | undefined,
  baseUrl: string,
): string | undefined {
  const { eventData } = subject;
  if (eventData !== null) return checkEventPayload(subject, { ...subject, eventData });
  return event && deltaPayload(subject, event, baseUrl);
}

/** The body for a delta event. It has the whole event, whatever the webhook's filters. @param baseUrl of the API */
export function deltaPayload(record: DeliveryRecord, event: DeliveredEvent, baseUrl: string): string {
  const url = rowsUrl(baseUrl, record.recordId, event.deltaEventId);
  return fitKeys(event, MAX_PAYLOAD_BYTES, (keys) => JSON.stringify(deltaMembers(record, event, keys, url)));
}

/** The members of a body for a delta event. @param url of its rows */
export function deltaMembers(
  record: DeliveryRecord,
  event: DeliveredEvent,
  { newKeys, changedKeys, deletedKeys }: KeyLists,
  url: string,
) {
  const { newCount, changedCount, deletedCount, unchangedCount, totalCount } = event;
  const detectedAt = event.detectedAt.toISOString();
  return {
    event: 'delta',
    type: 'delta',
    timestamp: detectedAt,
    ...recordMembers(record),
    deltaEventId: event.deltaEventId,
    snapshotId: event.snapshotId,
    detectedAt,
    ...(record.conditionOutcome && { condition: record.conditionOutcome }),
    summary: { newCount, changedCount, deletedCount, unchangedCount, totalCount },
    newKeys,
    changedKeys,
    deletedKeys,
    ...(event.previousKeys && { previousKeys: previousKeysOf(event.previousKeys, changedKeys) }),
    truncated: {
      newKeys: newKeys.length < newCount,
      changedKeys: changedKeys.length < changedCount,
      deletedKeys: deletedKeys.length < deletedCount,
    },
    rowsUrl: url,
  };
}

/** The previous keys of these keys. */
export const previousKeysOf = (previousKeys: PreviousKeys, keys: readonly string[]): PreviousKeys =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const previous = previousKeys[key];
      return previous === undefined ? [] : [[key, previous]];
    }),
  );

/** The body for other events. Its `deltaEventId` is null. */
export function checkEventPayload(record: DeliveryRecord, news: DeliveredCheckEvent): string {
  return JSON.stringify({
    event: news.eventType,
    type: news.eventType,
    timestamp: news.happenedAt.toISOString(),
    ...recordMembers(record),
    deltaEventId: null,
    // The statements in db/ that create deliveries write an object.
    ...(JSON.parse(news.eventData) as object),
  });
}

const recordMembers = ({ webhookId, recordId, recordName, recordSlug }: DeliveryRecord) => ({
  webhookId,
  sourceId: recordId,
  sourceName: recordName,
  sourceSlug: recordSlug,
});

/** The URL that lists the rows of an event. */
export function rowsUrl(baseUrl: string, recordId: string, deltaEventId: string): string {
  return `${baseUrl}/v1/sources/${recordId}/delta/${deltaEventId}/rows`;
}

export interface KeyLists {
  newKeys: readonly string[];
  changedKeys: readonly string[];
  deletedKeys: readonly string[];
  /** Take room beside the changed keys. */
  previousKeys?: PreviousKeys | null;
}

const NO_KEYS: KeyLists = { newKeys: [], changedKeys: [], deletedKeys: [] };

/**
 * Writes a text with as many keys as fit, the first ones of each list. Each list gets a third of the space, and
 * leaves the rest of its share to the others.
 * @param write the text with these keys in it, as JSON strings separated by commas
 */
export function fitKeys(lists: KeyLists, maxBytes: number, write: (lists: KeyLists) => string): string {
  const whole = write(lists);
  return isWithin(whole, maxBytes) ? whole : write(firstKeys(lists, maxBytes, write));
}

/** A UTF-16 code unit takes at most three bytes of UTF-8. */
const isWithin = (text: string, maxBytes: number): boolean =>
  text.length * 3 <= maxBytes || bytesOf(text) <= maxBytes;

/** The lists themselves, or the keys that fit into a text that would be too large with all of them. */
export const keysWithin = (
  lists: KeyLists,
  maxBytes: number,
  write: (lists: KeyLists) => string,
): KeyLists => (isWithin(write(lists), maxBytes) ? lists : firstKeys(lists, maxBytes, write));

function firstKeys(lists: KeyLists, maxBytes: number, write: (lists: KeyLists) => string): KeyLists {
  const { newKeys, changedKeys, deletedKeys, previousKeys } = lists;
  const changedBytes = (key: string): number => {
    const previous = previousKeys?.[key];
    return previous === undefined ? keyBytes(key) : 2 * keyBytes(key) + keyBytes(previous);
  };
  const roomBytes = maxBytes - bytesOf(write(NO_KEYS)) - SLACK_BYTES;
  const [newRoom = 0, changedRoom = 0, deletedRoom = 0] = shareOut(
    roomBytes,
    [newKeys.map(keyBytes), changedKeys.map(changedBytes), deletedKeys.map(keyBytes)].map(sum),
  );
  return {
    newKeys: firstWithin(newKeys, newRoom),
    changedKeys: firstWithin(changedKeys, changedRoom, changedBytes),
    deletedKeys: firstWithin(deletedKeys, deletedRoom),
  };
}

/** The `truncated` flags differ by a byte each, depending on the keys. */
const SLACK_BYTES = 16;

/** Equal shares. The unused part of a share goes to those that need more. */
function shareOut(room: number, wanted: readonly number[]): number[] {
  const shares = wanted.map(() => 0);
  const ascending = [...wanted.keys()].toSorted((left, right) => (wanted[left] ?? 0) - (wanted[right] ?? 0));
  let left = Math.max(0, room);
  for (const [done, index] of ascending.entries()) {
    const share = Math.min(wanted[index] ?? 0, Math.floor(left / (ascending.length - done)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

function firstWithin(keys: readonly string[], roomBytes: number, bytesOfKey = keyBytes): string[] {
  const kept: string[] = [];
  let left = roomBytes;
  for (const key of keys) {
    left -= bytesOfKey(key);
    if (left < 0) break;
    kept.push(key);
  }
  return kept;
}

const encoder = new TextEncoder();
export const bytesOf = (text: string): number => encoder.encode(text).length;
/** With the comma after it. */
const keyBytes = (key: string): number => bytesOf(JSON.stringify(key)) + 1;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, next) => total + next, 0);
