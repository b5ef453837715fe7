// Names of the cookies for sign-in sessions and for the consent flow.

/** Cookies are shared by all ports of a host. The port in the name keeps installations on one machine apart. */
export const nameAtPort = (baseUrl: string, name: string): string => {
  const { port } = new URL(baseUrl);
  return port === '' ? name : `${name}-${port}`;
};

/** `__Host-`: only this host, only HTTPS, and no subdomain can set it. */
export const cookieName = (baseUrl: string): string =>
  nameAtPort(baseUrl, baseUrl.startsWith('https:') ? '__Host-recordwatch' : 'recordwatch');

export const ADDRESS_HEADER = 'x-recordwatch-address';
