// Parameters of a call: those that have a value.

type Given<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** Without what is undefined or null. */
export const given = <T extends object>(all: T): Given<T> =>
  // What is left has values only.
  Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined && value !== null),
  ) as Given<T>;
