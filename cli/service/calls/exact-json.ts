// Reads JSON so that writing it again gives the same numbers: those that JavaScript would round keep their text.

/** In every supported Node (https://github.com/tc39/proposal-json-parse-with-source); TypeScript does not know it yet. */
interface ExactJson {
  parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  rawJSON: (text: string) => unknown;
}

const json = JSON as unknown as ExactJson;

export const parseExactly = (text: string): unknown =>
  json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? json.rawJSON(source)
      : value,
  );
