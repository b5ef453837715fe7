// The cookies that say who is signed in, and who is connecting a client.

/**
 * Cookies know hosts, not ports: the port stands in their names, so that installations side by side on one machine do
 * not end each other's sessions.
 */
export const nameAtPort = (baseUrl: string, name: string): string => {
  const { port } = new URL(baseUrl);
  return port === '' ? name : `${name}-${port}`;
};

/** `__Host-`: of this host alone, never over plain HTTP, never set by a sibling. */
export const cookieName = (baseUrl: string): string =>
  nameAtPort(baseUrl, baseUrl.startsWith('https:') ? '__Host-recordwatch' : 'recordwatch');

export const ADDRESS_HEADER = 'x-recordwatch-address';
