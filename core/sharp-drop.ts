// Protects against mass deletion. A sharp drop in rows, and a body that looks as if its export broke off, are recorded only when
// a later body confirms them, and after a person has rejected one, only when a person accepts it.
import type { IncompleteEnd } from './delta/incomplete-end.ts';

const SMALLEST_TABLE = 20;
/** With the usual ten minutes between them this is an hour, in which no transfer was whole. */
const HABIT_BODIES = 6;

/** Row counts, of rows with different keys, of the snapshot, the current body, the held body and the rejected body. */
interface Rows {
  before: number;
  now: number;
  held: number | null;
  rejected: number | null;
  /** Milliseconds between the first held body with about as many rows and the current one; null if none is held. */
  heldBeforeMs: number | null;
  /** How long that must be at least, because two responses at the same moment confirm nothing. */
  recheckMs: number;
  /** Whether the held body has lost the line end of the table. */
  isHeldOpenEnded?: boolean;
  /** How many bodies in a row have no line end at their end (OpenEndedRun), with the current one. */
  openEndedBodies?: number;
}

interface ComparedRows extends Rows {
  /** Whether a row of the snapshot is not in the current body. */
  hasDeletedRows: boolean;
}

/** Bodies in a row without the line end that the table had. One counts only if it was requested late enough after the one before. */
export interface OpenEndedRun {
  bodies: number;
  /** When the last of them was requested that counts, in milliseconds since the epoch. */
  countedAtMs: number;
}

/** The run of accepted bodies, with the last of them. */
export interface AcceptedRun extends OpenEndedRun {
  /** Once another body is the accepted one, the run says nothing: an earlier version ends none. */
  sha256: string;
  urlHash: string;
}

/** No body counts yet. */
const NONE: OpenEndedRun = { bodies: 0, countedAtMs: 0 };

/**
 * The run with one more body.
 * @param run null: this body is the first one
 * @param isSurelyCut whether its end is incomplete: it does not show that whole bodies lack the line end, so it does not count
 */
export function withOpenEnded(
  run: OpenEndedRun | null,
  atMs: number,
  recheckMs: number,
  isSurelyCut = false,
): OpenEndedRun {
  const { bodies, countedAtMs } = run ?? NONE;
  const counts = !isSurelyCut && (bodies === 0 || atMs - countedAtMs >= recheckMs);
  return counts ? { bodies: bodies + 1, countedAtMs: atMs } : { bodies, countedAtMs };
}

/** Whether to hold the body. */
export const isSharpDrop = (rows: Rows): boolean => isFewRows(rows) && !isConfirmed(rows);

/**
 * Whether to hold a body in which only the end is incomplete, as after an export that broke off and appended its error.
 * The caller also asks whether the body before ended so: the end is a footer then.
 */
export const mayHaveBrokenOff = (rows: Rows, end: IncompleteEnd | undefined): boolean =>
  end !== undefined && (hasLostRows(rows, end) || end.hasEarlierKey) && !isConfirmed(rows);

/**
 * Whether to hold delimited text without a line end at its end, although the table ended in one before: its last value may be cut, and
 * rows missing. The line end of a header alone says nothing of rows.
 * @param isCloseDelimited whether nothing said where the body ends. Otherwise only deleted rows tell of a file that was still being
 *   written: new ones above them may be as many
 */
export const mayBeCut = (rows: ComparedRows, isCloseDelimited: boolean): boolean =>
  (isCloseDelimited ? rows.before > 0 : rows.before >= SMALLEST_TABLE && rows.hasDeletedRows) &&
  !hasLostLineEnd(rows);

/** Whether earlier bodies confirm that the line end is gone for good. */
export const hasLostLineEnd = (rows: ComparedRows): boolean =>
  ((isLater(rows) && isLikeHeldCut(rows)) || hasNoLineEnds(rows)) && !isLike(rows.now, rows.rejected);

