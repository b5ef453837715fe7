// A check interval in words.

/** `5 s`, `60 min`. */
export const inWords = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Number((seconds / 60).toPrecision(6))} min`;
