// Tells the operator of a proxy that is not named in TRUSTED_PROXIES: all who come through it share one address, and with it
// the limits of one.
import type { FastifyRequest } from 'fastify';
import type { Services } from '../contract/context.ts';

/** Any caller can send the header, so it is no ground for a line each. */
const EVERY_MS = 10 * 60_000;

/** @returns for each request */
export function createProxyWarning({ clock }: Pick<Services, 'clock'>): (request: FastifyRequest) => void {
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  return ({ headers, ips = [], ip, log }) => {
    // More than one: the peer is trusted, and its word was taken.
    if (headers['x-forwarded-for'] === undefined || ips.length > 1) return;
    if (clock() - warnedAtMs < EVERY_MS) return;
    warnedAtMs = clock();
    log.warn(
      { peer: ip },
      'X-Forwarded-For is not believed from this peer: if it is your proxy, name its network in TRUSTED_PROXIES, or all callers behind it are limited as one',
    );
  };
}
