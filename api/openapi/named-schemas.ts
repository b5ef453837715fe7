// Moves every schema with a title to the document's components, and replaces its uses by references.
import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface NamedSchemas {
  /**
   * Replaces every titled part of a schema, or the schema itself, by a reference.
   * @throws Error when two different schemas have the same title
   */
  refer: (schema: TSchema | JsonObject) => JsonObject;
  /** All referenced schemas so far, by title. */
  all: () => Record<string, JsonObject>;
}

/** Keywords whose members are values, not schemas. */
const VALUES = new Set(['const', 'default', 'enum', 'examples']);

/**
 * Rewrites a pattern so that Python and Java read it too, and JavaScript with and without the flag `u`. Drops surrogates,
 * which valid UTF-8 cannot contain.
 */
const portable = (pattern: string): string =>
  pattern
    .replaceAll('\\p{Cc}', '\\x00-\\x1f\\x7f-\\x9f')
    .replaceAll('\\p{Cs}', '')
    .replaceAll('\\u0000', '\\x00');

/** A `statedPattern` is only documented: the operation checks it and reports its own error. */
function withPortablePattern({ statedPattern, ...schema }: JsonObject): JsonObject {
  const { pattern = statedPattern } = schema;
  return typeof pattern === 'string' ? { ...schema, pattern: portable(pattern) } : schema;
}

/** Client generators need the type of an enumeration. */
function withType(schema: JsonObject): JsonObject {
  const { enum: values } = schema;
  const isOfTexts = Array.isArray(values) && values.every((value) => typeof value === 'string');
  return isOfTexts ? { type: 'string', ...schema } : schema;
}

/** @param exampleOf returns an example of a titled schema */
export function nameSchemas(exampleOf: (schema: object) => unknown): NamedSchemas {
  const named = new Map<string, JsonObject>();

  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, member]) => [
      key,
      VALUES.has(key) ? member : convert(member),
    ]);
    const plain = withPortablePattern(withType(Object.fromEntries(entries)));
    // Inside `properties`, `title` is the name of a property, and its value a schema.
    return typeof plain['title'] === 'string' ? name(plain['title'], plain, value) : plain;
  };

  const name = (title: string, plain: JsonObject, original: object): JsonObject => {
    const schema = { ...plain, examples: [exampleOf(original)] };
    const known = named.get(title);
    if (known !== undefined && !isDeepStrictEqual(known, schema)) {
      throw new Error(`Two different schemas have the title ${title}`);
    }
    named.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  };

  return {
    // An object stays an object.
    refer: (schema) => convert(schema) as JsonObject,
    all: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
