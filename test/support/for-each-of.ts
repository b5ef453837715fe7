// Visits items side by side, a few at a time.

/** Visits ten items at a time. */
export async function forEachOf<T>(items: readonly T[], visit: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const work = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await visit(item);
  };
  await Promise.all(Array.from({ length: 10 }, work));
}
