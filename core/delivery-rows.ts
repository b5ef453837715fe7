// The rows in the body of a delivery: as many as fit, with the columns that the webhook wants.
import type { CursorBinding } from './crypto/cursor.ts';
import type { BodyFormat } from './deliveries.ts';
import {
  bytesOf,
  changedColumnsOf,
  type DeliveredEvent,
  type DeliveryRecord,
  deltaMembers,
  type KeyLists,
  keysWithin,
} from './delivery-payload.ts';

/** The bytes that a body with rows may have. */
export const BODY_BYTES = { min: 16 * 1024, max: 1024 * 1024 } as const;

/** Which rows of an event a webhook wants. */
export interface RowChoice {
  /** Null: all. */
  changeTypes: readonly string[] | null;
  /** Of changed rows only those in which one of these columns differs. Null: all. */
  columns: readonly string[] | null;
}

/** The rows in a body. */
export interface RowSettings extends RowChoice {
  maxBodyBytes: number;
  /** The columns of each row; null: all. */
  fields: readonly string[] | null;
  /** The body has the changed columns. Missing in a delivery of a version without them, whose attempts all send one body. */
  changedColumns?: true;
}

/** What the body of a delivery depends on, kept with the delivery so that every attempt sends the same body. */
export interface BodySettings {
  format: BodyFormat;
  /** Null for a body without rows. */
  rows: RowSettings | null;
  recordName: string;
  recordSlug: string;
}

/** The first rows of those that a webhook wants. */
export interface SelectedRows {
  rows: readonly { key: string; text: string }[];
  /** The key after which the search for further rows continues; null when there are no further rows. */
  goesOnAfter: string | null;
}

/** The cursor of a list of a delivery's rows is bound to these. */
export const deliveryRowsBinding = (
  recordId: string,
  deltaEventId: string,
  deliveryId: string,
): CursorBinding => ({
  listing: 'delta-rows',
  filters: { recordId, deltaEventId, changeType: null, delivery: deliveryId },
});

/** The part of a body that lists of keys may take, so that the rest is for rows. */
const KEYS_PART = 1 / 4;
/** And the list of changed columns. */
const COLUMNS_PART = 1 / 8;

/**
 * The body for a delta event with the rows that fit. `truncated.rows` says whether there are more.
 * @param urlAfter the URL of the rows after a key; of all rows for null
 */
export function payloadWithRows(
  record: DeliveryRecord,
  event: DeliveredEvent,
  { maxBodyBytes, fields, changedColumns }: Omit<RowSettings, keyof RowChoice>,
  { rows, goesOnAfter }: SelectedRows,
  urlAfter: (key: string | null) => string,
): string {
  const columns = changedColumns && columnsWithin(event, fields, maxBodyBytes * COLUMNS_PART);
  const writeWith = (keys: KeyLists, url: string, isCut: boolean): string => {
    const { truncated: keysCut, rowsUrl, ...members } = deltaMembers(record, event, keys, url);
    const truncated = { ...keysCut, rows: isCut, ...columns?.truncated };
    return JSON.stringify({ ...members, ...columns?.members, truncated, rowsUrl }).slice(0, -1);
  };
  const url = urlAfter(null);
  const keys = keysWithin(event, maxBodyBytes * KEYS_PART, (lists) => writeWith(lists, url, true));
  const isCutAfter = (count: number): boolean => count < rows.length || goesOnAfter !== null;
  const urlOf = (count: number): string => {
    const lastKey = count < rows.length ? (rows[count - 1]?.key ?? null) : goesOnAfter;
    return isCutAfter(count) ? urlAfter(lastKey) : url;
  };
  const count = countWithin(rows, maxBodyBytes, {
    bytesBeside: (number) => bytesOf(writeWith(keys, '', isCutAfter(number))) + AROUND_ROWS.length,
    urlOf,
  });
  const texts = rows.slice(0, count).map((row) => row.text);
  return `${writeWith(keys, urlOf(count), isCutAfter(count))},"rows":[${texts.join(',')}]}`;
}

/** What a body with so many rows has beside them. */
interface BesideRows {
  /** Without the URL. It is the same for all numbers but that of all rows. */
  bytesBeside: (count: number) => number;
  urlOf: (count: number) => string;
}

/** How many of the rows fit. There may be tens of thousands, so only the URLs of the last few that may fit are written. */
function countWithin(
  rows: SelectedRows['rows'],
  maxBodyBytes: number,
  { bytesBeside, urlOf }: BesideRows,
): number {
  const sizes = rows.map(({ text }) => bytesOf(text) + 1);
  const [besideAll, besideSome] = [bytesBeside(rows.length), bytesBeside(0)];
  let count = fittingCount(sizes, maxBodyBytes);
  let rowBytes = sizes.slice(0, count).reduce((sum, size) => sum + size, 0);
  const isWithin = (): boolean => {
    const room = maxBodyBytes - rowBytes - (count === rows.length ? besideAll : besideSome);
    return room >= 0 && bytesOf(JSON.stringify(urlOf(count))) - EMPTY_URL_BYTES <= room;
  };
  while (count > 0 && !isWithin()) {
    count -= 1;
    rowBytes -= sizes[count] ?? 0;
  }
  return count;
}

const EMPTY_URL_BYTES = JSON.stringify('').length;

/** The first of the changed columns that the webhook wants, as many as fit. */
function columnsWithin(event: DeliveredEvent, fields: readonly string[] | null, roomBytes: number) {
  const wanted = changedColumnsOf(event)?.filter(({ field }) => fields?.includes(field) ?? true) ?? null;
  const sizes = wanted?.map((column) => bytesOf(JSON.stringify(column)) + 1) ?? [];
  const count = fittingCount(sizes, roomBytes);
  return {
    members: { changedColumns: wanted && wanted.slice(0, count) },
    truncated: { changedColumns: count < sizes.length },
  };
}

const AROUND_ROWS = ',"rows":[]}';

function fittingCount(sizes: readonly number[], roomBytes: number): number {
  let left = roomBytes;
  const end = sizes.findIndex((size) => {
    left -= size;
    return left < 0;
  });
  return end === -1 ? sizes.length : end;
}
