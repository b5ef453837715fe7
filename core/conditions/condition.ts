// Conditions of webhooks, in the form of JSONLogic: which operators there are, what is valid, and what each means. There is no
// negation, so a missing value, which makes each comparison false, never makes a condition true.
import { readNumber } from '../delta/rules/plain-number.ts';
import { compareQuantities } from './quantity.ts';
import { COLUMN_OPERATORS, type ColumnOperator, type RowValues, type Value } from './row-values.ts';

const COUNTS = ['newCount', 'changedCount', 'deletedCount', 'unchangedCount', 'totalCount'] as const;
/** Of the rows of an event. */
export type EventCounts = Record<(typeof COUNTS)[number], number>;

const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const;
type Comparison = (typeof COMPARISONS)[number];

const CHANGE_TYPES = ['new', 'changed', 'deleted'];

/** What bounds the cost for each row, and the depth of recursion. */
export const CONDITION_LIMITS = { comparisons: 20, depth: 6, characters: 4_000 } as const;

/** A question about the rows of an event. */
export interface Quantifier {
  kind: 'some' | 'all';
  test: (row: RowValues) => boolean;
}

/** A valid condition. */
export interface Condition {
  quantifiers: readonly Quantifier[];
  /** @param found the answer to each quantifier. With more of them true, the condition is as true or more so */
  holds: (counts: EventCounts, found: readonly boolean[]) => boolean;
}

export interface ConditionFault {
  /** A JSON pointer into the condition. */
  pointer: string;
  detail: string;
}

/**
 * @param options.isStored whether it was accepted before: rules that are newer than it do not apply
 * @returns the condition, or what is wrong with it
 */
export function readCondition(
  given: unknown,
  { isStored = false } = {},
): { condition: Condition } | { faults: ConditionFault[] } {
  const reading: Reading = { faults: [], quantifiers: [], comparisons: 0, isStored };
  const test = readTest(reading, given, { pointer: '', depth: 1, isOfRow: false });
  const { faults, quantifiers, comparisons } = reading;
  if (test === undefined || faults.length > 0) return { faults };
  if (comparisons > CONDITION_LIMITS.comparisons) {
    return refuse(`may have at most ${CONDITION_LIMITS.comparisons} comparisons`);
  }
  // What was read is not deep.
  if (JSON.stringify(given).length > CONDITION_LIMITS.characters) {
    return refuse(`may have at most ${CONDITION_LIMITS.characters} characters as JSON`);
  }
  return { condition: { quantifiers, holds: (counts, found) => test({ counts, found, row: undefined }) } };
}

const refuse = (detail: string): { faults: ConditionFault[] } => ({ faults: [{ pointer: '', detail }] });

interface Reading {
  faults: ConditionFault[];
  quantifiers: Quantifier[];
  comparisons: number;
  isStored: boolean;
}

interface Location {
  pointer: string;
  depth: number;
  isOfRow: boolean;
}

/** What a test sees: the event, and within a quantifier one of its rows. */
interface Seen {
  counts: EventCounts | undefined;
  found: readonly boolean[];
  row: RowValues | undefined;
}

type Test = (seen: Seen) => boolean;

const MOST_FAULTS = 20;

/** Notes a fault, one of the first. */
function fault({ faults }: Reading, { pointer }: Location, detail: string): undefined {
  if (faults.length < MOST_FAULTS) faults.push({ pointer, detail });
}

const within = (location: Location, ...names: (string | number)[]): Location => ({
  ...location,
  pointer: location.pointer + names.map((name) => `/${name}`).join(''),
  depth: location.depth + 1,
});

/** @returns the operator and its arguments; undefined, with a fault noted, for anything else */
function readCall(
  reading: Reading,
  given: unknown,
  location: Location,
): [name: string, args: unknown] | undefined {
  const members = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {};
  const [call, ...more] = Object.entries(members);
  if (call !== undefined && more.length === 0) return call;
  return fault(
    reading,
    location,
    'must be an object with one operator, such as {">": [{"var": "deletedCount"}, 20]}',
  );
}

