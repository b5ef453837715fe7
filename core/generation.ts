// The rule that a record's rows are kept under (a generation), against the one that its owner asks for.
import { type Dialect, headerRowOf } from './delta/model.ts';

export interface RuleState {
  /** Asked for; null: chosen from the data. */
  keyFields: readonly string[] | null;
  /** Asked for. */
  ignoreFields: readonly string[];
  /** Asked for; null: found in the data. */
  headerRow: number | null;
  /** The generation that is to end with the next body that the origin sends. */
  startsOverGeneration: number | null;
  snapshotId: string | null;
  generation: number;
  headKeyFields: readonly string[];
  keySource: 'given' | 'detected' | null;
  headIgnoreFields: readonly string[];
  headHeaderRow: number | null;
  /** Written by checks, which store a Dialect; null before the first good one. */
  dialect: unknown;
}

/** Whether the next body begins a generation, compared with nothing. */
export const startsOver = ({ snapshotId, startsOverGeneration, generation }: RuleState): boolean =>
  snapshotId !== null && startsOverGeneration === generation;

/** Whether the stored body is to be read again, because rows are kept under another rule than the one asked for. */
export function isRekeyDue(state: RuleState): boolean {
  if (state.snapshotId === null || startsOver(state)) return false;
  const isIgnoredInForce = hasSameMembers(state.ignoreFields, state.headIgnoreFields);
  return !isIgnoredInForce || !isKeyInForce(state) || !isHeaderInForce(state);
}

/** A key that was chosen serves as well when it is given; one that was given may not be what would be chosen. */
const isKeyInForce = ({ keyFields, keySource, headKeyFields }: RuleState): boolean =>
  keyFields === null ? keySource !== 'given' : isSameList(keyFields, headKeyFields);

/** A line that was found serves as well when it is given; one that was given may not be what would be found. */
export function isHeaderInForce({ headerRow, headHeaderRow, dialect }: HeaderState): boolean {
  const stored = dialect as Dialect | null; // as checks write it
  if (stored === null || stored.delimiter === null) return true;
  return headerRow === null ? headHeaderRow === null : headerRow === headerRowOf(stored);
}

type HeaderState = Pick<RuleState, 'headerRow' | 'headHeaderRow' | 'dialect'>;

export const isSameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((text, index) => text === right[index]);

const hasSameMembers = (left: readonly string[], right: readonly string[]): boolean =>
  isSameList(left.toSorted(), right.toSorted());
