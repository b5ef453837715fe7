// What this browser stores for a later visit. It may have been changed or damaged since.

/** The stored value; undefined if it is missing or damaged. Damaged values are removed. */
export function readStored<T extends object>(item: string): Partial<T> | undefined {
  const text = localStorage.getItem(item);
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Not JSON: handled like anything else that is not an object.
  }
  localStorage.removeItem(item);
  return undefined;
}
