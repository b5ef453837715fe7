// JSON whose numbers stay as they were written: 1.0 and 1.00 are two values of a row, and digits are not lost.

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

// Both are of ES2026 and in no type library yet; where a browser lacks them, numbers are as JavaScript reads them.
const json = JSON as unknown as {
  parse: (text: string, reviver: Reviver) => unknown;
  rawJSON?: (text: string) => unknown;
};

/** An answer that was asked for with `parseAs: 'text'`, which takes the type away that the OpenAPI document gives it. */
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

/** A value of a row as text: text as it is, anything else as its JSON; undefined: the row has no such column. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : value === undefined ? undefined : JSON.stringify(value);

/** A row's value, never what all objects inherit: a column may be called constructor. */
export const valueAt = (row: Readonly<Record<string, unknown>> | null, column: string): unknown =>
  row !== null && Object.hasOwn(row, column) ? row[column] : undefined;
