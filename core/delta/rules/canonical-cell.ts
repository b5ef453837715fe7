// The form in which a rule compares the cells of its column: two cells are the same if their forms are equal.
import { decodeString } from '../json/scan-json.ts';
import type { Cell } from '../model.ts';
import type { ColumnRule } from './column-rules.ts';
import { foldCase } from './fold-case.ts';
import { dateText } from './plain-date.ts';
import { numberText, type PlainNumber, readNumber } from './plain-number.ts';

export type Canonical = (cell: Cell) => Cell;

/**
 * The form of a number or a date is no JSON, so that no text equals it. Any other text is a JSON string. Missing cells, null, true,
 * false and arrays stay as they are.
 */
export function canonicalBy(rule: ColumnRule): Canonical {
  const textOf = textForm(rule);
  return (cell) => {
    if (cell === undefined) return undefined;
    const isText = cell.startsWith('"');
    if (!isText) return rule.as === 'number' ? (valueForm('number', cell) ?? cell) : cell;
    const text = textOf(decodeString(cell));
    return (rule.as && valueForm(rule.as, text)) ?? JSON.stringify(text);
  };
}

/** The number that a cell holds; undefined for another value. */
export function numberBy(rule: ColumnRule): (cell: Cell) => PlainNumber | undefined {
  const textOf = textForm(rule);
  return (cell) =>
    cell === undefined ? undefined : readNumber(cell.startsWith('"') ? textOf(decodeString(cell)) : cell);
}

/** First which code points, then the ends, then case; and the code points again, because upper case may be written in others. */
function textForm({ trim, ignoreCase, normalize }: ColumnRule): (text: string) => string {
  const normal = (text: string): string => (normalize === undefined ? text : text.normalize(normalize));
  return (text) => {
    const written = normal(text);
    const bare = trim === true ? written.trim() : written;
    return ignoreCase === true ? normal(foldCase(bare)) : bare;
  };
}

function valueForm(kind: NonNullable<ColumnRule['as']>, text: string): string | undefined {
  if (kind === 'date') {
    const date = dateText(text);
    return date && `date ${date}`;
  }
  const number = readNumber(text);
  return number && `number ${numberText(number)}`;
}
