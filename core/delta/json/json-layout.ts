// Rows of JSON that are laid out like a row before them: the same members in the same order, the same characters around
// their values, and no value that is an array. What they lack to be read is where each value ends: no name is read again.
import { scalarEnd } from './scan-json.ts';

export interface JsonLayout {
  /** Where the values belong, in order; names of nested members are joined by dots. */
  paths: readonly string[];
  /** The canonical tokens of a row's values; undefined unless the row is laid out so. */
  valuesOf: (text: string) => string[] | undefined;
}

/** From a bracket or comma to where a value begins. Names with escapes are left to who reads all of them. */
// eslint-disable-next-line no-control-regex -- a JSON string may hold no control character
const MEMBER = /[ \t\n\r]*[{,][ \t\n\r]*"([^"\\\u0000-\u001f\ud800-\udfff]*)"[ \t\n\r]*:[ \t\n\r]*/y;
const CLOSE = /[ \t\n\r]*\}/y;

/**
 * @param text a JSON object that has been read, and has no member twice
 * @returns undefined if its layout is not one that others can be read by
 */
export function layoutOf(text: string): JsonLayout | undefined {
  const paths: string[] = [];
  const gaps: string[] = [];
  const open: string[] = [];
  let gapAt = 0;
  for (let at = 0; ;) {
    CLOSE.lastIndex = at;
    if (CLOSE.test(text)) {
      at = CLOSE.lastIndex;
      if (open.pop() === undefined) break;
      continue;
    }
    MEMBER.lastIndex = at;
    const name = MEMBER.exec(text)?.[1];
    if (name === undefined) return undefined;
    at = MEMBER.lastIndex;
    if (text.startsWith('{', at)) {
      open.push(name);
      continue;
    }
    gaps.push(text.slice(gapAt, at));
    paths.push([...open, name].join('.'));
    gapAt = at = scalarEnd(text, at);
    if (at === -1) return undefined;
  }
  return { paths, valuesOf: readerOf(gaps, text.slice(gapAt)) };
}

function readerOf(gaps: readonly string[], end: string): JsonLayout['valuesOf'] {
  return (text) => {
    const values: string[] = [];
    let at = 0;
    for (const gap of gaps) {
      if (!text.startsWith(gap, at)) return undefined;
      const from = at + gap.length;
      at = scalarEnd(text, from);
      if (at === -1) return undefined;
      values.push(text.slice(from, at));
    }
    return text.length === at + end.length && text.endsWith(end) ? values : undefined;
  };
}
