// A condition in its form: one of the usual ones in fields, or any as JSON.
import type { components } from '../../../../../client/schema.ts';

export type Condition = components['schemas']['Condition'];

export const MOVES = {
  fell: 'fell by more than, in %',
  rose: 'rose by more than, in %',
  above: 'rose above',
  below: 'fell below',
  became: 'became',
} as const;
export type Move = keyof typeof MOVES;

export interface ConditionDraft {
  kind: 'none' | 'column' | 'rows' | 'json';
  column: string;
  move: Move;
  value: string;
  changeType: 'new' | 'changed' | 'deleted';
  /** More than this many rows. */
  count: number | '';
  json: string;
}

export const NO_CONDITION: ConditionDraft = {
  kind: 'none',
  column: '',
  move: 'fell',
  value: '',
  changeType: 'deleted',
  count: '',
  json: '',
};

/** @returns null for none; undefined as long as the draft is not complete */
export function conditionOf(draft: ConditionDraft): Condition | null | undefined {
  const { kind, column, move, value, changeType, count, json } = draft;
  if (kind === 'none') return null;
  if (kind === 'json') return parsed(json);
  if (kind === 'rows') return count === '' ? undefined : { '>': [{ var: `${changeType}Count` }, count] };
  const words = value.trim();
  if (column === '' || words === '' || (move !== 'became' && !NUMBER.test(words))) return undefined;
  return { some: [{ var: 'rows' }, rowTest(move, column, words)] };
}

const NUMBER = /^-?\d+(\.\d+)?$/;
/** As many digits as a number in JSON surely keeps. The service reads longer ones from texts. */
const SAFE_DIGITS = 15;

const literal = (text: string): number | string =>
  NUMBER.test(text) && text.replace(/\D/g, '').length <= SAFE_DIGITS ? Number(text) : text;

function rowTest(move: Move, column: string, value: string): object {
  const [was, is, limit] = [{ before: column }, { after: column }, literal(value)];
  if (move === 'became') return { and: [{ '==': [is, limit] }, { '!=': [was, is] }] };
  if (move === 'above') return { and: [{ '<=': [was, limit] }, { '>': [is, limit] }] };
  if (move === 'below') return { and: [{ '>=': [was, limit] }, { '<': [is, limit] }] };
  const percent = { percent: column };
  if (move === 'rose') return { '>': [percent, limit] };
  return { '<': [percent, literal(value.startsWith('-') ? value.slice(1) : `-${value}`)] };
}

function parsed(text: string): Condition | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // The service says what is wrong with any other object.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Condition)
      : undefined;
  } catch {
    return undefined;
  }
}

export const jsonOf = (condition: Condition): string => JSON.stringify(condition, null, 2);

/** Shows a condition in fields if they can write the same, else as JSON. */
export function draftOfCondition(condition: Condition | null): ConditionDraft {
  if (condition === null) return NO_CONDITION;
  const json = jsonOf(condition);
  const guesses = [...rowGuesses(json), ...columnGuesses(json)].map((guess) => ({
    ...NO_CONDITION,
    ...guess,
    json,
  }));
  const same = guesses.find((guess) => {
    const written = conditionOf(guess);
    return written && jsonOf(written) === json;
  });
  return same ?? { ...NO_CONDITION, kind: 'json', json };
}

function rowGuesses(json: string): Partial<ConditionDraft>[] {
  const count = Number(/(?<!\d)(\d+)\s*\]\s*\}$/.exec(json)?.[1]);
  return (['new', 'changed', 'deleted'] as const).map((changeType) => ({ kind: 'rows', changeType, count }));
}

function columnGuesses(json: string): Partial<ConditionDraft>[] {
  const name = /"(?:percent|before|after)": ("(?:[^"\\]|\\.)*")/.exec(json)?.[1];
  const value = /\},\s*(-?[\d.]+|"(?:[^"\\]|\\.)*")\s*\]/.exec(json)?.[1];
  if (name === undefined || value === undefined) return [];
  const [column, text] = [String(JSON.parse(name)), String(JSON.parse(value))];
  const size = text.startsWith('-') ? text.slice(1) : `-${text}`;
  return (Object.keys(MOVES) as Move[]).map((move) => ({
    kind: 'column',
    column,
    move,
    value: move === 'fell' ? size : text,
  }));
}
