// What an answer of the API brought.

/** The client throws where the API refuses, so there is something unless the operation answers nothing. */
export function dataOf<T>({ data }: { data?: T }): T {
  if (data === undefined) throw new Error('The server answered with nothing.');
  return data;
}
