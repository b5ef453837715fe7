// Gives every schema that has a title a place among the components of the document, and refers to it from wherever
// it is used.
import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface NamedSchemas {
  /**
   * The schema with each titled part of it replaced by a reference: a reference itself, if it has a title.
   * @throws Error when two different schemas have one title
   */
  refer: (schema: TSchema | JsonObject) => JsonObject;
  /** What was referred to so far, by title. */
  all: () => Record<string, JsonObject>;
}

/** Members of a schema that hold values, not schemas. */
const VALUES = new Set(['const', 'default', 'enum', 'examples']);

/**
 * A pattern as Python and Java read it as well, which JavaScript reads with and without its flag `u`. Halves of surrogate
 * pairs are left out: no text that is valid UTF-8 holds one.
 */
const portable = (pattern: string): string =>
  pattern
    .replaceAll('\\p{Cc}', '\\x00-\\x1f\\x7f-\\x9f')
    .replaceAll('\\p{Cs}', '')
    .replaceAll('\\u0000', '\\x00');

/** A `statedPattern` is described like any other, and held by the operation itself, in words of its own. */
function withPortablePattern({ statedPattern, ...schema }: JsonObject): JsonObject {
  const { pattern = statedPattern } = schema;
  return typeof pattern === 'string' ? { ...schema, pattern: portable(pattern) } : schema;
}

/** Generators of clients want to know the type of an enumeration. */
function withType(schema: JsonObject): JsonObject {
  const { enum: values } = schema;
  const isOfTexts = Array.isArray(values) && values.every((value) => typeof value === 'string');
  return isOfTexts ? { type: 'string', ...schema } : schema;
}

/** @param exampleOf an example of a titled schema */
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
    // Among `properties`, `title` is the name of one, and its value a schema.
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
