// The one place where what a caller sends is held against an operation's schemas.
import { type TObject, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { ApiError, type FieldError } from '../../core/errors.ts';
import { notFound } from '../contract/errors.ts';
import { type Member, toFieldErrors } from './field-errors.ts';
import type { Operation } from '../contract/operation.ts';
import { parameterAt, readQueryValues } from './query-values.ts';
import type { Shape } from './schema-at.ts';

export interface RawInput {
  params: unknown;
  query: Readonly<Record<string, unknown>>;
  /** Undefined: there was no body. */
  body: unknown;
}

// The library stops at 8 faults, and callers want to see all of theirs.
Settings.Set({ maxErrors: 1_000 });

/**
 * Compiles the check of an operation's input.
 * @returns a function that gives the input as `run` takes it
 * @throws ApiError (that function) not_found, invalid_parameter or validation_failed, with every fault
 */
export function compileInput(operation: Operation): (raw: RawInput) => unknown {
  const findParamFaults = compileFaults(operation.params, 'parameter');
  const findQueryFaults = compileFaults(operation.query, 'parameter');
  const findBodyFaults =
    operation.body === null ? refuseBody : compileFaults(operation.body, 'field', namesOf(operation.output));
  return ({ params, query, body }) => {
    if (findParamFaults(params).length > 0) throw notFound();
    const { values, errors } = readQueryValues(operation.query, query);
    const unread = new Set(errors.map(({ pointer }) => pointer));
    const faults = findQueryFaults(values).map((fault) => ({
      ...fault,
      pointer: parameterAt(operation.query, fault.pointer),
    }));
    refuse('invalid_parameter', [...errors, ...faults.filter(({ pointer }) => !unread.has(pointer))]);
    // No body is one without fields: what is missing is named.
    refuse('validation_failed', findBodyFaults(body === undefined ? {} : body));
    return Object.assign({}, params, values, body);
  };
}

function compileFaults(
  schema: TObject,
  member: Member,
  shown: readonly string[] = [],
): (value: unknown) => FieldError[] {
  const validator = Compile(schema);
  return (value) =>
    validator.Check(value) ? [] : toFieldErrors(validator.Errors(value), schema, member, shown);
}

function namesOf(output: Shape): string[] {
  return Object.keys(output.properties ?? {});
}

/** Operations without a body allow an empty one: clients that always send JSON send `{}`. */
const refuseBody = compileFaults(Type.Object({}, { additionalProperties: false }), 'field');

function refuse(code: 'invalid_parameter' | 'validation_failed', errors: FieldError[]): void {
  const [first] = errors;
  if (first === undefined) return;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new ApiError(code, `${first.pointer === '' ? 'The body' : first.pointer} ${first.detail}${more}.`, {
    errors,
  });
}
