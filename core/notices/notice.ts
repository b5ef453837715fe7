// A notice: what an event says to a person. Its texts come from origins too, so each is one line, of a limited length, without
// characters that a reader obeys. The channels escape their own markup.
import { safeText } from '../text/safe-text.ts';

export interface Notice {
  /** The record, and what happened: `SPDX licences: 5 new and 1 changed rows`. */
  title: string;
  /** The first change, and how many more there are: `Jam: price 3.20 to 3.50, and 4 more`. */
  summary: string;
  /** The first changes, one each, and how many more there are. */
  lines: readonly string[];
  link: { url: string; words: string };
  /** Whether somebody should look at it soon. */
  isAlarm: boolean;
}

/** A message has at most this many changes. */
export const MOST_CHANGES = 8;
export const LONGEST_LINE = 240;
/** Of a record. */
export const LONGEST_NAME = 80;

/** One safe line of at most this many characters. Longer text ends in an ellipsis. */
export function shortLine(text: string, most: number): string {
  // An escape has six characters, so the rest of a longer text is never shown.
  const safe = safeText(text.slice(0, most + 1));
  return text.length <= most && safe.length <= most ? safe : `${cutBefore(safe, most - 1)}…`;
}

/** Never ends in half of a surrogate pair. */
const cutBefore = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

/** Escapes as much of a text as fits. */
export function escapeWithin(text: string, most: number, escape: (text: string) => string): string {
  const whole = escape(text);
  if (whole.length <= most) return whole;
  let kept = '';
  for (const character of text) {
    const escaped = escape(character);
    if (kept.length + escaped.length > most - 1) break;
    kept += escaped;
  }
  return `${kept}…`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
