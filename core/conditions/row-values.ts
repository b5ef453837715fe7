// The values that a condition reads from a row: its columns before and after, and by how much a number changed.
import { cellText, splitRowJson } from '../delta/keys/keyed-row.ts';
import { type PlainNumber, readNumber } from '../delta/rules/plain-number.ts';
import { changeBetween, percentBetween, type Quantity } from './quantity.ts';

/** One row of an event. The texts are JSON objects, as stored; null where there is none. */
export interface ConditionRow {
  changeType: string;
  before: string | null;
  after: string | null;
}

/** A value, with the number that it is, if it is one. */
export interface Value {
  text: string;
  number: Quantity | undefined;
}

export const COLUMN_OPERATORS = ['before', 'after', 'change', 'percent'] as const;
export type ColumnOperator = (typeof COLUMN_OPERATORS)[number];

interface Cell extends Value {
  number: PlainNumber | undefined;
}

/** Reads each side and each value of a row once, and only when it is asked for: values may have a megabyte. */
export class RowValues {
  readonly changeType: string;
  readonly #texts: Record<'before' | 'after', string | null>;
  readonly #sides: Partial<Record<'before' | 'after', ReadonlyMap<string, string>>> = {};
  readonly #cells = new Map<string, Cell | undefined>();
  readonly #moves = new Map<string, Value | undefined>();

  constructor({ changeType, before, after }: ConditionRow) {
    this.changeType = changeType;
    this.#texts = { before, after };
  }

  /** @returns undefined for a missing value: no such side or column, null, an empty text, no number to calculate with */
  read(operator: ColumnOperator, column: string): Value | undefined {
    if (operator === 'before' || operator === 'after') return this.#cell(operator, column);
    const name = `${operator} ${column}`;
    if (!this.#moves.has(name)) this.#moves.set(name, this.#move(operator, column));
    return this.#moves.get(name);
  }

  #cell(side: 'before' | 'after', column: string): Cell | undefined {
    const name = `${side} ${column}`;
    if (!this.#cells.has(name)) this.#cells.set(name, this.#readCell(side, column));
    return this.#cells.get(name);
  }

  #readCell(side: 'before' | 'after', column: string): Cell | undefined {
    const data = this.#texts[side];
    if (data === null) return undefined;
    const cells = (this.#sides[side] ??= new Map(splitRowJson(data)));
    const text = cellText(cells.get(column));
    return text === '' ? undefined : { text, number: readNumber(text) };
  }

  #move(operator: 'change' | 'percent', column: string): Value | undefined {
    const was = this.#cell('before', column)?.number;
    const is = this.#cell('after', column)?.number;
    if (was === undefined || is === undefined) return undefined;
    const number = operator === 'change' ? changeBetween(was, is) : percentBetween(was, is);
    return number && { text: '', number };
  }
}
