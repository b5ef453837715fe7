// Makes text from files and origins safe to print: shows characters that a terminal obeys, or that turn the direction of text, as
// escapes.

/** Control characters, marks that change the direction of text, and line separators. */
const OBEYED = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** For people, and within JSON text: there such a character can only be in a string, where this is its escape. */
export const safeText = (text: string): string => text.replaceAll(OBEYED, escape);

/** For a terminal that is shown lines of a format. */
export const safeLines = (text: string): string =>
  text.replaceAll(OBEYED, (character) => (character === '\n' ? character : escape(character)));