function readTest(reading: Reading, given: unknown, location: Location): Test | undefined {
  if (location.depth > CONDITION_LIMITS.depth) {
    return fault(reading, location, `is nested deeper than ${CONDITION_LIMITS.depth} levels`);
  }
  const call = readCall(reading, given, location);
  if (call === undefined) return undefined;
  const [name, args] = call;
  if (name === 'and' || name === 'or') return readSeveral(reading, name, args, location);
  if (name === 'some' || name === 'all') return readQuantifier(reading, name, args, location);
  const comparison = COMPARISONS.find((each) => each === name);
  if (comparison !== undefined) return readComparison(reading, comparison, args, location);
  return fault(
    reading,
    within(location, pointerName(name)),
    `is no operator here: use and, or, ${location.isOfRow ? '' : 'some, all, '}${COMPARISONS.join(', ')}`,
  );
}

const pointerName = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function readSeveral(
  reading: Reading,
  name: 'and' | 'or',
  args: unknown,
  location: Location,
): Test | undefined {
  if (!Array.isArray(args) || args.length === 0) {
    return fault(reading, within(location, name), 'must be a list of one or more conditions');
  }
  const tests = args.map((each, index) => readTest(reading, each, within(location, name, index)));
  const known = tests.filter((test) => test !== undefined);
  return name === 'and'
    ? (seen) => known.every((test) => test(seen))
    : (seen) => known.some((test) => test(seen));
}

function readQuantifier(
  reading: Reading,
  kind: Quantifier['kind'],
  args: unknown,
  location: Location,
): Test | undefined {
  if (location.isOfRow) return fault(reading, within(location, kind), 'cannot be within another some or all');
  const [rows, of, ...more] = Array.isArray(args) ? (args as unknown[]) : [];
  if (of === undefined || more.length > 0 || !isRows(rows)) {
    return fault(
      reading,
      within(location, kind),
      'must be a list of {"var": "rows"} and a condition on a row',
    );
  }
  const test = readTest(reading, of, { ...within(location, kind, 1), isOfRow: true });
  if (test === undefined) return undefined;
  const index = reading.quantifiers.length;
  reading.quantifiers.push({ kind, test: (row) => test({ counts: undefined, found: [], row }) });
  return ({ found }) => found[index] === true;
}

function isRows(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  const [[name, argument] = [], ...more] = Object.entries(given);
  return name === 'var' && argument === 'rows' && more.length === 0;
}

/** One side of a comparison. */
interface Operand {
  kind: 'count' | 'changeType' | 'cell' | 'move' | 'number' | 'text' | 'null';
  read: (seen: Seen) => Value | undefined;
}

const LITERALS: readonly string[] = ['number', 'text', 'null'] satisfies Operand['kind'][];
const NUMBERS: readonly string[] = ['count', 'move', 'number'] satisfies Operand['kind'][];

function readComparison(
  reading: Reading,
  comparison: Comparison,
  args: unknown,
  location: Location,
): Test | undefined {
  reading.comparisons += 1;
  const at = within(location, comparison);
  if (!Array.isArray(args) || args.length !== 2) return fault(reading, at, 'must be a list of two values');
  const left = readOperand(reading, args[0], within(at, 0));
  const right = readOperand(reading, args[1], within(at, 1));
  if (left === undefined || right === undefined) return undefined;
  const mismatch = mismatchOf(comparison, left, right);
  if (mismatch !== undefined) return fault(reading, at, mismatch);
  return testOf(comparison, left, right);
}

function readOperand(reading: Reading, given: unknown, location: Location): Operand | undefined {
  if (given === null) return { kind: 'null', read: () => undefined };
  if (typeof given === 'number' || typeof given === 'string') return literal(reading, given, location);
  const call = readCall(reading, given, location);
  if (call === undefined) return undefined;
  const [name, argument] = call;
  if (name === 'var') return readVariable(reading, argument, within(location, name));
  const operator = COLUMN_OPERATORS.find((each) => each === name);
  const at = within(location, pointerName(name));
  if (operator === undefined) {
    return fault(
      reading,
      at,
      `is no value: use var, ${COLUMN_OPERATORS.join(', ')}, or a number, a text or null`,
    );
  }
  if (!location.isOfRow) return fault(reading, at, 'is a value of a row: ask for it within some or all');
  if (typeof argument !== 'string' || !COLUMN.test(argument)) {
    return fault(reading, at, 'must be the name of a column, of at most 1,000 characters');
  }
  return columnOperand(operator, argument);
}

const COLUMN = /^[^\0\p{Cs}]{1,1000}$/u;

