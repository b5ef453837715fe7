// How requests to origins and endpoints name themselves.

/** @param baseUrl where the owner of a server can learn who asks */
export function userAgent(baseUrl: string): string {
  return `Recordwatch/1 (+${baseUrl})`;
}
