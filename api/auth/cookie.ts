// The cookie that says who is signed in.

/** `__Host-`: of this host alone, never over plain HTTP, never set by a sibling. */
export const cookieName = (baseUrl: string): string =>
  baseUrl.startsWith('https:') ? '__Host-recordwatch' : 'recordwatch';

export const ADDRESS_HEADER = 'x-recordwatch-address';
