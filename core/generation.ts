// Compares the rule that a record's rows are stored under (a generation) with the rule that its settings ask for.
import { type DataFormat, type Dialect, headerRowOf, type Quoting, quotingOf } from './delta/model.ts';
import { type ColumnRules, isSameRules } from './delta/rules/column-rules.ts';

export interface RuleState {
  /** Setting; null: detected. */
  keyFields: readonly string[] | null;
  /** Setting. */
  ignoreFields: readonly string[];
  /** Setting. */
  rules: ColumnRules;
  /** Setting; null: detected. */
  headerRow: number | null;
  /** Setting. */
  quoting: Quoting;
  /** Setting; null: detected. */
  format: DataFormat | null;
  /** The generation that the user asked to end with the next body from the origin. */
  startsOverGeneration: number | null;
  snapshotId: string | null;
  generation: number;
  headKeyFields: readonly string[];
  keySource: 'given' | 'detected' | null;
  headIgnoreFields: readonly string[];
  headRules: ColumnRules;
  headHeaderRow: number | null;
  headQuoting: Quoting;
  /** Of the settings of format, delimiter and place of the rows. */
  settingsVersion: number;
  /** The version of them whose header row and quoting wait for a later body. */
  putAsideVersion: number | null;
  /** JSON of a Dialect, from checks; null before the first good one. */
  dialect: unknown;
}

/** Whether the next body starts a generation, without a comparison. */
export const startsOver = ({ snapshotId, startsOverGeneration, generation }: RuleState): boolean =>
  snapshotId !== null && startsOverGeneration === generation;

/** Whether the stored body must be read again, because its rows are stored under another rule than the settings ask for. */
export function isRekeyDue(state: RuleState): boolean {
  if (state.snapshotId === null || startsOver(state)) return false;
  const isIgnoredInForce = hasSameMembers(state.ignoreFields, state.headIgnoreFields);
  const areRulesInForce = isSameRules(state.rules, state.headRules);
  return !isIgnoredInForce || !areRulesInForce || !isKeyInForce(state) || !isTableInForce(state);
}

/** Setting the detected key changes nothing. Removing given key fields does, because detection may choose others. */
export const isKeyInForce = ({
  keyFields,
  keySource,
  headKeyFields,
}: Pick<RuleState, 'keyFields' | 'keySource' | 'headKeyFields'>): boolean =>
  keyFields === null ? keySource !== 'given' : isSameList(keyFields, headKeyFields);

/**
 * Whether the stored rows were read with the header row and the quoting of the settings: with others, names and cells are others.
 * Setting the detected header row changes nothing. Removing a given one does, because detection may choose another. A JSON format
 * has neither: until its first body comes, the stored rows keep theirs. They also keep them while the settings are put aside.
 */
export function isTableInForce(state: TableState): boolean {
  const { headerRow, headHeaderRow, quoting, headQuoting, format } = state;
  const stored = cellsOf(state);
  if (stored === null || format === 'json' || format === 'jsonl') return true;
  const isAside = isPutAside(state);
  if (quoting !== quotingOf(stored) && !(isAside && quoting === headQuoting)) return false;
  if (headerRow !== null && headerRow === headerRowOf(stored)) return true;
  return headerRow === headHeaderRow && (headerRow === null || isAside);
}

/** The header row and the quoting that a body is read with to be compared with the stored rows. */
export function tableInForce(state: TableState): Pick<RuleState, 'headerRow' | 'quoting'> {
  const { headHeaderRow, headQuoting } = state;
  const stored = cellsOf(state);
  if (stored === null || isPutAside(state)) return { headerRow: headHeaderRow, quoting: headQuoting };
  return { headerRow: headHeaderRow === null ? null : headerRowOf(stored), quoting: quotingOf(stored) };
}

export type TableState = Pick<
  RuleState,
  | 'headerRow'
  | 'headHeaderRow'
  | 'quoting'
  | 'headQuoting'
  | 'format'
  | 'settingsVersion'
  | 'putAsideVersion'
  | 'dialect'
>;

/**
 * Whether header row and quoting are for a later body with another delimiter (activities/checks/reread-dialect.ts). With newer
 * settings they may be for the stored one.
 */
const isPutAside = ({ settingsVersion, putAsideVersion }: TableState): boolean =>
  putAsideVersion === settingsVersion;

/** The dialect of stored rows with cells. */
function cellsOf({ dialect }: TableState): Dialect | null {
  const stored = dialect as Dialect | null; // written by checks
  return stored?.delimiter === null ? null : stored;
}

export const isSameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((text, index) => text === right[index]);

const hasSameMembers = (left: readonly string[], right: readonly string[]): boolean =>
  isSameList(left.toSorted(), right.toSorted());
