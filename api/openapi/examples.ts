// Examples: one small story (the prices of a shop, in which one price falls), so that ids agree from page to page.
import type { TSchema } from 'typebox';
import type { JsonObject } from './named-schemas.ts';
import { BODIES, FILES, RESOURCES } from './story.ts';

/** Bodies to send to an operation, by what each shows; none when it takes no body or none is told. */
export function bodyExamples(operation: string): JsonObject {
  return Object.hasOwn(BODIES, operation) ? (BODIES[operation] ?? {}) : {};
}

/** What the file of an operation looks like. */
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

/** The example of a resource as the story has it; of anything else, one that its parts make up. */
export function exampleOf(schema: object): unknown {
  // Schemas of TypeBox are plain JSON Schema, and these are the keywords that ours use.
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
