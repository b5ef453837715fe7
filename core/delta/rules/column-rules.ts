// Rules for columns: when two values of a column are the same although their texts differ.

export const VALUE_KINDS = ['number', 'date'] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

export const NORMAL_FORMS = ['NFC', 'NFKC'] as const;

/** What does not count in a comparison of two values. */
export interface ColumnRule {
  /** How the text is written, if it holds such a value. */
  as?: ValueKind;
  /** How far a number may be from the one that was reported last: `0.01`, `1%`. */
  tolerance?: string;
  /** White space at both ends. */
  trim?: boolean;
  ignoreCase?: boolean;
  /** Which code points write a character: Unicode's normalization form to compare in. */
  normalize?: (typeof NORMAL_FORMS)[number];
}

/** By column. In JSON, a column is a path. */
export type ColumnRules = Readonly<Record<string, ColumnRule>>;

export const NO_RULES: ColumnRules = {};

const MEMBERS = ['as', 'tolerance', 'trim', 'ignoreCase', 'normalize'] as const;

/** The same rules without settings that have no effect, such as `trim: false`, and without rules that are then empty. */
export function tidyRules(rules: ColumnRules): ColumnRules {
  const tidy = Object.entries(rules).map(([column, rule]) => {
    const members = MEMBERS.map((name) => [name, rule[name]] as const);
    return [
      column,
      Object.fromEntries(members.filter(([, value]) => value !== undefined && value !== false)),
    ];
  });
  return Object.fromEntries(tidy.filter(([, rule]) => Object.keys(rule as object).length > 0));
}

export const isSameRules = (left: ColumnRules, right: ColumnRules): boolean =>
  rulesText(left) === rulesText(right);

/**
 * Whether two values that are the same under a column's present rule are surely the same under the wanted one. A rule with a
 * tolerance compares with the value that was reported last, and another rule may report another value. So after a tolerance
 * only an equal rule will do.
 */
export const isLooserRule = (present: ColumnRule, wanted: ColumnRule = {}): boolean =>
  present.tolerance === undefined
    ? MEMBERS.every((name) => (present[name] ?? false) === false || present[name] === wanted[name]) &&
      // Texts of the same letters may differ once their code points are combined otherwise.
      (present.ignoreCase !== true || present.normalize === wanted.normalize)
    : isSameRules({ column: present }, { column: wanted });

/** A text that is equal for equal rules, in whatever order they are. */
export function rulesText(rules: ColumnRules): string {
  const sorted = Object.entries(tidyRules(rules)).sort(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify(sorted);
}

/** The rules that apply to rows with this key: key columns compare exactly. */
export const rulesBeside = (
  rules: ColumnRules,
  keyFields: readonly string[],
): ReadonlyMap<string, ColumnRule> =>
  new Map(Object.entries(rules).filter(([column]) => !keyFields.includes(column)));