/**
 * Whether the held body confirms that the line end is gone for good. A body with its line end says nothing about that, and of two
 * bodies that lack different rows each may be cut. A body with all rows shows that a held one with fewer was cut.
 */
export const isLikeHeldCut = (rows: HeldRows): boolean =>
  rows.held !== null &&
  mayFollow(rows) &&
  (rows.hasDeletedRows ? rows.now === rows.held : rows.held >= rows.before && rows.now >= rows.held);

type HeldRows = Omit<ComparedRows, 'heldBeforeMs' | 'recheckMs'>;

/**
 * Whether the current body, which has lost the line end, is held for the same reason as the held one: however many rows each has,
 * unless one has far fewer and the other has not.
 */
export function isSameHold(rows: HeldRows): boolean {
  const { before, now, held } = rows;
  if (held === null || !mayFollow(rows)) return false;
  const areFew = [now, held].map((count) => isFewRows({ before, now: count }));
  return areFew.every((isFew) => !isFew) || (areFew.every(Boolean) && isLike(now, held));
}

/** A body that is held because a similar one was rejected says nothing about later ones. */
const mayFollow = ({ held, rejected, isHeldOpenEnded }: HeldRows): boolean =>
  isHeldOpenEnded === true && !isLike(held ?? 0, rejected);

/** Whether so many bodies before this one had no line end that the origin writes none: it is unlikely that all of them were cut. */
const hasNoLineEnds = ({ openEndedBodies = 0 }: Rows): boolean => openEndedBodies > HABIT_BODIES;

/** What is said of such a body, without a full stop. @param end undefined: it may be cut */
export function brokenOff(rows: Pick<Rows, 'before' | 'now'>, end: IncompleteEnd | undefined): string {
  if (end === undefined)
    return 'The last row has no line end, and the table ended in one before, as after a transfer that broke off';
  const isOne = end.rows === 1;
  const wrong = isOne ? 'is incomplete' : 'look like lines of an error';
  if (hasLostRows(rows, end)) {
    const last = isOne ? 'the last one' : `the last ${end.rows}`;
    return `Fewer rows than last time, and ${last} ${wrong}, as after an export that broke off`;
  }
  const [last, which] = isOne ? ['row', 'it'] : [`${end.rows} rows`, 'one of them'];
  return `The last ${last} ${wrong}, and ${which} has the key of an earlier row, as after an export that broke off`;
}

/** Whether most rows are gone. An empty body is a drop, however few rows there were. */
export const isFewRows = ({ before, now }: Pick<Rows, 'before' | 'now'>): boolean =>
  now === 0 ? before > 0 : before >= SMALLEST_TABLE && now * 2 < before;

/** How many rows of different keys a body has without its incomplete end. */
export const wholeRows = ({ now }: Pick<Rows, 'now'>, end: IncompleteEnd | undefined): number =>
  Math.max(0, now - (end?.ownKeys ?? 0));

/** The rows of such a body and of the snapshot. */
export const rowsAfter = (rows: Pick<Rows, 'before' | 'now'>, end: IncompleteEnd | undefined): string =>
  `${wholeRows(rows, end)} ${end === undefined ? 'rows' : 'whole rows'} after ${rows.before}`;

const hasLostRows = (rows: Pick<Rows, 'before' | 'now'>, end: IncompleteEnd): boolean =>
  wholeRows(rows, end) < rows.before;

function isConfirmed(rows: Rows): boolean {
  const { now, held, rejected } = rows;
  if (isLike(now, rejected)) return false;
  // A body that is held because a similar one was rejected confirms nothing, because counts may drift.
  return held !== null && isLater(rows) && isLike(now, held) && !isLike(held, rejected);
}

const isLater = ({ heldBeforeMs, recheckMs }: Rows): boolean =>
  heldBeforeMs !== null && heldBeforeMs >= recheckMs;

/** Whether two row counts are within 10 % of each other. */
export const isLike = (now: number, other: number | null): boolean =>
  other !== null && Math.abs(now - other) <= other * 0.1;
