// The form in which a rule compares the cells of its column: two cells are the same if their forms are equal.
import { decodeString } from '../json/scan-json.ts';
import type { Cell } from '../model.ts';
import type { ColumnRule, ValueKind } from './column-rules.ts';
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
  const values = rule.as && VALUE_FORMS[rule.as];
  return (cell) => {
    if (cell === undefined) return undefined;
    const isText = cell.startsWith('"');
    if (!isText) return (values?.isBare === true ? values.formOf(cell) : undefined) ?? cell;
    const text = textOf(decodeString(cell));
    return values?.formOf(text) ?? JSON.stringify(text);
  };
}

/** The number that a cell holds; undefined for another value. */
export function numberBy(rule: ColumnRule): (cell: Cell) => PlainNumber | undefined {
  const textOf = textForm(rule);
  return (cell) =>
    cell === undefined ? undefined : readNumber(cell.startsWith('"') ? textOf(decodeString(cell)) : cell);
}

/**
 * First which code points, then the ends, then case; and the code points again, because upper case may be written in others.
 * The kernel folds case after it has read the value (raw/kernel/compared-value.as). That is the same for numbers and dates: their
 * only letters are e, t and z, which readNumber and dateText take in both cases.
 */
function textForm({ trim, ignoreCase, normalize }: ColumnRule): (text: string) => string {
  const normal = (text: string): string => (normalize === undefined ? text : text.normalize(normalize));
  return (text) => {
    const written = normal(text);
    const bare = trim === true ? written.trim() : written;
    return ignoreCase === true ? normal(foldCase(bare)) : bare;
  };
}

interface ValueForm {
  /** Whether JSON has such values without quotes. */
  isBare: boolean;
  /** @returns undefined for a text that holds no such value */
  formOf: (text: string) => string | undefined;
}

const VALUE_FORMS: Record<ValueKind, ValueForm> = {
  number: {
    isBare: true,
    formOf: (text) => {
      const number = readNumber(text);
      return number && `number ${numberText(number)}`;
    },
  },
  date: {
    isBare: false,
    formOf: (text) => {
      const date = dateText(text);
      return date && `date ${date}`;
    },
  },
};
