// Schemas as models are shown them, without what only the reference documentation needs: every word of a tool list is
// read before every conversation.

const LEFT_OUT: ReadonlySet<string> = new Set(['examples', 'title', 'writeOnly', 'format']);

export function plainSchema(schema: object): object {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !LEFT_OUT.has(keyword))
      .map(([keyword, value]: [string, unknown]) => [keyword, plainKeyword(keyword, value)]),
  );
}

function plainKeyword(keyword: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => plainKeyword('', each));
  if (typeof value !== 'object' || value === null) return value;
  if (keyword !== 'properties') return plainSchema(value);
  // Names of members, which may be those of keywords.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, object]) => [name, plainSchema(member)]),
  );
}
