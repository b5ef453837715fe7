// Reads JSON rows quickly when they have the same layout as an earlier row: the same members in the same order, the same
// characters between values, and no arrays. Only the ends of values have to be found; names are not read again.
import { scalarEnd } from './scan-json.ts';

export interface JsonLayout {
  /** Dot paths of the values, in order. */
  paths: readonly string[];
  /** The canonical tokens of a row's values; undefined if the row has another layout. */
  valuesOf: (text: string) => string[] | undefined;
}

/** From a bracket or comma to the start of a value. Names with escapes do not match. */
// eslint-disable-next-line no-control-regex -- a JSON string may hold no control character
const MEMBER = /[ \t\n\r]*[{,][ \t\n\r]*"([^"\\\u0000-\u001f\ud800-\udfff]*)"[ \t\n\r]*:[ \t\n\r]*/y;
const CLOSE = /[ \t\n\r]*\}/y;

/**
 * @param text a JSON object that was read in full and has no repeated members
 * @returns undefined if other rows cannot be read by its layout
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
