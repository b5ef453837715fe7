// Which addresses are this machine itself.
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const OWN = new BlockList();
OWN.addSubnet('127.0.0.0', 8, 'ipv4');
OWN.addAddress('::1', 'ipv6');

const isOwn = (address: string): boolean => OWN.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** A host of a URL. A name counts when only this machine can have it (RFC 6761 6.3). */
export function isLoopbackHost(host: string): boolean {
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0) return isOwn(literal);
  return host === 'localhost' || host.endsWith('.localhost');
}

export const NOT_LOOPBACK = 'ERR_NOT_LOOPBACK';

/** Looks names up, and refuses those that lead away from this machine. */
export const lookupLoopback: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const found = error === null ? addresses.filter(({ address }) => isOwn(address)) : [];
    const [first] = found;
    const refused = error ?? Object.assign(new Error(`${host} is not this machine`), { code: NOT_LOOPBACK });
    if (first === undefined) callback(refused, '');
    else if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  });
};
