// Requires one of our own names in the Host of a request from this machine. Otherwise a web page could point its own name at
// 127.0.0.1 and call the API as the same site through its visitor's browser (DNS rebinding).
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import { isLoopbackName, literalAddress } from '../../core/network/origin-url.ts';

export type RequireHost = (request: FastifyRequest) => void;

/**
 * @returns checks one request
 * @throws ApiError host_not_allowed; bad_request for HTTP/1.1 without Host (RFC 9112, 3.2)
 */
export function createRequireHost({ baseUrl, allowedHosts }: Config): RequireHost {
  const known = new Set([new URL(baseUrl).hostname, ...allowedHosts]);
  const isOurs = (host: string): boolean => {
    const name = nameIn(host);
    return name !== undefined && (known.has(name) || isLoopbackHost(name));
  };
  return ({ raw, log }) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1')
      throw new ApiError('bad_request', 'Send the header Host, as HTTP/1.1 requires.');
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

/** All hosts that a request names, because servers and browsers differ in which one they use. */
function hostsOf({ headersDistinct, url = '' }: FastifyRequest['raw']): string[] {
  // An absolute URL in place of a path (RFC 9112, 3.2.2).
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return [...(headersDistinct['host'] ?? []), ...(absolute === undefined ? [] : [absolute])];
}

/** Without its port and a trailing dot, in lower case. */
function nameIn(host: string): string | undefined {
  const [, name] = /^(\[[0-9a-f:.]+\]|[^:@[\]]+)(?::\d*)?$/i.exec(host) ?? [];
  return name?.toLowerCase().replace(/\.$/, '');
}

const isLoopbackHost = (name: string): boolean => isLoopbackName(name) || isLoopback(literalAddress(name));

const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
