// The rule that a record's rows are kept under (a generation), against the one that its owner asks for.

export interface RuleState {
  /** Asked for; null: chosen from the data. */
  keyFields: readonly string[] | null;
  /** Asked for. */
  ignoreFields: readonly string[];
  /** The generation that is to end with the next body that the origin sends. */
  startsOverGeneration: number | null;
  snapshotId: string | null;
  generation: number;
  headKeyFields: readonly string[];
  keySource: 'given' | 'detected' | null;
  headIgnoreFields: readonly string[];
}

/** Whether the next body begins a generation, compared with nothing. */
export const startsOver = ({ snapshotId, startsOverGeneration, generation }: RuleState): boolean =>
  snapshotId !== null && startsOverGeneration === generation;

/** Whether the stored body is to be read again, because rows are kept under another rule than the one asked for. */
export function isRekeyDue(state: RuleState): boolean {
  if (state.snapshotId === null || startsOver(state)) return false;
  return !hasSameMembers(state.ignoreFields, state.headIgnoreFields) || !isKeyInForce(state);
}

/** A key that was chosen serves as well when it is given; one that was given may not be what would be chosen. */
const isKeyInForce = ({ keyFields, keySource, headKeyFields }: RuleState): boolean =>
  keyFields === null ? keySource !== 'given' : isSameList(keyFields, headKeyFields);

export const isSameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((text, index) => text === right[index]);

const hasSameMembers = (left: readonly string[], right: readonly string[]): boolean =>
  isSameList(left.toSorted(), right.toSorted());
