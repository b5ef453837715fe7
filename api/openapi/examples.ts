// Examples that together tell one story (a shop's prices, one of which falls), so that ids match between pages.
import type { TSchema } from 'typebox';
import type { JsonObject } from './named-schemas.ts';
import { BODIES, FILES, RESOURCES } from './examples/records.ts';

/** Example bodies of an operation by title; empty if it has none. */
export function bodyExamples(operation: string): JsonObject {
  return Object.hasOwn(BODIES, operation) ? (BODIES[operation] ?? {}) : {};
}

/** An example of an operation's file. */
export function fileExample(operation: string, mediaType: string): { example?: string } {
  const example = FILES[operation]?.[mediaType];
  return example === undefined ? {} : { example };
}

interface Described {
  title?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Readonly<Record<string, TSchema>>;
  examples?: unknown[];
}

/** The story's example of a resource, or one composed of the examples of its parts. */
export function exampleOf(schema: object): unknown {
  // TypeBox schemas are plain JSON Schema. These are the keywords that ours use.
  const { title = '', examples, anyOf, items, properties, type, ...rest } = schema as Described;
  if (Object.hasOwn(RESOURCES, title)) return RESOURCES[title];
  const operation = /^(.)(.*)Request$/.exec(title);
  const [body] = Object.values(bodyExamples(`${operation?.[1]?.toLowerCase()}${operation?.[2]}`));
  if (body !== undefined) return body;
  const [first] = [...(examples ?? []), ...('const' in rest ? [rest.const] : []), ...(rest.enum ?? [])];
  if (first !== undefined) return first;
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0]);
  if (items !== undefined) return [exampleOf(items)];
  if (properties !== undefined) return mapValues(properties, exampleOf);
  return VALUES[type ?? ''];
}

const VALUES: JsonObject = { string: 'text', integer: 1, number: 1, boolean: true, null: null, object: {} };

function mapValues<T>(object: Readonly<Record<string, T>>, change: (value: T) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
