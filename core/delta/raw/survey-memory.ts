// The kernel's memory for a survey of rows: what is done with each column, what is known of it, and space to work in.
import { NeedsExactPath } from './row-bytes.ts';
import { align, bytesAt, type Kernel, reach } from './load-kernel.ts';
import type { RowEntries, RowMatcher } from './row-matcher.ts';
import { isUtf8 } from 'node:buffer';
import { ENTRY_BYTES } from './row-index.ts';

/** What is done with a column. */
export const KIND = { skipped: 0, profiled: 1, filled: 2, key: 3, written: 4 } as const;
type Kind = (typeof KIND)[keyof typeof KIND];

/** How precisely distinct values of a column are tracked. */
export const STATE = { counted: 0, listed: 1, closed: 2, unfilled: 3 } as const;
type State = (typeof STATE)[keyof typeof STATE];

export const OUTCOME = { done: 0, paused: 1, unusual: 2, incomplete: 3 } as const;

// As in kernel/column-values.as.
const COLUMN_BYTES = 40;
const [DISTINCT, GROWS_AT, EQUAL_PAIRS, STATE_AT, KIND_ONCE_CLOSED] = [8, 12, 16, 32, 33] as const;

const DOUBT_BYTES = 12;
const DOUBTS = 4096;
export const WINDOW_BYTES = 1024 * 1024;
const ROOM_BYTES = WINDOW_BYTES + 64 * 1024;
/**
 * Memory that is not used costs nothing, except that the garbage collector takes it for used. It cannot grow while a window is
 * being read into it.
 */
const MOST_HEAP_BYTES = 384 * 1024 * 1024;
/** What the tables of a small body may take: for each of its bytes, for each column, and besides. */
const HEAP = { perByte: 256, perColumn: 512 * 1024, bytes: 4 * 1024 * 1024 } as const;

export interface Survey {
  kernel: Kernel;
  kindsAt: number;
  columnsAt: number;
  roomAt: number;
  doubtsAt: number;
  /** The column whose list was sorted last. */
  sorted: number | undefined;
}

interface SurveyPlan {
  width: number;
  bodyBytes: number;
  /** In so many first rows, no amounts are looked for. */
  shapedRows?: number;
  keyParts?: number;
  mostKeyBytes?: number;
}

/** @param matcher without a previous body @throws NeedsExactPath there is not enough memory */
export function beginSurvey({ kernel, freeAt }: RowMatcher, plan: SurveyPlan): Survey {
  const { width, bodyBytes, shapedRows = 0, keyParts = 0, mostKeyBytes = 0 } = plan;
  const doubts = Math.max(DOUBTS, 4 * width);
  const kindsAt = align(freeAt);
  const columnsAt = align(kindsAt + width);
  const roomAt = align(columnsAt + width * COLUMN_BYTES);
  const doubtsAt = align(roomAt + ROOM_BYTES);
  const heapAt = align(doubtsAt + doubts * DOUBT_BYTES);
  const heapBytes = HEAP.bytes + HEAP.perColumn * width + HEAP.perByte * bodyBytes;
  const heapEnd = heapAt + Math.min(heapBytes, MOST_HEAP_BYTES);
  reach(kernel, heapEnd);
  kernel.giveMemory(heapAt, heapEnd);
  kernel.beginSurvey(
    kindsAt,
    width,
    columnsAt,
    roomAt,
    doubtsAt,
    doubts,
    shapedRows,
    keyParts,
    mostKeyBytes,
    false,
  );
  return { kernel, kindsAt, columnsAt, roomAt, doubtsAt, sorted: undefined };
}

/** Ends a scan for keys: one is incomplete, or repeats. */
export class UnfitKey extends Error {}

/**
 * @param onPause is called between two rows when memory has to be counted, and often enough when there are doubts
 * @throws NeedsExactPath a row is unusual @throws UnfitKey
 */
