// Reads arguments of the operator's commands, without loading what only some commands need.
// @throws (all) InvalidArgumentError, which commander shows
import { InvalidArgumentError } from 'commander';
import { type IdKind, isId } from '../../core/ids.ts';

export const idReader =
  (kind: IdKind, example: string) =>
  (text: string): string => {
    if (isId(kind, text)) return text;
    throw new InvalidArgumentError(`It must be an id such as ${example}.`);
  };

export function readLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1_000) return limit;
  throw new InvalidArgumentError('It must be a number from 1 to 1000.');
}
