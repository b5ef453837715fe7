// A URL as it is shown to people.

/** Without user name and password. A query may have a token, so it is not shown either. */
export const shownUrl = ({ origin, pathname, search }: URL): string =>
  `${origin}${pathname}${search === '' ? '' : '?…'}`;
