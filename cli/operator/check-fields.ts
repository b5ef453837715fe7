// Checks options by the same rules as the API's fields. @throws (all) CommanderError
import { Value } from 'typebox/value';
import { nameField } from '../../api/input/fields.ts';
import { newKeyFields } from '../../api/keys/new-api-keys.ts';
import { misuse } from './fail.ts';

/** @param option as written on the command line: `--name` */
export function checkName(option: string, text: string): void {
  if (!Value.Check(nameField, text))
    throw misuse(`${option} must be printable text of at most 200 characters.`);
}

export function readExpiry(text: string): Date {
  const time = new Date(text);
  if (Value.Check(newKeyFields.expiresAt, text) && time.getTime() > Date.now()) return time;
  throw misuse('--expires must be a time in the future such as 2027-01-31T12:00:00Z.');
}
