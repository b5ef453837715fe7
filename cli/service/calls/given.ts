// Options that were given.

type Given<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> };

/** Without those that are undefined. */
export function given<Options extends object>(options: Options): Given<Options> {
  const defined = Object.entries(options).filter(([, value]) => value !== undefined);
  // Nothing else was removed.
  return Object.fromEntries(defined) as Given<Options>;
}
