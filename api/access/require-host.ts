// The name under which a request came in. Where it comes from this machine, it may be sent by the browser of somebody who
// looks at a page of anybody's: one whose name was made to lead to 127.0.0.1 then counts as our own site (DNS rebinding).
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import { isLoopbackName, literalAddress } from '../../core/network/origin-url.ts';

export type RequireHost = (request: FastifyRequest) => void;

/** @returns for each request @throws ApiError host_not_allowed */
export function createRequireHost({ baseUrl, allowedHosts }: Config): RequireHost {
  const known = new Set([new URL(baseUrl).hostname, ...allowedHosts]);
  const isOurs = (host: string): boolean => {
    const name = nameIn(host);
    return name !== undefined && (known.has(name) || isOwnMachine(name));
  };
  return ({ raw, log }) => {
    if (known.has('*') || !isLoopback(raw.socket.localAddress)) return;
    const foreign = hostsOf(raw).find((host) => !isOurs(host));
    if (foreign === undefined) return;
    log.warn({ host: foreign.slice(0, 253) }, 'a request for another host was refused');
    throw new ApiError(
      'host_not_allowed',
      'Call it by the host of BASE_URL or as localhost. Its operator can allow other names with ALLOWED_HOSTS.',
    );
  };
}

/** All that a request says of it: servers and browsers differ in which of them counts. */
function hostsOf({ headersDistinct, url = '' }: FastifyRequest['raw']): string[] {
  // A whole URL in place of a path (RFC 9112 3.2.2).
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return [...(headersDistinct['host'] ?? []), ...(absolute === undefined ? [] : [absolute])];
}

/** Without its port, in lower case, without the dot of a root. */
function nameIn(host: string): string | undefined {
  const [, name] = /^(\[[0-9a-f:.]+\]|[^:@[\]]+)(?::\d*)?$/i.exec(host) ?? [];
  return name?.toLowerCase().replace(/\.$/, '');
}

const isOwnMachine = (name: string): boolean => isLoopbackName(name) || isLoopback(literalAddress(name));

const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
