// Warns the operator of a proxy that TRUSTED_PROXIES does not name: all clients behind it share one address and its limits.
import type { FastifyRequest } from 'fastify';
import type { Services } from '../contract/context.ts';

/** Any caller can send the header, so not every request is worth a log line. */
const EVERY_MS = 10 * 60_000;

/** @returns checks one request */
export function createProxyWarning({ clock }: Pick<Services, 'clock'>): (request: FastifyRequest) => void {
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  return ({ headers, ips = [], ip, log }) => {
    // With more than one address the peer is a trusted proxy.
    if (headers['x-forwarded-for'] === undefined || ips.length > 1) return;
    if (clock() - warnedAtMs < EVERY_MS) return;
    warnedAtMs = clock();
    log.warn(
      { peer: ip },
      'X-Forwarded-For from this peer is ignored: if it is your proxy, add its network to TRUSTED_PROXIES; otherwise ' +
        'all callers behind it share one rate limit',
    );
  };
}
