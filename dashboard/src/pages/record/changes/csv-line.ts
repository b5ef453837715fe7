// Lines of CSV in the same form as the API's files. A test compares the two.

/** `none`: cells as they are. `spreadsheet`: no cell that a spreadsheet takes for a formula. */
export type CsvEscape = 'none' | 'spreadsheet';

const PLAIN_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** What may begin a formula, after space that programs drop; or an apostrophe, so that removing one restores the cell. */
// oxlint-disable-next-line no-control-regex -- control characters are among them
const SUSPECT = /^(?:[\0\t\r\n]|[\s\0-\x20\u200b-\u200f\u2060]*['=+\-@＝＋－＠])/;
// oxlint-disable-next-line no-control-regex -- control characters are among them
const NEEDS_QUOTES = /[\0-\x1f",\\]|^ | $/;

export const csvLine = (texts: readonly string[], escape: CsvEscape): string =>
  `${texts.map((text) => csvCell(text, escape)).join(',')}\n`;

function csvCell(text: string, escape: CsvEscape): string {
  const isFormula = escape === 'spreadsheet' && SUSPECT.test(text) && !PLAIN_NUMBER.test(text);
  const shown = isFormula ? `'${text}` : text;
  return NEEDS_QUOTES.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
