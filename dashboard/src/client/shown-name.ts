// A name as it is shown: with what turns the direction of text, a name could look like another one. The rule of
// core/text/safe-text.ts, which pages cannot import.

const OBEYED = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** For reading only: a field in which a name is edited has the name itself. */
export const shownName = (name: string): string =>
  name.replaceAll(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
