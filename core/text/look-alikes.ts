// Texts that are printed without quotes, beside null and missing values.

/** What stands for a value that a row does not have. */
export const MISSING = '(none)';

const LOOK_ALIKE = /^"*(?:(?:null|\(none\))"*)?$/;
/** Also within quotes, which would look like those of such a text. */
const SPACE_AT_AN_END = /^"?\s|\s"?$/;

/**
 * The text. In quotes, as in JSON, if it is empty or would look like null, like a missing value, or like one in quotes, or if it
 * begins or ends with white space.
 */
export const quoteLookAlike = (text: string): string =>
  LOOK_ALIKE.test(text) || SPACE_AT_AN_END.test(text) ? JSON.stringify(text) : text;
