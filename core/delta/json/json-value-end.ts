// Finds the end of a JSON value by quotes and brackets only. It does not validate the value; scanJson does.

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Characters that may follow a number or a word. */
const AFTER_PLAIN = /[\s,\]}]/g;

/**
 * The offset after the value that begins at `start`; -1 if the text ends first.
 * @param isEnd whether the body ends with the text, so that a number may end there
 */
export function valueEnd(text: string, start: number, isEnd: boolean): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return stringEnd(text, start);
  if (OPENING.has(first)) return nestedEnd(text, start);
  AFTER_PLAIN.lastIndex = start;
  const found = AFTER_PLAIN.exec(text);
  if (found !== null) return found.index;
  return isEnd ? text.length : -1;
}

/** The offset after the string that begins at `start`; -1 if the text ends first. */
export function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    if (!isEscaped(text, at, start)) return at + 1;
  }
  return -1;
}

function nestedEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(text, at);
      if (end === -1) return -1;
      at = end - 1;
    } else if (OPENING.has(code)) depth++;
    else if (CLOSING.has(code) && --depth === 0) return at + 1;
  }
  return -1;
}

/** Whether an odd number of backslashes precedes a quote. */
function isEscaped(text: string, at: number, start: number): boolean {
  let from = at;
  while (from - 1 > start && text.charCodeAt(from - 1) === BACKSLASH) from--;
  return (at - from) % 2 === 1;
}