export function surveyRows({ kernel }: Survey, { at, count, base }: RowEntries, onPause: () => void): void {
  if (!isUtf8(spanOf(kernel, at, count))) throw new NeedsExactPath('A row is not UTF-8');
  const position = BigInt(base);
  for (let row = 0; row < count;) {
    row = kernel.survey(at, row, count, position);
    const outcome = kernel.surveyOutcome();
    if (outcome === OUTCOME.incomplete) throw new UnfitKey();
    if (outcome === OUTCOME.unusual) throw new NeedsExactPath('A row is unusual');
    if (outcome === OUTCOME.paused) onPause();
  }
}

/** The bytes of consecutive rows. */
export function spanOf(kernel: Kernel, at: number, count: number): Buffer {
  const [start = 0] = new Uint32Array(kernel.memory.buffer, at + ENTRY_BYTES - 8, 1);
  const last = at + count * ENTRY_BYTES - 8;
  const [lastStart = 0, lastLength = 0] = new Uint32Array(kernel.memory.buffer, last, 2);
  return bytesAt(kernel, start, lastStart + lastLength - start);
}

export function setKind({ kernel, kindsAt }: Survey, column: number, kind: Kind): void {
  bytesAt(kernel, kindsAt + column, 1).writeUInt8(kind);
}

const columnAt = ({ columnsAt }: Survey, column: number): number => columnsAt + column * COLUMN_BYTES;

const columnOf = (survey: Survey, column: number): Buffer =>
  bytesAt(survey.kernel, columnAt(survey, column), COLUMN_BYTES);

export const stateOf = (survey: Survey, column: number): number =>
  columnOf(survey, column).readUInt8(STATE_AT);

export const setState = (survey: Survey, column: number, state: State): void =>
  void columnOf(survey, column).writeUInt8(state, STATE_AT);

export const setKindOnceClosed = (survey: Survey, column: number, kind: Kind): void =>
  void columnOf(survey, column).writeUInt8(kind, KIND_ONCE_CLOSED);

/** Lets the survey pause when there are so many different values. */
export const setGrowsAt = (survey: Survey, column: number, distinct: number): void =>
  void columnOf(survey, column).writeUInt32LE(distinct, GROWS_AT);

export const distinctOf = (survey: Survey, column: number): number =>
  columnOf(survey, column).readUInt32LE(DISTINCT);

export const equalPairsOf = (survey: Survey, column: number): number =>
  Number(columnOf(survey, column).readBigUInt64LE(EQUAL_PAIRS));

/** Whether two of the first values in a list are equal. @throws NeedsExactPath there is not enough memory */
export function hasRepeats(survey: Survey, column: number, most: number): boolean {
  const { kernel } = survey;
  survey.sorted = undefined;
  if (kernel.sortList(columnAt(survey, column), most) === 0)
    throw new NeedsExactPath('There is not enough memory');
  return kernel.repeats() === 1;
}

/** Whether a column has a text. Very rarely true by mistake. The lists of all columns were looked at for repeats. */
export function hasText(survey: Survey, column: number, text: string): boolean {
  const { kernel, roomAt } = survey;
  const at = columnAt(survey, column);
  if (stateOf(survey, column) === STATE.listed && survey.sorted !== column) {
    kernel.sortList(at, 2 ** 32 - 1);
    survey.sorted = column;
  }
  const bytes = Buffer.from(text);
  if (bytes.length > WINDOW_BYTES) return false;
  bytesAt(kernel, roomAt, bytes.length).set(bytes);
  return kernel.hasValue(at, roomAt, bytes.length) === 1;
}

export interface Doubt {
  column: number;
  text: string;
}

/** Values that may be amounts, in the order of rows. They are valid until the next row is looked at. */
export function takeDoubts({ kernel, doubtsAt }: Survey): Doubt[] {
  const count = kernel.takeDoubts();
  const noted = new Uint32Array(kernel.memory.buffer, doubtsAt, (count * DOUBT_BYTES) / 4);
  return Array.from({ length: count }, (_, at) => {
    const [column = 0, from = 0, length = 0] = noted.subarray(at * 3, at * 3 + 3);
    return { column, text: bytesAt(kernel, from, length).toString('utf8') };
  });
}
