// A name as it is shown. Characters that turn the direction of text are escaped: with them a name could look like another one.

const TURNING = /[\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/** For reading only: a field in which a name is edited has the name itself. */
export const shownName = (name: string): string =>
  name.replaceAll(TURNING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
