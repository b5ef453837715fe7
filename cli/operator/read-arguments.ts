// Reads what the operator gives on the command line. @throws (all) InvalidArgumentError, which commander shows
import { InvalidArgumentError } from 'commander';
import { Value } from 'typebox/value';
import { nameField } from '../../api/fields.ts';
import { newKeyFields } from '../../api/issue-api-key.ts';
import { type IdKind, isId } from '../../core/ids.ts';

export function readName(text: string): string {
  if (Value.Check(nameField, text)) return text;
  throw new InvalidArgumentError('It must be printable text of at most 200 characters.');
}

export const idReader =
  (kind: IdKind, example: string) =>
  (text: string): string => {
    if (isId(kind, text)) return text;
    throw new InvalidArgumentError(`It must be an id such as ${example}.`);
  };

export function readTime(text: string): Date {
  const time = new Date(text);
  if (Value.Check(newKeyFields.expiresAt, text) && time.getTime() > Date.now()) return time;
  throw new InvalidArgumentError('It must be a time in the future such as 2027-01-31T12:00:00Z.');
}

export function readLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1_000) return limit;
  throw new InvalidArgumentError('It must be a number from 1 to 1000.');
}