function columnOperand(operator: ColumnOperator, column: string): Operand {
  const kind = operator === 'before' || operator === 'after' ? 'cell' : 'move';
  return { kind, read: ({ row }) => row?.read(operator, column) };
}

function literal(reading: Reading, given: number | string, location: Location): Operand | undefined {
  if (given === '')
    return fault(reading, location, 'must not be empty: an empty text is a missing value, which is null');
  const text = String(given);
  const value: Value = { text, number: readNumber(text) };
  // JSON cannot store it.
  if (typeof given === 'number' && value.number === undefined) {
    return fault(reading, location, 'is too large for a number');
  }
  if (typeof given === 'number' && !reading.isStored && !isExact(given)) {
    return fault(reading, location, 'has more digits than a number of JSON keeps: write it as a text');
  }
  return { kind: typeof given === 'number' ? 'number' : 'text', read: () => value };
}

/** Reading JSON rounds a number of more digits. */
const EXACT_DIGITS = 15;

function isExact(number: number): boolean {
  if (Number.isInteger(number)) return Number.isSafeInteger(number);
  const [digits = ''] = String(Math.abs(number)).replace('.', '').split('e');
  return digits.replace(/^0+/, '').length <= EXACT_DIGITS;
}

function readVariable(reading: Reading, name: unknown, location: Location): Operand | undefined {
  if (location.isOfRow) {
    if (name !== 'changeType') return fault(reading, location, 'must be changeType, which a row has');
    return { kind: 'changeType', read: ({ row }) => row && { text: row.changeType, number: undefined } };
  }
  const count = COUNTS.find((each) => each === name);
  if (count === undefined)
    return fault(reading, location, `must be one of ${COUNTS.join(', ')}, which an event has`);
  return {
    kind: 'count',
    read: ({ counts }) => counts && { text: '', number: readNumber(String(counts[count])) },
  };
}

/** Why two values cannot be compared so, if they cannot. */
function mismatchOf(comparison: Comparison, left: Operand, right: Operand): string | undefined {
  const kinds = [left.kind, right.kind];
  const isEquality = comparison === '==' || comparison === '!=';
  if (kinds.every((kind) => LITERALS.includes(kind)))
    return 'must ask for something of the event or of a row';
  if (kinds.includes('null') && !(isEquality && kinds.includes('cell'))) {
    return 'can only ask by == or != whether before or after of a column is null';
  }
  if (kinds.includes('changeType')) return changeTypeMismatch(isEquality, left, right);
  const needsNumbers = !isEquality || kinds.some((kind) => NUMBERS.includes(kind));
  const isWord = ({ kind, read }: Operand): boolean => kind === 'text' && read(NOTHING)?.number === undefined;
  return needsNumbers && (isWord(left) || isWord(right))
    ? 'compares numbers, and this text is none: write it as 1234.5'
    : undefined;
}

const NOTHING: Seen = { counts: undefined, found: [], row: undefined };

function changeTypeMismatch(isEquality: boolean, left: Operand, right: Operand): string | undefined {
  const other = left.kind === 'changeType' ? right : left;
  const isType = other.kind === 'text' && CHANGE_TYPES.includes(other.read(NOTHING)?.text ?? '');
  return isEquality && isType ? undefined : `can only ask by == or != for one of ${CHANGE_TYPES.join(', ')}`;
}

const FITS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function testOf(comparison: Comparison, left: Operand, right: Operand): Test {
  const fits = FITS[comparison];
  const kinds = [left.kind, right.kind];
  if (kinds.includes('null')) {
    const { read } = left.kind === 'null' ? right : left;
    return (seen) => (read(seen) === undefined) === (comparison === '==');
  }
  const isEquality = comparison === '==' || comparison === '!=';
  const areTexts =
    isEquality && kinds.some((kind) => kind === 'changeType' || kind === 'text') && !hasNumber(kinds);
  const mayBeTexts = isEquality && kinds.every((kind) => kind === 'cell');
  return (seen) => {
    const [a, b] = [left.read(seen), right.read(seen)];
    if (a === undefined || b === undefined) return false;
    if (!areTexts && a.number !== undefined && b.number !== undefined) {
      return fits(compareQuantities(a.number, b.number));
    }
    return (areTexts || mayBeTexts) && fits(a.text === b.text ? 0 : 1);
  };
}

const hasNumber = (kinds: readonly string[]): boolean => kinds.some((kind) => NUMBERS.includes(kind));
