// Finds the part of a schema that a JSON pointer into a value belongs to.
import type { TSchema } from 'typebox';

/** What the doors read of a schema. */
export interface Shape {
  type?: unknown;
  description?: string;
  properties?: Readonly<Record<string, TSchema>>;
  items?: TSchema;
  additionalProperties?: TSchema | boolean;
  anyOf?: readonly Shape[];
}

/** RFC 6901, section 4. */
export function pointerParts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Undefined where the schema knows nothing. */
export function schemaAt(schema: Shape, parts: readonly string[]): Shape | undefined {
  const [part, ...rest] = parts;
  if (part === undefined) return withoutNull(schema);
  const inner = memberOf(schema, part);
  return inner === undefined ? undefined : schemaAt(inner, rest);
}

function memberOf(shape: Shape, name: string): Shape | undefined {
  const { properties = {}, items, additionalProperties } = withoutNull(shape);
  if (items !== undefined) return items;
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Of what may also be null: what it is otherwise. */
function withoutNull(shape: Shape): Shape {
  const [value, other, ...more] = shape.anyOf ?? [];
  return value !== undefined && other?.type === 'null' && more.length === 0 ? { ...value, ...shape } : shape;
}
