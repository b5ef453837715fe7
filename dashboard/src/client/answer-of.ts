// What a call of the API came back with: refusals have been thrown before, so what is left is the answer.

/** @throws Problem, from the call */
export async function answerOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call;
  if (data === undefined) throw new Error('the API answered without a body');
  return data;
}
