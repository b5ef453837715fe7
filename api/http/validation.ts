// Validates an operation's input. Texts of a query string become values strictly: no 0x10, no 1e2, no "yes". A list is a
// repeated parameter; `filter[price][gt]=10` is {filter: {price: {gt: "10"}}}.
import { type TObject, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { ApiError, type FieldError } from '../../core/errors.ts';
import {
  clipped,
  type Member,
  pointerParts,
  schemaAt,
  type SchemaShape,
  toFieldErrors,
  withinMembers,
} from './field-errors.ts';
import { notFound } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';

type ValuePath = readonly [name: string, ...rest: string[]];

/** Values by name. Texts that cannot be converted are reported and left out. */
function readQueryValues(
  schema: TObject,
  raw: Readonly<Record<string, unknown>>,
): { values: Record<string, unknown>; errors: FieldError[] } {
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const [parameter, given] of Object.entries(raw)) {
    const path = pathOf(schema, parameter);
    if (path.length === 1 && isObject(schema, /^(\w+)\[/.exec(parameter)?.[1] ?? '')) {
      const detail = `names no operator: write ${parameter}[eq], for example`;
      errors.push({ pointer: parameter, code: 'unknown_field', detail });
      continue;
    }
    const shape = schemaAt(schema, path);
    const texts = (Array.isArray(given) ? given : [given]).map(String);
    const { value, problem } = readValue(shape, texts);
    if (problem === undefined) put(values, path, value);
    else errors.push({ pointer: parameter, code: 'invalid_value', detail: problem });
  }
  return { values, errors };
}

/** The parameter that a pointer into the values refers to, as it is written in a query string. */
function parameterAt(schema: TObject, pointer: string): string {
  const [name = '', ...inner] = pointerParts(pointer);
  // A list is one parameter.
  const [member, leaf] = isObject(schema, name) ? inner : [];
  return [name, ...[member, leaf].flatMap((part) => (part === undefined ? [] : `[${part}]`))].join('');
}

/** A column name may contain brackets, so it extends from the first bracket to the last. */
function pathOf(schema: TObject, parameter: string): ValuePath {
  const [, name = '', member = '', leaf = ''] = /^(\w+)\[([\s\S]*)\]\[(\w*)\]$/.exec(parameter) ?? [];
  return isObject(schema, name) ? [name, member, leaf] : [parameter];
}

function isObject(schema: TObject, name: string): boolean {
  return schemaAt(schema, [name])?.type === 'object';
}

/** Object.defineProperty, because a column may be named __proto__. */
function put(values: Record<string, unknown>, [name, ...inner]: ValuePath, value: unknown): void {
  const [next, ...rest] = inner;
  if (next === undefined) {
    Object.defineProperty(values, name, { value, enumerable: true, configurable: true });
    return;
  }
  if (!Object.hasOwn(values, name)) put(values, [name], {});
  // Created by this function.
  put(values[name] as Record<string, unknown>, [next, ...rest], value);
}

function readValue(
  shape: SchemaShape | undefined,
  texts: readonly string[],
): { value?: unknown; problem?: string } {
  if (shape?.type === 'array') return { value: texts };
  const [text = '', ...more] = texts;
  if (more.length > 0) return { problem: 'is given more than once' };
  if (shape?.type === 'integer') {
    // Numbers beyond a double's range become the largest one: limits are capped, and other fields have a maximum.
    const value = Math.min(Number(text), Number.MAX_SAFE_INTEGER);
    return /^\d+$/.test(text) ? { value } : { problem: 'must be a whole number' };
  }
  if (shape?.type === 'boolean') {
    return text === 'true' || text === 'false'
      ? { value: text === 'true' }
      : { problem: 'must be true or false' };
  }
  return { value: text };
}

export interface RawInput {
  params: unknown;
  query: Readonly<Record<string, unknown>>;
  /** Undefined if there was no body. */
  body: unknown;
}

// The library's default is 8; callers should see all errors.
Settings.Set({ maxErrors: 1_000 });

/**
 * Compiles the validation of an operation's input.
 * @returns a function that gives the input for `run`
 * @throws ApiError (that function) not_found, invalid_parameter or validation_failed, with every error
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
    // A missing body is treated as empty, so that missing fields are named.
    refuse('validation_failed', findBodyFaults(body === undefined ? {} : body));
    return Object.assign({}, params, values, body);
  };
}

/** @param shown as toFieldErrors takes it, and `member` too */
export function compileFaults(
  schema: TObject,
  member: Member,
  shown: readonly string[] = [],
): (value: unknown) => FieldError[] {
  const validator = Compile(schema);
  return (whole) => {
    const value = withinMembers(schema, whole);
    if (validator.Check(value)) return [];
    return toFieldErrors(validator.Errors(clipped(value)), schema, member, shown);
  };
}

function namesOf(output: SchemaShape): string[] {
  return Object.keys(output.properties ?? {});
}

/** Operations without a body accept `{}`, which some clients always send. */
const refuseBody = compileFaults(Type.Object({}, { additionalProperties: false }), 'field');

function refuse(code: 'invalid_parameter' | 'validation_failed', errors: FieldError[]): void {
  const [first] = errors;
  if (first === undefined) return;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new ApiError(code, `${first.pointer === '' ? 'The body' : first.pointer} ${first.detail}${more}.`, {
    errors,
  });
}
