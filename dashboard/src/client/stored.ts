// What this browser was given to keep for a later visit. Anything may have happened to it since.

/** What is there of it; undefined when it is not there, or is damaged, and then it is dropped. */
export function readStored<T extends object>(item: string): Partial<T> | undefined {
  const text = localStorage.getItem(item);
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Not JSON: the same as anything else that is no object.
  }
  localStorage.removeItem(item);
  return undefined;
}
