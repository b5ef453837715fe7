// A condition in a line of text.
import { type Condition, draftOfCondition, MOVES } from './condition-draft.ts';

export function conditionWords(condition: Condition): string {
  const { kind, column, move, value, changeType, count } = draftOfCondition(condition);
  if (kind === 'rows') return `more than ${count} rows are ${changeType}`;
  if (kind !== 'column') return JSON.stringify(condition);
  const isPercent = move === 'fell' || move === 'rose';
  return isPercent ? `${column} ${move} by more than ${value} %` : `${column} ${MOVES[move]} ${value}`;
}
