// The parameters of a call that have a value.

type Given<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** Without undefined and null. */
export const given = <T extends object>(all: T): Given<T> =>
  // Only values are left.
  Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined && value !== null),
  ) as Given<T>;
