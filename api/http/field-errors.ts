// Faults that a schema finds in a value, as pointers and words for the caller.
import type { TLocalizedValidationError } from 'typebox/error';
import type { FieldError } from '../../core/errors.ts';
import { pointerParts, type Shape, schemaAt } from './schema-at.ts';

/** Query strings hold parameters, bodies hold fields. */
export type Member = 'field' | 'parameter';

/**
 * Every fault once: for an unknown field the field itself, for a missing one the place where it should be.
 * @param member what the caller knows a member of the whole value as
 * @param shown names that answers have: who sends one is told that it exists, and cannot be set
 */
export function toFieldErrors(
  faults: readonly TLocalizedValidationError[],
  schema: Shape,
  member: Member,
  shown: readonly string[] = [],
): FieldError[] {
  const told = new Set<string>();
  return withoutNull(faults).flatMap((fault): FieldError[] => {
    if (fault.keyword === 'required') {
      return fault.params.requiredProperties.map((name) => ({
        pointer: `${fault.instancePath}/${escapePointer(name)}`,
        code: 'required',
        detail: 'is required',
      }));
    }
    // The fields themselves are reported too, each with its place.
    if (fault.keyword === 'additionalProperties') return [];
    if (fault.keyword === 'boolean') return [unknownField(fault.instancePath, schema, member, shown, told)];
    return [{ pointer: fault.instancePath, ...inWords(fault, schema) }];
  });
}

/** A field that may be null is told what is wrong with its value: that it could be null is said by its description. */
function withoutNull(faults: readonly TLocalizedValidationError[]): readonly TLocalizedValidationError[] {
  const nullable = new Set(
    faults.flatMap((fault) =>
      fault.keyword === 'type' && fault.params.type === 'null' ? [fault.instancePath] : [],
    ),
  );
  return faults.filter(
    (fault) =>
      !nullable.has(fault.instancePath) ||
      !(fault.keyword === 'anyOf' || (fault.keyword === 'type' && fault.params.type === 'null')),
  );
}

function inWords(fault: TLocalizedValidationError, schema: Shape): { code: string; detail: string } {
  // Keywords that are not named here stand in no schema of ours.
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check
  switch (fault.keyword) {
    case 'type':
      return { code: 'invalid_type', detail: `must be ${withArticle(String(fault.params.type))}` };
    case 'enum':
      return { code: 'invalid_value', detail: `must be one of ${fault.params.allowedValues.join(', ')}` };
    case 'pattern':
      return {
        code: 'invalid_value',
        detail: `must be ${schemaAt(schema, pointerParts(fault.instancePath))?.description ?? 'in the documented form'}`,
      };
    case 'minLength':
      return { code: 'too_short', detail: `must have at least ${fault.params.limit} characters` };
    case 'minItems':
      return { code: 'too_short', detail: `must have at least ${fault.params.limit} items` };
    case 'maxLength':
      return { code: 'too_long', detail: `must have at most ${fault.params.limit} characters` };
    case 'maxItems':
      return { code: 'too_long', detail: `must have at most ${fault.params.limit} items` };
    case 'minimum':
    case 'exclusiveMinimum':
      return {
        code: 'too_small',
        detail: `must be ${inEnglish(fault.params.comparison)} ${fault.params.limit}`,
      };
    case 'maximum':
    case 'exclusiveMaximum':
      return {
        code: 'too_large',
        detail: `must be ${inEnglish(fault.params.comparison)} ${fault.params.limit}`,
      };
    case 'minProperties':
      return { code: 'too_short', detail: `must have at least ${fault.params.limit} members` };
    case 'maxProperties':
      return { code: 'too_long', detail: `must have at most ${fault.params.limit} members` };
    case 'uniqueItems':
      return { code: 'invalid_value', detail: 'must not name anything twice' };
    case 'format':
      return {
        code: 'invalid_value',
        detail: 'must be an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z',
      };
    default:
      return { code: 'invalid_value', detail: fault.message };
  }
}

/** With the names that are known there: whoever misremembers one finds it among them. */
function unknownField(
  pointer: string,
  schema: Shape,
  member: Member,
  shown: readonly string[],
  told: Set<string>,
): FieldError {
  const parts = pointerParts(pointer);
  const place = parts.slice(0, -1);
  const fault =
    place.length > 0
      ? 'is not a member of this'
      : shown.includes(parts[0] ?? '')
        ? 'cannot be set by this request'
        : `is not a ${member} of this request`;
  return { pointer, code: 'unknown_field', detail: fault + fieldsAt(schema, place, told) };
}

/** What there is in a place, once: whoever sends many unknown fields need not read it with each. */
function fieldsAt(schema: Shape, place: readonly string[], told: Set<string>): string {
  const pointer = place.join('/');
  if (told.has(pointer)) return '';
  told.add(pointer);
  const known = Object.keys(schemaAt(schema, place)?.properties ?? {}).join(', ');
  return known === '' ? ', which takes none' : `, which takes ${known}`;
}

/** JSON Schema's comparisons, for readers. */
function inEnglish(comparison: string): string {
  return { '>=': 'at least', '>': 'more than', '<=': 'at most', '<': 'less than' }[comparison] ?? comparison;
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** RFC 6901, section 3. */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
