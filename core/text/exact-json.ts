// JSON that keeps the spelling of numbers through libraries that parse and print it.

interface Source {
  /** The number as written in the JSON. */
  source?: string;
}

/** Newer than the type library: https://tc39.es/proposal-json-parse-with-source/ */
const json = JSON as unknown as {
  parse: (text: string, reviver: (name: string, value: unknown, context: Source) => unknown) => unknown;
  rawJSON: (text: string) => object;
  isRawJSON: (value: unknown) => boolean;
};

/** JSON.parse whose result JSON.stringify prints with the original spelling of 10000000000000000999, 1.10 and -0. */
export function parseExactly(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  // A fast path: most texts have no such numbers, and a reviver takes several times as long.
  if (JSON.stringify(plain) === text) return plain;
  return json.parse(text, (_name, value, { source }) =>
    typeof value !== 'number' || source === undefined || String(value) === source
      ? value
      : json.rawJSON(source),
  );
}

/** Whether it is a number of parseExactly that JavaScript would print differently. */
export const isExactNumber = (value: unknown): boolean => json.isRawJSON(value);
