// What a person can do about an error of the API, and the exit code that it ends with.
import type { ApiError } from '../../../clients/typescript/src/errors.ts';
import { EXIT } from '../../operator/fail.ts';

/** As those of the operator's commands, and one for credentials. */
const DENIED = 4;

const BY_STATUS: Readonly<Record<number, number>> = {
  400: EXIT.misuse,
  401: DENIED,
  402: DENIED,
  403: DENIED,
  404: EXIT.noSuchThing,
  410: EXIT.noSuchThing,
  422: EXIT.misuse,
};

export const exitCodeOf = (status: number): number => BY_STATUS[status] ?? EXIT.failed;

const ADVICE: Readonly<Record<string, string>> = {
  unauthenticated: 'Log in with “recordwatch login”, because the key is wrong, revoked or expired.',
  insufficient_scope: 'Use a key with a larger scope. “recordwatch whoami” shows the scope of this one.',
  not_found: '“recordwatch records” lists the records that this key reaches.',
  unreadable: 'This is no answer of Recordwatch. Look whether the address is right.',
};

export function adviceFor({ code, retryAfterMs, upgradeUrl, requestId }: ApiError): string | undefined {
  if (upgradeUrl !== undefined) return `Get a paid tier: ${upgradeUrl}`;
  if (retryAfterMs !== undefined) return `Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
  if (code === 'internal') return `Try again, or tell the operator of the service the request: ${requestId}`;
  return ADVICE[code];
}
