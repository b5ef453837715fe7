// Stored rows in the form that the rules of their columns compare: the hash of a row, and the columns in which two rows differ.
// A tolerance says when a value is reported. It does not make two reported values the same, so it does not count here.
import { compareKeys } from './compare-keys.ts';
import { changedFields, hashOfRow, memberName, splitRowJson } from './keys/keyed-row.ts';
import { type Canonical, canonicalBy } from './rules/canonical-cell.ts';
import { type ColumnRules, rulesBeside } from './rules/column-rules.ts';

const formsOf = (rules: ColumnRules, keyFields: readonly string[]): ReadonlyMap<string, Canonical> =>
  new Map([...rulesBeside(rules, keyFields)].map(([column, rule]) => [column, canonicalBy(rule)]));

/** @returns what gives a row's data the hash that a row of a body with the same cells has */
export function rowHashBy(rules: ColumnRules, keyFields: readonly string[]): (data: string) => Buffer {
  const forms = formsOf(rules, keyFields);
  return (data) => {
    const members = splitRowJson(data)
      .sort(([left], [right]) => compareKeys(left, right))
      .map(([column, token]) => memberName(column) + (forms.get(column)?.(token) ?? token));
    return hashOfRow(`{${members.join(',')}}`);
  };
}

export type ChangedFields = (before: string, after: string) => string[];

/** Like changedFields, for versions of a row that need not follow each other: their cells may be the same in other spellings. */
export function changedFieldsBy(rules: ColumnRules, keyFields: readonly string[]): ChangedFields {
  const forms = formsOf(rules, keyFields);
  return (before, after) =>
    changedFields(before, after, (column, was, is) => {
      const form = forms.get(column);
      return form === undefined ? was === is : form(was) === form(is);
    });
}
