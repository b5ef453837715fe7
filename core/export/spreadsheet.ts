// Cells that no spreadsheet takes for a formula: an apostrophe goes before whatever could begin one, except before
// plain numbers. An apostrophe that was there gets a second one, so that taking one away gives back every cell.

const PLAIN_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** What can begin a formula (also in its full-width form), behind space that programs drop; and what begins a line. */
// oxlint-disable-next-line no-control-regex -- control characters are among them
const SUSPECT = /^(?:[\0\t\r\n]|[\s\0-\x20\u200b-\u200f\u2060]*['=+\-@＝＋－＠])/;

/** The cell as a spreadsheet may have it: `=1+1` becomes `'=1+1`, `-5` stays. */
export function protectCell(text: string): string {
  return SUSPECT.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}
