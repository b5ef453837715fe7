// Queues requests that read many rows: the API runs two of them at a time for one caller.

const AT_ONCE = 2;

let underWay = 0;
const waiting: (() => void)[] = [];

export async function inTurn<T>(ask: () => Promise<T>): Promise<T> {
  if (underWay >= AT_ONCE) await new Promise<void>((begin) => waiting.push(begin));
  underWay += 1;
  try {
    return await ask();
  } finally {
    underWay -= 1;
    waiting.shift()?.();
  }
}
