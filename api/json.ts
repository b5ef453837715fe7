// Prints answers. Row data pass as the JSON text that the database holds: parsing and printing them again would
// turn 10000000000000000999 into 10000000000000002000.
import { Type } from 'typebox';

const RAW = Symbol('JSON text');

/** JSON text that is printed as it is. */
export interface RawJson {
  readonly [RAW]: string;
}

export function rawJson(text: string): RawJson {
  return { [RAW]: text };
}

/** Schema of a row's data in an answer. */
export const rowDataSchema = Type.Unsafe<RawJson>({
  type: 'object',
  title: 'RowData',
  description: 'A row: column names and values as the origin wrote them.',
});

/** Like JSON.stringify without replacer or toJSON, except that RawJson stands for itself. */
export function encodeJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (isRawJson(value)) return value[RAW];
  if (Array.isArray(value)) return `[${value.map(encodeJson).join(',')}]`;
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${encodeJson(member)}`);
  }
  return `{${members.join(',')}}`;
}

function isRawJson(value: object): value is RawJson {
  return RAW in value;
}
