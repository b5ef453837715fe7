// Where a client's answer goes, in words for people: the place that counts, whatever else the address says.

/** A program on one's own machine can claim to be any client. */
export const isOwnMachine = ({ protocol, hostname }: URL): boolean =>
  /^https?:$/.test(protocol) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Of other protocols the host means nothing: the machine hands all of their links to one app. */
export const describePlace = ({ protocol, host }: URL): string =>
  /^https?:$/.test(protocol) ? host : `the app for ${protocol} links`;
