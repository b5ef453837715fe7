// Turns the texts of a query string into the values that a schema speaks of, strictly: no 0x10, no 1e2, no "yes".
import type { TObject } from 'typebox';
import type { FieldError } from '../core/errors.ts';

/** Values by name; what cannot be turned into its type is reported, and left out. */
export function readQueryValues(
  schema: TObject,
  raw: Readonly<Record<string, unknown>>,
): { values: Record<string, unknown>; errors: FieldError[] } {
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const [name, text] of Object.entries(raw)) {
    const problem = typeof text === 'string' ? undefined : 'was given more than once';
    const value = typeof text === 'string' ? readValue(typeOf(schema, name), text) : undefined;
    if (value === undefined) {
      errors.push({
        pointer: name,
        code: 'invalid_value',
        detail: problem ?? expected(typeOf(schema, name)),
      });
    } else {
      values[name] = value;
    }
  }
  return { values, errors };
}

function typeOf(schema: TObject, name: string): string {
  const property: { type?: unknown } | undefined = Object.hasOwn(schema.properties, name)
    ? schema.properties[name]
    : undefined;
  return typeof property?.type === 'string' ? property.type : 'string';
}

function readValue(type: string, text: string): string | number | boolean | undefined {
  if (type === 'integer') return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return text;
}

function expected(type: string): string {
  return type === 'integer' ? 'must be a whole number' : 'must be true or false';
}
