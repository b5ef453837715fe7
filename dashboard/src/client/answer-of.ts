// The answer of an API call. Refusals have already been thrown.

/** @throws Problem, from the call */
export async function answerOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call;
  if (data === undefined) throw new Error('the API answered without a body');
  return data;
}
