// The labels of a record in responses.
import { Type } from 'typebox';

export const labelsSchema = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
});

/** By name, whatever the order in which they were given. */
export const presentLabels = (labels: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1)));
