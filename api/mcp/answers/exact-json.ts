// JSON that keeps numbers as they were written, on its way through libraries that parse and print.

interface Source {
  /** The text of a number, as it stands in the JSON. */
  source?: string;
}

/** Of newer engines than the type library knows: https://tc39.es/proposal-json-parse-with-source/ */
const json = JSON as unknown as {
  parse: (text: string, reviver: (name: string, value: unknown, context: Source) => unknown) => unknown;
  rawJSON: (text: string) => object;
  isRawJSON: (value: unknown) => boolean;
};

/** Like JSON.parse, but JSON.stringify prints 10000000000000000999, 1.10 and -0 of the result as they stood here. */
export function parseExactly(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  // Most texts have no such numbers, and asking about each value takes several times as long.
  if (JSON.stringify(plain) === text) return plain;
  return json.parse(text, (_name, value, { source }) =>
    typeof value !== 'number' || source === undefined || String(value) === source
      ? value
      : json.rawJSON(source),
  );
}

/** Whether it is a number of parseExactly that JavaScript would spell otherwise. */
export const isExactNumber = (value: unknown): boolean => json.isRawJSON(value);
