// What the strict JSON reader found wrong, in the words of a check.
import { CheckError } from '../../errors.ts';
import type { JsonScanError } from './scan-json.ts';

/** Where a JSON text stands. */
export interface JsonPlace {
  /** Such as “line 3”; empty: the document itself. */
  name: string;
  /** Characters before the text, from where the place counts them. */
  offset: number;
  /** Whether the body ends with the text. */
  isOpen: boolean;
}

/** A JSON text that could go on: it stops between tokens or within a word or a number. */
const UNFINISHED = /^(?:-|\.|[eE][+-]?|t|tr|tru|f|fa|fal|fals|n|nu|nul)?$/;

/** malformed_body, body_truncated (only if the body ends there) or invalid_character. Nothing of the text is told. */
export function toCheckError(error: JsonScanError, text: string, place: JsonPlace): CheckError {
  const { name, offset, isOpen } = place;
  const where = `at ${name === '' ? '' : `${name}, `}character ${offset + error.offset + 1}`;
  if (error.fault === 'character') return new CheckError('invalid_character', `It stands ${where}.`);
  if (error.fault === 'depth') return new CheckError('malformed_body', `Nested too deep ${where}.`);
  if (isOpen && UNFINISHED.test(text.slice(error.offset))) {
    return cutOff(name === '' ? `the document, after character ${offset + text.length}` : name);
  }
  return new CheckError('malformed_body', `Not valid JSON ${where}.`);
}

/** The body ends before the JSON text that it holds does. */
export function cutOff(name: string): CheckError {
  return new CheckError('body_truncated', `It ends in the middle of ${name}.`);
}
