// Warns of names in --ignore that no version has: with a misspelt name, changes count that should not.
import { safeText } from '../../core/text/safe-text.ts';

/** @param who has no such field, such as “neither version” */
export const absentWords = (field: string, who: string): string =>
  `--ignore ${safeText(field)}: ${who} has such a field.`;

export function noteAbsent(fields: readonly string[], who: string): void {
  for (const field of fields) console.error(`recordwatch: ${absentWords(field, who)}`);
}
