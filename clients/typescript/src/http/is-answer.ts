// Tells an answer of Recordwatch from the JSON of another server, such as a proxy's.

/** Each answer of the API has one of these members (test/clients/operations.test.ts). */
export const MARKS = ['id', 'hasMore', 'sourceId', 'expiresAt', 'key', 'totalRows', 'undecided', 'tier'];

export const isAnswer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && MARKS.some((name) => name in value);
