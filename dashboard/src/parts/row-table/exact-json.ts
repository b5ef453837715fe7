// JSON that keeps numbers as they were written: 1.0 and 1.00 are two values of a row, and digits are not lost.

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

// Both are new in ES2026, and in no type library yet. Browsers without them read numbers as JavaScript does.
const json = JSON as unknown as {
  parse: (text: string, reviver: Reviver) => unknown;
  rawJSON?: (text: string) => unknown;
};

/** Parses an answer that was requested with `parseAs: 'text'`, and gives it the type of the OpenAPI document again. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function readExact<T>(text: string): T {
  const { rawJSON } = json;
  const keepDigits: Reviver = (_key, value, context) =>
    rawJSON !== undefined &&
    typeof value === 'number' &&
    context.source !== undefined &&
    context.source !== String(value)
      ? rawJSON(context.source)
      : value;
  return json.parse(text, keepDigits) as T;
}

/** A row's value as text: text as it is, anything else as JSON. Undefined: the row has no such column. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : value === undefined ? undefined : JSON.stringify(value);

/** A row's own value, never an inherited one: a column may be called constructor. */
export const valueAt = (row: Readonly<Record<string, unknown>> | null, column: string): unknown =>
  row !== null && Object.hasOwn(row, column) ? row[column] : undefined;
