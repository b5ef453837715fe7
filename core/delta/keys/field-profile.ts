// Profiles the values of a field over a whole body: whether they are complete, repeat, are numbers or a series of times.
import { type FieldPart, partOf } from '../field-names.ts';
import { createFingerprintTable, type FingerprintTable } from './fingerprint-table.ts';

/** With more distinct values, repeats say nothing more about a part of a key, and counting takes memory. */
const MAX_LEVELS = 20_000;
/** Only the first values are classified in full, because that takes too long for all of them. */
export const SHAPED_ROWS = 10_000;

/** Numbers with a fraction, a unit, or separators between digits. “1E4” and “05U” are codes. */
const AMOUNT =
  /^[-+−]?(?:[$€£¥]\s*\d[\d ,.'’]*|\d*[.,]\d+(?:e[-+]?\d+)?\s*[a-z°]{0,3}|\d+(?:[.,]\d+)?\s*[%€]|\d{1,3}(?:[ ,'’\u00a0\u202f]\d{3})+(?:[.,]\d+)?)$/i;
/** A number after the code of a currency (ISO 4217) or its symbol. A single such value may be a code, like “TOP1”. */
const CURRENCY_FIRST = new RegExp(
  String.raw`^[-+−]?(?:${Intl.supportedValuesOf('currency').join('|')}|\p{L}{0,3}\p{Sc})\s?[-+−]?\d[\d ,.'’]*$`,
  'u',
);
/** A number with any currency, scale or unit. A single such value may be a name, like “12 Monkeys”. */
const MEASURED =
  /^[-+−–~≈<>]?\s*(?:\p{Sc}|\p{L}{1,3}\.?\p{Sc}?\s)?\s*[-+−]?\d[\d ,.'’\u00a0\u202f]*(?:\p{Sc}|[%‰°]|\s[%‰°µμ\p{L}]|(?<=[.,]\d+)[µμ\p{L}]|(?<=\p{Sc}.*)\p{L})[\p{L}\p{Sc}\d²³°%/·*^. -]*$/u;
/** Longer texts are no measures. The time of the expressions above grows with the square of the length. */
const LONGEST_MEASURE = 60;
const WHOLE = /^[-+]?\d+(?:\.0+)?$/;

/** The texts of a field. */
export type SeenTexts = Pick<FingerprintTable, 'has' | 'sizeBytes'>;

export interface FieldProfile {
  name: string;
  index: number;
  part: FieldPart;
  /** Every row has a short value. */
  isFilled: boolean;
  /** Undefined once memory ran short or the field was ruled out. */
  seen: SeenTexts | undefined;
  distinct: number;
  /** Pairs of rows with the same value; infinite if unknown. */
  equalPairs: number;
  rows: number;
  /** Rows with a number that is not whole or is written as an amount. */
  amounts: number;
  /** Rows with a number and words that may be its unit, among the classified ones. */
  measured: number;
  wholes: number;
  /** Rows with a letter, among the classified ones. */
  lettered: number;
  steps: TimeSteps | undefined;
}

/** A profile that takes more values. */
export interface OpenProfile extends FieldProfile {
  seen: FingerprintTable | undefined;
}

export function newProfile(name: string, index: number): OpenProfile {
  const part = partOf(name);
  return {
    name,
    index,
    part,
    isFilled: true,
    seen: createFingerprintTable(),
    distinct: 0,
    equalPairs: 0,
    rows: 0,
    amounts: 0,
    measured: 0,
    wholes: 0,
    lettered: 0,
    steps: part === 'time' ? newSteps() : undefined,
  };
}

export const isWrittenAsAmount = (text: string): boolean => AMOUNT.test(text);

/** @param text of the cell; empty if it cannot be in a key */
export function addValue(profile: OpenProfile, text: string): void {
  profile.isFilled &&= text !== '';
  if (!profile.isFilled) {
    profile.seen = undefined;
    return;
  }
  profile.rows++;
  if (profile.rows <= SHAPED_ROWS) addShape(profile, text);
  else if (profile.seen !== undefined && isWrittenAsAmount(text)) profile.amounts++;
  // Amounts never identify a row.
  if (profile.amounts > 0) profile.seen = undefined;
  const count = profile.seen?.add(text) ?? 0;
  if (count === 1) profile.distinct++;
  else profile.equalPairs += count === 0 ? Infinity : count - 1;
  if (profile.distinct > MAX_LEVELS && profile.equalPairs > 0) profile.seen = undefined;
}

/** Whether further values would change nothing that a decision depends on. Times are counted to the end. */
export const isSettled = ({ isFilled, rows, seen, steps }: FieldProfile): boolean =>
  !isFilled || (rows >= SHAPED_ROWS && seen === undefined && steps === undefined);

function addShape(profile: FieldProfile, text: string): void {
  if (WHOLE.test(text)) profile.wholes++;
  else if (AMOUNT.test(text)) profile.amounts++;
  else if (text.length <= LONGEST_MEASURE && (MEASURED.test(text) || CURRENCY_FIRST.test(text)))
    profile.measured++;
  else if (/\p{L}/u.test(text)) profile.lettered++;
  if (profile.steps !== undefined) addStep(profile.steps, text);
}

/** The differences between times in consecutive rows. */
interface TimeSteps {
  last: number | undefined;
  all: number;
  up: number;
  down: number;
  /** Without a size, beside a text that is not a time. */
  unknown: number;
  /** How often each size occurs, at least; all are exact up to so many sizes. Empty unless all steps have the same sign. */
  counts: Map<number, number>;
}

const newSteps = (): TimeSteps => ({
  last: undefined,
  all: 0,
  up: 0,
  down: 0,
  unknown: 0,
  counts: new Map(),
});

const DAY_MS = 86_400_000;
/** A body may have a thousand fields of times. */
const MAX_SIZES = 100;

function addStep(steps: TimeSteps, text: string): void {
  const at = WHOLE.test(text) ? Number(text) : Date.parse(text) / DAY_MS;
  // Treats all months, and all years, as equally long.
  const exact = steps.last === undefined ? undefined : at - steps.last;
  const size = exact !== undefined && exact > 27 ? Math.round(exact / 30.5) * 30.5 : exact;
  steps.last = at;
  if (size === undefined) return;
  steps.all++;
  if (size > 0) steps.up++;
  else if (size < 0) steps.down++;
  else if (Number.isNaN(size)) steps.unknown++;
  if (isOneWay(steps)) countSize(steps.counts, size);
  else if (steps.counts.size > 0) steps.counts.clear();
}

/** A size beyond the limit costs each other one an occurrence (Misra and Gries), so a frequent one loses only a hundredth. */
function countSize(counts: TimeSteps['counts'], size: number): void {
  const count = counts.get(size) ?? 0;
  if (count > 0 || counts.size < MAX_SIZES) {
    counts.set(size, count + 1);
    return;
  }
  for (const [other, times] of counts) {
    if (times === 1) counts.delete(other);
    else counts.set(other, times - 1);
  }
}

const isOneWay = ({ all, up, down }: TimeSteps): boolean => up === all || down === all;

/** Whether most differences are equal and all have the same sign. */
export function isRegular({ steps }: FieldProfile): boolean {
  if (steps === undefined || !isOneWay(steps)) return false;
  return Math.max(0, ...steps.counts.values()) * 2 >= steps.all;
}

/** Whether a field of times has dates in most rows. Years and durations are none. */
export function isDated(field: FieldProfile): boolean {
  const { steps, isFilled, wholes, rows } = field;
  if (steps === undefined || !isFilled || isAmount(field)) return false;
  return (wholes + steps.unknown) * 2 < Math.min(rows, SHAPED_ROWS);
}

export const isUnique = ({ seen, isFilled, equalPairs }: FieldProfile): boolean =>
  isFilled && seen !== undefined && equalPairs === 0;

/** Some values are certainly amounts, or most look like it. */
export const isAmount = ({ amounts, measured, rows }: FieldProfile): boolean =>
  amounts > 0 || measured * 2 > Math.min(rows, SHAPED_ROWS);

/** Mostly words or codes with letters. A few numbers are allowed, such as the title “1984”. */
export const isWorded = (field: FieldProfile): boolean =>
  !isAmount(field) && field.lettered + field.measured >= Math.min(field.rows, SHAPED_ROWS) * 0.9;

/** No value is a number. */
export const isText = (field: FieldProfile): boolean => !isAmount(field) && field.wholes === 0;
