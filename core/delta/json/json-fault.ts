// Turns errors of the strict JSON reader into check errors.
import { CheckError } from '../../errors.ts';
import type { JsonScanError } from './scan-json.ts';

/** The location of a JSON text in a body. */
export interface JsonLocation {
  /** For example “line 3”; empty for the document itself. */
  name: string;
  /** Characters before the text. */
  offset: number;
  /** Whether the body ends with the text. */
  isOpen: boolean;
}

/** An incomplete JSON text: it ends between tokens, or within a word or a number. */
const UNFINISHED = /^(?:-|\.|[eE][+-]?|t|tr|tru|f|fa|fal|fals|n|nu|nul)?$/;

/** malformed_body, body_truncated (only if the body ends there) or invalid_character. The message contains nothing of the text. */
export function toCheckError(error: JsonScanError, text: string, location: JsonLocation): CheckError {
  const { name, offset, isOpen } = location;
  const where = `at ${name === '' ? '' : `${name}, `}character ${offset + error.offset + 1}`;
  if (error.fault === 'character') return new CheckError('invalid_character', `It is ${where}.`);
  if (error.fault === 'depth') return new CheckError('malformed_body', `Nested too deep ${where}.`);
  if (isOpen && UNFINISHED.test(text.slice(error.offset))) {
    return cutOff(name === '' ? `the document, after character ${offset + text.length}` : name);
  }
  return new CheckError('malformed_body', `Not valid JSON ${where}.`);
}

/** The body ends within a JSON text. */
export function cutOff(name: string): CheckError {
  return new CheckError('body_truncated', `It ends in the middle of ${name}.`);
}
