// Texts that are printed without quotes, beside null and missing values.

/** What stands for a value that a row does not have. */
export const MISSING = '(none)';

const LOOK_ALIKE = /^"*(?:null|\(none\))?"*$/;

/** The text. In quotes, as in JSON, if it is empty or would look like null, like a missing value, or like one in quotes. */
export const quoteLookAlike = (text: string): string => (LOOK_ALIKE.test(text) ? JSON.stringify(text) : text);
