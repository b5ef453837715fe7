// Labels of records in requests: an object of names and values in bodies, `name:value` in query strings.
import { Type } from 'typebox';

const MAX_LABELS = 20;

/** Starts and ends with a letter or digit, and has no colon, so that `name:value` can be split. */
const LABEL_NAME = '[a-z0-9]([a-z0-9._/-]{0,61}[a-z0-9])?';

/** Requires a visible character. */
const LABEL_VALUE = '[^\\p{Cc}\\p{Cs}]*[^\\s\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*';

const MAX_VALUE_CHARACTERS = 100;

const labelsObject = {
  type: 'object',
  maxProperties: MAX_LABELS,
  propertyNames: {
    pattern: `^${LABEL_NAME}$`,
    description: 'at most 63 lower-case letters, digits and . _ - /, with a letter or digit at both ends',
  },
  additionalProperties: {
    type: 'string',
    pattern: `^${LABEL_VALUE}$`,
    maxLength: MAX_VALUE_CHARACTERS,
    description: `printable text of at most ${MAX_VALUE_CHARACTERS} characters`,
  },
} as const;

export const labelsField = Type.Unsafe<Record<string, string>>({
  ...labelsObject,
  description: `At most ${MAX_LABELS} names with their values.`,
});

/** Labels by which records are selected. */
export const requiredLabelsField = Type.Unsafe<Record<string, string>>({
  ...labelsObject,
  minProperties: 1,
  description: 'Records that have all of these labels, when something happens.',
});

export const labelQuery = {
  label: Type.Optional(
    Type.Array(
      Type.String({
        pattern: `^${LABEL_NAME}:${LABEL_VALUE}$`,
        maxLength: 200,
        description: 'a label as `name:value`',
      }),
      {
        minItems: 1,
        maxItems: MAX_LABELS,
        description: 'Only records with this label, as `name:value`; repeatable: all must match.',
      },
    ),
  ),
};

/** A label that records must have. */
export interface LabelFilter {
  name: string;
  value: string;
}

export function readLabels(label: readonly string[] = []): LabelFilter[] {
  return [...new Set(label)].sort().map((text) => {
    const colon = text.indexOf(':');
    return { name: text.slice(0, colon), value: text.slice(colon + 1) };
  });
}
