// Turns schema errors into field errors with JSON pointers, and finds the part of a schema that a pointer refers to.
import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import type { FieldError } from '../../core/errors.ts';

/** The keywords that are read of a schema. */
export interface SchemaShape {
  type?: unknown;
  description?: string;
  properties?: Readonly<Record<string, TSchema>>;
  items?: TSchema;
  additionalProperties?: TSchema | boolean;
  propertyNames?: { description?: string };
  maxProperties?: number;
  anyOf?: readonly SchemaShape[];
}

/** RFC 6901, section 4. */
export function pointerParts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Undefined if the schema does not describe this path. */
export function schemaAt(schema: SchemaShape, parts: readonly string[]): SchemaShape | undefined {
  const [part, ...rest] = parts;
  if (part === undefined) return withoutNull(schema);
  const inner = memberOf(schema, part);
  return inner === undefined ? undefined : schemaAt(inner, rest);
}

function memberOf(shape: SchemaShape, name: string): SchemaShape | undefined {
  const { properties = {}, items, additionalProperties } = withoutNull(shape);
  if (items !== undefined) return items;
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** The schema of the non-null value of a nullable field. */
function withoutNull(shape: SchemaShape): SchemaShape {
  const [value, other, ...more] = shape.anyOf ?? [];
  return value !== undefined && other?.type === 'null' && more.length === 0 ? { ...value, ...shape } : shape;
}

/**
 * Cuts fields whose members have names of the caller's (rules, labels) after the first one beyond their limit: what follows
 * would be checked for nothing.
 */
export function withinMembers(schema: SchemaShape, whole: unknown): unknown {
  if (typeof whole !== 'object' || whole === null) return whole;
  const cut = Object.entries(whole).flatMap(([name, value]) => {
    const most = schemaAt(schema, [name])?.maxProperties;
    if (most === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    const members = Object.entries(value);
    return members.length > most ? [[name, Object.fromEntries(members.slice(0, most + 1))]] : [];
  });
  return cut.length === 0 ? whole : { ...whole, ...Object.fromEntries(cut) };
}

/** Above each limit that a schema sets, so that the errors are the same. */
const MOST = { characters: 10_001, items: 1_001, depth: 32 };
/** Characters of all texts together. What follows is cut above the limit of a name. */
const ALL_CHARACTERS = 40_000;
const SHORT_TEXT = 300;

/**
 * Cuts what the schema library describes errors of. It tests patterns and repeated items even where the limit of the length
 * is passed, and both take quadratic time.
 */
export function clipped(whole: unknown): unknown {
  let left = ALL_CHARACTERS;
  const clip = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') {
      const text = value.slice(0, Math.max(SHORT_TEXT, Math.min(MOST.characters, left)));
      left -= text.length;
      return text;
    }
    if (typeof value !== 'object' || value === null || depth === 0) return value;
    if (Array.isArray(value)) return value.slice(0, MOST.items).map((item) => clip(item, depth - 1));
    const members = Object.entries(value).slice(0, MOST.items);
    return Object.fromEntries(members.map(([name, member]) => [name, clip(member, depth - 1)]));
  };
  return clip(whole, MOST.depth);
}

/** Query strings contain parameters, bodies contain fields. */
export type Member = 'field' | 'parameter';

/**
 * Reports every error once: an unknown field at the field, a missing field at the path where it belongs.
 * @param member what a member of the whole value is called
 * @param shown names of response fields: a caller who sends one is told that it cannot be set
 */
export function toFieldErrors(
  faults: readonly TLocalizedValidationError[],
  schema: SchemaShape,
  member: Member,
  shown: readonly string[] = [],
): FieldError[] {
  const told = new Set<string>();
  return withoutNullFaults(faults).flatMap((fault): FieldError[] => {
    if (fault.keyword === 'required') {
      return fault.params.requiredProperties.map((name) => ({
        pointer: `${fault.instancePath}/${escapePointer(name)}`,
        code: 'required',
        detail: 'is required',
      }));
    }
    // The fields themselves are reported too, each with its own pointer.
    if (fault.keyword === 'additionalProperties') return [];
    // The object is reported too, and says what its names must be.
    if (fault.schemaPath.endsWith('/propertyNames')) return [];
    if (fault.keyword === 'boolean') return [unknownField(fault.instancePath, schema, member, shown, told)];
    return [{ pointer: fault.instancePath, ...inWords(fault, schema) }];
  });
}

/** Drops the error that a value is not null, because the other errors of the field say what is wrong. */
function withoutNullFaults(
  faults: readonly TLocalizedValidationError[],
): readonly TLocalizedValidationError[] {
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

function inWords(fault: TLocalizedValidationError, schema: SchemaShape): { code: string; detail: string } {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- no schema of ours uses the other keywords
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
    case 'propertyNames':
      return {
        code: 'invalid_value',
        detail: `must have names of ${schemaAt(schema, pointerParts(fault.instancePath))?.propertyNames?.description ?? 'the documented form'}`,
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
      return { code: 'invalid_value', detail: 'must not repeat an item' };
    case 'format':
      return {
        code: 'invalid_value',
        detail: 'must be an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z',
      };
    default:
      return { code: 'invalid_value', detail: fault.message };
  }
}

/** Lists the known names, so that a misspelled name is easy to correct. */
function unknownField(
  pointer: string,
  schema: SchemaShape,
  member: Member,
  shown: readonly string[],
  told: Set<string>,
): FieldError {
  const parts = pointerParts(pointer);
  const path = parts.slice(0, -1);
  const fault =
    path.length > 0
      ? 'is not a member of this'
      : shown.includes(parts[0] ?? '')
        ? 'cannot be set by this request'
        : `is not a ${member} of this request`;
  return { pointer, code: 'unknown_field', detail: fault + fieldsAt(schema, path, told) };
}

/** Lists the fields of an object once per response, however many unknown fields it has. */
function fieldsAt(schema: SchemaShape, path: readonly string[], told: Set<string>): string {
  const pointer = path.join('/');
  if (told.has(pointer)) return '';
  told.add(pointer);
  const known = Object.keys(schemaAt(schema, path)?.properties ?? {}).join(', ');
  return known === '' ? ', which takes none' : `, which takes ${known}`;
}

/** JSON Schema's comparison operators in words. */
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
