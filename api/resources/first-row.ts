// A summary of a changed row in one line, for lists of events.
import { type Static, Type } from 'typebox';
import { changedFields, splitRowJson } from '../../core/delta/keys/keyed-row.ts';
import { PAIRINGS } from '../../core/delta/pair-similar.ts';
import { CHANGE_TYPES } from '../../db/rows/delta-rows.ts';
import type { FirstDeltaRow } from '../../db/rows/first-delta-rows.ts';
import { rawJson } from '../http/json.ts';
import { nullable } from './shapes.ts';

const MAX_FIELDS = 3;
const MAX_CHARACTERS = 200;

const valueSchema = (when: string) =>
  Type.Optional(
    Type.Unknown({ description: `The value ${when}, as the origin wrote it; absent if there was none.` }),
  );

const firstValueSchema = Type.Object(
  {
    field: Type.String(),
    before: valueSchema('before'),
    after: valueSchema('after'),
    isCut: Type.Boolean({
      description: `A value is longer than ${MAX_CHARACTERS} characters. Its beginning is shown, as text.`,
    }),
  },
  { title: 'FirstValue' },
);

export const firstRowSchema = Type.Object(
  {
    key: Type.String(),
    changeType: Type.Enum([...CHANGE_TYPES]),
    pairedBy: Type.Optional(Type.Enum([...PAIRINGS], { description: 'As in DeltaRow.' })),
    values: Type.Array(firstValueSchema, {
      description: `The first ${MAX_FIELDS} columns that changed; of a new or deleted row its first columns.`,
    }),
    moreFields: nullable(
      Type.Integer({ description: 'Such columns beyond `values`; null for a row of more than 8 KiB.' }),
    ),
  },
  { title: 'FirstRow' },
);

export function presentFirstRow(row: FirstDeltaRow): Static<typeof firstRowSchema> {
  const { before, after } = row;
  const paired = row.previousKey === null ? {} : { pairedBy: 'similarity' as const };
  const identity = { key: row.key, changeType: row.changeType, ...paired };
  const old = new Map(before === null ? [] : splitRowJson(before));
  const now = new Map(after === null ? [] : splitRowJson(after));
  if (before === null && after === null) return { ...identity, values: [], moreFields: null };
  const fields =
    before === null || after === null ? [...old.keys(), ...now.keys()] : changedFields(before, after);
  const values = fields.slice(0, MAX_FIELDS).map((field) => {
    const sides = { before: shown(old.get(field)), after: shown(now.get(field)) };
    return {
      field,
      ...(sides.before && { before: sides.before.value }),
      ...(sides.after && { after: sides.after.value }),
      isCut: (sides.before?.isCut ?? false) || (sides.after?.isCut ?? false),
    };
  });
  return { ...identity, values, moreFields: fields.length - values.length };
}

/** @param token the JSON text of a value; undefined: there is none */
function shown(token: string | undefined): { value: unknown; isCut: boolean } | undefined {
  if (token === undefined) return undefined;
  if (token.length <= MAX_CHARACTERS) return { value: rawJson(token), isCut: false };
  const text = token.startsWith('"') ? (JSON.parse(token) as string) : token;
  return text.length <= MAX_CHARACTERS
    ? { value: text, isCut: false }
    : { value: text.slice(0, MAX_CHARACTERS).toWellFormed(), isCut: true };
}
